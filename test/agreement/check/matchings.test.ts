/**
 * Matchings, against two independent packages: `bipartite-matching` (Hopcroft and Karp) and `edmonds-blossom`
 * (Edmonds, weighted).
 *
 * Compared are the sizes of matchings of random relations, and the verdicts on random histories of stateless objects
 * whose calls synchronise in pairs. `npm run test:nightly` checks over 100,000 histories; a plain test run a share.
 */
import findMatching from 'bipartite-matching';
import blossom from 'edmonds-blossom';
import { describe, expect, test } from 'vitest';
import { Blossom, hopcroftKarp } from '../../../src/base/algorithms/matching.js';
import { Random } from '../../../src/base/random.js';
import type { Algorithm } from '../../../src/check/algorithms.js';
import { check } from '../../../src/check/check.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import { rendezvousSubjects } from '../../support/fixtures/rendezvous-subjects.js';
import { randomRendezvous } from '../../support/generators/random-rendezvous.js';
import { truthByMatching } from '../../support/oracles/matching-oracle.js';

const isWhole = process.env.AGREE === 'all';
const RELATIONS = isWhole ? 20_000 : 1_000;
const HISTORIES = isWhole ? 15_000 : 200;
const MOST_CALLS = 14;
const ALGORITHMS: readonly Algorithm[] = ['auto', 'matching'];

type Edge = readonly [number, number];

/** A random subset of the pairs; its density differs from relation to relation. */
function randomEdges(random: Random, pairs: readonly Edge[]): Edge[] {
  const density = 1 + random.below(6);
  return pairs.filter(() => random.below(8) < density);
}

function neighbours(vertices: number, edges: readonly Edge[]) {
  const lists = Array.from({ length: vertices }, (): number[] => []);
  for (const [a, b] of edges) {
    lists[a].push(b);
    lists[b].push(a);
  }
  const start = new Int32Array(vertices + 1);
  lists.forEach((list, v) => {
    start[v + 1] = start[v] + list.length;
  });
  return { start, edges: Int32Array.from(lists.flat()) };
}

const sizeOf = (mate: ArrayLike<number>): number => Array.from(mate).filter((other) => other >= 0).length / 2;
const upTo = (n: number): number[] => Array.from({ length: n }, (_, v) => v);

describe('a largest matching has the size that the packages find', () => {
  test('bipartite relations', () => {
    const random = new Random(3);
    for (let round = 0; round < RELATIONS; round++) {
      const [lefts, rights] = [1 + random.below(12), 1 + random.below(12)];
      const pairs = upTo(lefts).flatMap((a) => upTo(rights).map((b): Edge => [a, lefts + b]));
      const edges = randomEdges(random, pairs);
      const graph = neighbours(lefts + rights, edges);
      const mate = new Int32Array(lefts + rights).fill(-1);
      hopcroftKarp(graph.start, graph.edges, (v) => v < lefts, mate);
      expect(sizeOf(mate)).toBe(
        findMatching(
          lefts,
          rights,
          edges.map(([a, b]) => [a, b - lefts]),
        ).length,
      );
      expect(sizeOf(mate)).toBe(sizeOf(blossom(edges.map(([a, b]) => [a, b, 1]))));
    }
  });

  test('general relations', () => {
    const random = new Random(5);
    for (let round = 0; round < RELATIONS; round++) {
      const vertices = 2 + random.below(16);
      const pairs = upTo(vertices).flatMap((a) => upTo(a).map((b): Edge => [b, a]));
      const edges = randomEdges(random, pairs);
      const graph = neighbours(vertices, edges);
      const own = new Blossom(graph.start, graph.edges);
      for (const v of upTo(vertices)) own.cover(v, () => false);
      expect(sizeOf(own.mate)).toBe(sizeOf(blossom(edges.map(([a, b]) => [a, b, 1]))));
    }
  });
});

/** Stateless objects whose calls synchronise in pairs, each with the method of one side if there are two sides. */
const LEFT: Readonly<Record<string, string | undefined>> = {
  channel: 'send',
  'filter-channel': 'send',
  'timeout-channel': 'send',
  'men-and-women': 'man',
  exchanger: undefined,
  'timeout-exchanger': undefined,
  near: undefined,
};

describe.each(
  rendezvousSubjects.filter(({ spec }) => spec.name in LEFT).map((own) => [own.spec.name, own] as const),
)('random histories of %s', (name, subject) => {
  test('get the verdict that the matchings of the packages give', () => {
    const random = new Random(42);
    const counts = { holds: 0, safety: 0, progress: 0 };
    for (let i = 0; i < HISTORIES; i++) {
      const history = randomRendezvous(subject, random, 2 + random.below(MOST_CALLS - 1));
      const truth = truthByMatching(history, subject.spec, LEFT[name]);
      const expected = !truth.safety ? 'safety' : truth.progress ? 'holds' : 'progress';
      counts[expected]++;
      for (const algorithm of ALGORITHMS) {
        const verdict = check(history, subject.spec, { algorithm });
        const actual = verdict.kind === 'violation' ? verdict.counterexample.property : 'holds';
        if (verdict.kind === 'undecided' || actual !== expected)
          throw new Error(
            `${algorithm} says ${verdict.kind}, ${actual}; matchings say ${expected}\n${draw(history)}`,
          );
      }
    }
    expect(Math.min(counts.holds, counts.safety, counts.progress)).toBeGreaterThan(0);
  });
});

test('every object in LEFT is among the subjects', () => {
  const names = new Set(rendezvousSubjects.map(({ spec }) => spec.name));
  expect(Object.keys(LEFT).filter((name) => !names.has(name))).toEqual([]);
});
