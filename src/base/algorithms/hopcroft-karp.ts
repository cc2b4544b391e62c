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
