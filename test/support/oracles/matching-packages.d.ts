/** Types for the two third-party packages that find matchings, as far as tests use them. */

declare module 'bipartite-matching' {
  type Edge = readonly [left: number, right: number];
  /** The edges of a maximum matching of a bipartite graph with the given numbers of vertices. */
  export default function findMatching(lefts: number, rights: number, edges: readonly Edge[]): Edge[];
}

declare module 'edmonds-blossom' {
  type Edge = readonly [one: number, other: number, weight: number];
  /**
   * A matching of maximum weight, or with `isLargest` of maximum weight among the largest. Returns the mate of each
   * vertex or -1; vertices after the last one with an edge are missing.
   */
  export default function blossom(edges: readonly Edge[], isLargest?: boolean): number[];
}
