/**
 * Matchings in any graph: vertices are covered one after another, by augmenting paths.
 *
 *   J. Edmonds. Paths, trees, and flowers. Canadian Journal of Mathematics 17, 1965.
 *
 * From a vertex that has no mate a tree of alternating paths is grown. Vertices at even distance are
 * *outer*, the others in it *inner*. An edge between two outer ones closes a cycle of odd length, which is
 * shrunk to one outer vertex: its *base*. A path that ends in a vertex without a mate covers both ends; one
 * that ends in an outer vertex that may be left alone covers the root instead of it.
 *
 * Where neither is found there is none, and the tree shows why: the outer vertices fall into groups, by base, of
 * odd size, that are joined only inside and to the inner ones, and there is one group more than inner ones
 * (Tutte and Berge; without odd cycles, Hall).
 *
 * Those who are covered stay so, or may be left alone; to cover some set of vertices is possible exactly when it
 * is one after another, in any order (it is a matroid). Cost: O(edges · log) a vertex; only what is touched is cleared.
 */

/**
 * The largest matching between two sides.
 *
 *   J. Hopcroft, R. Karp. An n^(5/2) algorithm for maximum matchings in bipartite graphs. SIAM J. Comput. 2, 1973.
 *
 * In each round all left vertices without a mate search at once, level by level; then shortest augmenting
 * paths that do not touch are taken, as many as there are. There are at most √n rounds that change much.
 *
 * Cost: O(edges · √vertices).
 */
const NONE = -1;

/**
 * Makes `mate`, which may be a matching to start from, as large as it can be. The neighbours of v are
 * `edges[start[v]]` up to `edges[start[v + 1]]`; edges join left vertices to others only.
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

/** Left vertex to how many mates are on the way to it; is there a way on to one without a mate? */
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

/** Takes a shortest path from a vertex, along the levels; `next` is the edge to go on with of each. */
function augment(
  root: number,
  start: Int32Array,
  edges: Int32Array,
  mate: Int32Array,
  level: Int32Array,
  next: Int32Array,
): void {
  // left vertices on the way, and the one on the other side that each goes on to
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

export class Blossom {
  /** Vertex to its mate, or -1. */
  readonly mate: Int32Array;
  /** The neighbours of v are `edges[start[v]]` up to `edges[start[v + 1]]`. */
  readonly #start: Int32Array;
  readonly #edges: Int32Array;
  /** Vertex to the one from which it was reached, as an inner one or inside an odd cycle. */
  readonly #from: Int32Array;
  readonly #base: Int32Array;
  readonly #isOuter: Uint8Array;
  readonly #touched: number[] = [];
  /** Vertex to the last number of a search for a common base that saw it. */
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

  /** Covers a vertex, if that can be without uncovering one that may not be left alone. */
  cover(root: number, mayBeAlone: (v: number) => boolean): boolean {
    if (this.mate[root] !== NONE) return true;
    this.#clear();
    const queue: number[] = [];
    const reach = (v: number): boolean => {
      this.#isOuter[v] = 1;
      this.#touched.push(v);
      queue.push(v);
      if (v === root || !mayBeAlone(v)) return false;
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

  /** After a vertex could not be covered: the groups, and the inner vertices between them. */
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

  /** Changes mates along the path from a vertex back to the root. */
  #augment(end: number): void {
    for (let v = end; v !== NONE; ) {
      const before = this.#from[v];
      const next = this.mate[before];
      this.mate[v] = before;
      this.mate[before] = v;
      v = next;
    }
  }

  /** Two outer vertices are joined: their cycle becomes one; gives the inner vertices of it, which are outer now. */
  #shrink(v: number, to: number): number[] {
    const top = this.#commonBase(v, to);
    const bases = new Set<number>();
    this.#markPath(v, top, to, bases);
    this.#markPath(to, top, v, bases);
    const fresh: number[] = [];
    for (const member of this.#touched) {
      if (!bases.has(this.#base[member])) continue;
      this.#base[member] = top;
      if (!this.#isOuter[member]) fresh.push(member);
    }
    return [...new Set(fresh)];
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
