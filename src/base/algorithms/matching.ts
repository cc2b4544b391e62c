/** Matchings: Hopcroft–Karp for bipartite graphs, Edmonds' blossoms for general ones. */

const NONE = -1;

/**
 * Extends the matching `mate` to a maximum one of a bipartite graph.
 *
 *   J. Hopcroft, R. Karp. An n^(5/2) algorithm for maximum matchings in bipartite graphs. SIAM J. Comput. 2, 1973.
 *
 * In each round all unmatched left vertices search simultaneously, level by level. Then a maximal
 * set of disjoint shortest augmenting paths is applied. Cost: O(edges · √vertices).
 *
 * The neighbours of v are `edges[start[v]]` to `edges[start[v + 1] - 1]`. Edges join left vertices
 * to others only.
 */
export function hopcroftKarp(
  start: Int32Array,
  edges: Int32Array,
  isLeft: (v: number) => boolean,
  mate: Int32Array,
): void {
  const left: number[] = [];
  for (let v = 0; v < mate.length; v++) if (isLeft(v)) left.push(v);
  const level = new Int32Array(mate.length);
  const next = new Int32Array(mate.length);
  for (;;) {
    if (!reachesFree(start, edges, left, mate, level)) return;
    next.set(start.subarray(0, mate.length));
    for (const v of left) if (mate[v] === NONE) augment(v, start, edges, mate, level, next);
  }
}

/**
 * Sets `level` of each left vertex to the number of matched edges on a shortest path to it. Returns
 * whether an unmatched vertex is reachable.
 */
function reachesFree(
  start: Int32Array,
  edges: Int32Array,
  left: readonly number[],
  mate: Int32Array,
  level: Int32Array,
): boolean {
  level.fill(NONE);
  const queue = left.filter((v) => mate[v] === NONE);
  for (const v of queue) level[v] = 0;
  let isFree = false;
  for (let i = 0; i < queue.length; i++) {
    const v = queue[i];
    for (let j = start[v]; j < start[v + 1]; j++) {
      const other = mate[edges[j]];
      if (other === NONE) isFree = true;
      else if (level[other] === NONE) {
        level[other] = level[v] + 1;
        queue.push(other);
      }
    }
  }
  return isFree;
}

/**
 * Augments along a shortest path from a vertex, by ascending levels; `next` is the next edge to try
 * of each vertex.
 */
function augment(
  root: number,
  start: Int32Array,
  edges: Int32Array,
  mate: Int32Array,
  level: Int32Array,
  next: Int32Array,
): void {
  // left vertices of the path, and the vertex on the other side that follows each
  const path = [root];
  const partners: number[] = [];
  while (path.length > 0) {
    const v = path[path.length - 1];
    if (next[v] === start[v + 1]) {
      path.pop();
      partners.pop();
      continue;
    }
    const to = edges[next[v]++];
    const other = mate[to];
    if (other !== NONE && level[other] !== level[v] + 1) continue;
    partners.push(to);
    if (other !== NONE) {
      path.push(other);
      continue;
    }
    path.forEach((own, i) => {
      mate[own] = partners[i];
      mate[partners[i]] = own;
    });
    return;
  }
}

/**
 * Covers vertices of a general graph one by one, by augmenting paths.
 *
 *   J. Edmonds. Paths, trees, and flowers. Canadian Journal of Mathematics 17, 1965.
 *
 * From an unmatched vertex a tree of alternating paths is grown. Vertices at even distance are *outer*, the others
 * *inner*. An edge between two outer vertices closes an odd cycle (blossom), which is contracted to its *base*. A path to an
 * unmatched vertex covers both ends. A path to an outer vertex that may be uncovered covers the root instead of it.
 *
 * If neither exists, the tree shows why: the outer vertices form groups of odd size, by base. Groups are joined only
 * to inner vertices, and there is one group more than inner vertices (Tutte and Berge; without odd cycles, Hall).
 *
 * Covered vertices stay covered unless they may be uncovered. The coverable sets form a matroid, so vertices may be covered
 * in any order. Cost: O(edges · log) per vertex; only visited vertices are reset.
 */
export class Blossom {
  /** Vertex to its mate, or -1. */
  readonly mate: Int32Array;
  /** The neighbours of v are `edges[start[v]]` up to `edges[start[v + 1]]`. */
  readonly #start: Int32Array;
  readonly #edges: Int32Array;
  /** Vertex to its predecessor, for inner vertices and inside blossoms. */
  readonly #from: Int32Array;
  readonly #base: Int32Array;
  readonly #isOuter: Uint8Array;
  readonly #touched: number[] = [];
  /** Vertex to the last search for a common base that visited it. */
  readonly #seen: Int32Array;
  #search = 0;

