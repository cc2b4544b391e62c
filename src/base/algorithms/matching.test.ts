import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Random } from '../random.js';
import { Blossom, hopcroftKarp } from './matching.js';

type Edge = readonly [number, number];

function graphOf(vertices: number, edges: readonly Edge[]) {
  const lists = Array.from({ length: vertices }, (): number[] => []);
  for (const [a, b] of edges) {
    lists[a].push(b);
    lists[b].push(a);
  }
  const start = Int32Array.from([0, ...lists.map((_, v) => lists.slice(0, v + 1).flat().length)]);
  return { start, edges: Int32Array.from(lists.flat()) };
}

/** Oracle: tries all matchings. Returns whether one covers all these vertices. */
function canCover(wanted: readonly number[], edges: readonly Edge[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return true;
  return edges.some(([a, b]) => {
    if (a !== first && b !== first) return false;
    return canCover(
      rest.filter((v) => v !== a && v !== b),
      edges.filter((edge) => !edge.includes(a) && !edge.includes(b)),
    );
  });
}

function expectMatching(mate: Int32Array, edges: readonly Edge[]): void {
  mate.forEach((other, v) => {
    if (other < 0) return;
    expect(mate[other]).toBe(v);
    expect(edges.some((edge) => edge.includes(v) && edge.includes(other))).toBe(true);
  });
}

describe('covering vertices', () => {
  test('agrees with brute force on random graphs, and gives an obstacle if there is no matching', () => {
    const random = new Random(7);
    for (let round = 0; round < share(3_000, 1_000); round++) {
      const vertices = 2 + random.below(8);
      const edges: Edge[] = [];
      for (let a = 0; a < vertices; a++)
        for (let b = a + 1; b < vertices; b++) if (random.below(3) === 0) edges.push([a, b]);
      const wanted = Array.from({ length: vertices }, (_, v) => v).filter(() => random.below(4) > 0);
      const graph = graphOf(vertices, edges);
      const blossom = new Blossom(graph.start, graph.edges);
      const failing = wanted.find((v) => !blossom.cover(v, (own) => !wanted.includes(own)));
      expect(failing === undefined).toBe(canCover(wanted, edges));
      expectMatching(blossom.mate, edges);
      if (failing === undefined) {
        for (const v of wanted) expect(blossom.mate[v]).toBeGreaterThanOrEqual(0);
        continue;
      }
      const { groups, inner } = blossom.obstacle();
      expect(groups.length).toBe(inner.length + 1);
      const groupOf = (v: number) => groups.findIndex((group) => group.includes(v));
      for (const group of groups) {
        expect(group.length % 2).toBe(1);
        for (const v of group) expect(wanted).toContain(v);
      }
      // outer vertices are joined inside their group and to inner ones only
      for (const [a, b] of edges)
        if (groupOf(a) >= 0 && groupOf(b) >= 0) expect(groupOf(a)).toBe(groupOf(b));
        else if (groupOf(a) >= 0) expect(inner).toContain(b);
        else if (groupOf(b) >= 0) expect(inner).toContain(a);
    }
  });
});

describe('a maximum bipartite matching', () => {
  test('has the size that single augmenting paths give, on random graphs', () => {
    const random = new Random(11);
    for (let round = 0; round < share(500, 200); round++) {
      const side = 1 + random.below(12);
      const edges: Edge[] = [];
      for (let a = 0; a < side; a++)
        for (let b = 0; b < side; b++) if (random.below(4) === 0) edges.push([a, side + b]);
      const graph = graphOf(2 * side, edges);
      const mate = new Int32Array(2 * side).fill(-1);
      hopcroftKarp(graph.start, graph.edges, (v) => v < side, mate);
      expectMatching(mate, edges);
      const blossom = new Blossom(graph.start, graph.edges);
      for (let v = 0; v < side; v++) blossom.cover(v, () => false);
      const size = (mates: Int32Array) => mates.filter((other) => other >= 0).length;
      expect(size(mate)).toBe(size(blossom.mate));
    }
  });

  test('is found in a long path without recursion', () => {
    const length = 200_000;
    const start = Int32Array.from({ length: length + 1 }, (_, v) => Math.max(0, 2 * v - 1));
    start[length] = 2 * (length - 1);
    const edges = new Int32Array(2 * (length - 1));
    for (let v = 0, end = 0; v < length; v++) {
      if (v > 0) edges[end++] = v - 1;
      if (v < length - 1) edges[end++] = v + 1;
    }
    const mate = new Int32Array(length).fill(-1);
    for (let v = 1; v < length - 1; v += 2) {
      mate[v] = v + 1;
      mate[v + 1] = v;
    }
    hopcroftKarp(start, edges, (v) => v % 2 === 0, mate);
    expect(mate.includes(-1)).toBe(false);
  });
});
