/** Two packages of others that find matchings, typed as far as they are used here. */

declare module 'bipartite-matching' {
  type Edge = readonly [left: number, right: number];
  /** The largest matching between sides of so many vertices, as its edges. */
  export default function findMatching(lefts: number, rights: number, edges: readonly Edge[]): Edge[];
}

declare module 'edmonds-blossom' {
  type Edge = readonly [one: number, other: number, weight: number];
  /** The heaviest matching, or the heaviest of the largest: vertex to its mate, or -1; vertices after the last one with an edge are left out. */
  export default function blossom(edges: readonly Edge[], isLargest?: boolean): number[];
}