  /** `mate` may be a matching to start from. */
  constructor(start: Int32Array, edges: Int32Array, mate?: Int32Array) {
    const vertices = start.length - 1;
    this.#start = start;
    this.#edges = edges;
    this.mate = mate ?? new Int32Array(vertices).fill(NONE);
    this.#from = new Int32Array(vertices).fill(NONE);
    this.#base = Int32Array.from({ length: vertices }, (_, v) => v);
    this.#isOuter = new Uint8Array(vertices);
    this.#seen = new Int32Array(vertices);
  }

  /** Covers a vertex if this is possible without uncovering a vertex that must stay covered. */
  cover(root: number, mayBeUncovered: (v: number) => boolean): boolean {
    if (this.mate[root] !== NONE) return true;
    this.#clear();
    const queue: number[] = [];
    const reach = (v: number): boolean => {
      this.#isOuter[v] = 1;
      this.#touched.push(v);
      queue.push(v);
      if (v === root || !mayBeUncovered(v)) return false;
      const mate = this.mate[v];
      this.mate[v] = NONE;
      this.#augment(mate);
      return true;
    };
    reach(root);
    for (let i = 0; i < queue.length; i++) {
      const v = queue[i];
      for (let j = this.#start[v]; j < this.#start[v + 1]; j++) {
        const to = this.#edges[j];
        if (this.#base[v] === this.#base[to] || this.mate[v] === to) continue;
        if (this.#isOuter[to]) {
          for (const member of this.#shrink(v, to)) if (reach(member)) return true;
        } else if (this.#from[to] === NONE) {
          this.#from[to] = v;
          this.#touched.push(to);
          if (this.mate[to] === NONE) {
            this.#augment(to);
            return true;
          }
          if (reach(this.mate[to])) return true;
        }
      }
    }
    return false;
  }

  /** After a failed `cover`: the groups, and the inner vertices between them. */
  obstacle(): { readonly groups: readonly (readonly number[])[]; readonly inner: readonly number[] } {
    const groups = new Map<number, number[]>();
    const inner = new Set<number>();
    for (const v of new Set(this.#touched)) {
      if (!this.#isOuter[v]) inner.add(v);
      else {
        const group = groups.get(this.#base[v]);
        if (group) group.push(v);
        else groups.set(this.#base[v], [v]);
      }
    }
    return { groups: [...groups.values()], inner: [...inner] };
  }

  #clear(): void {
    for (const v of this.#touched) {
      this.#from[v] = NONE;
      this.#base[v] = v;
      this.#isOuter[v] = 0;
    }
    this.#touched.length = 0;
  }

  /** Swaps matched and unmatched edges along the path from a vertex back to the root. */
  #augment(end: number): void {
    for (let v = end; v !== NONE; ) {
      const before = this.#from[v];
      const next = this.mate[before];
      this.mate[v] = before;
      this.mate[before] = v;
      v = next;
    }
  }

  /**
   * Contracts the blossom that an edge between two outer vertices closes. Returns its inner
   * vertices, which become outer.
   */
  #shrink(v: number, to: number): number[] {
    const top = this.#commonBase(v, to);
    const bases = new Set<number>();
    this.#markPath(v, top, to, bases);
    this.#markPath(to, top, v, bases);
    const becameOuter: number[] = [];
    for (const member of this.#touched) {
      if (!bases.has(this.#base[member])) continue;
      this.#base[member] = top;
      if (!this.#isOuter[member]) becameOuter.push(member);
    }
    return [...new Set(becameOuter)];
  }

  #markPath(from: number, top: number, other: number, bases: Set<number>): void {
    let child = other;
    for (let v = from; this.#base[v] !== top; v = this.#from[child]) {
      bases.add(this.#base[v]).add(this.#base[this.mate[v]]);
      this.#from[v] = child;
      child = this.mate[v];
    }
  }

  #commonBase(a: number, b: number): number {
    const search = ++this.#search;
    for (let v = this.#base[a]; ; v = this.#base[this.#from[this.mate[v]]]) {
      this.#seen[v] = search;
      if (this.mate[v] === NONE) break;
    }
    let v = this.#base[b];
    while (this.#seen[v] !== search) v = this.#base[this.#from[this.mate[v]]];
    return v;
  }
}
