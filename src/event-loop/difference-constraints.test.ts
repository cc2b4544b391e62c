import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DifferenceConstraints } from './node-timers.js';

type Bound = readonly [from: number, to: number, least: number];

const bound = fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: -2, max: 2 }));

/** All places of four instants in which the first is 6. No bound reaches further. */
const places = [...Array(13 ** 3).keys()].map((n) => [
  6,
  n % 13,
  Math.floor(n / 13) % 13,
  Math.floor(n / 169),
]);
const solves = (place: readonly number[], bounds: readonly Bound[]) =>
  bounds.every(([from, to, least]) => place[to] - place[from] >= least);
const solutionsOf = (bounds: readonly Bound[]) => places.filter((place) => solves(place, bounds));

/** The system, or undefined if a bound is refused. */
function systemOf(bounds: readonly Bound[]): DifferenceConstraints | undefined {
  const system = new DifferenceConstraints(4);
  for (const [from, to, least] of bounds) {
    if (!system.allows(from, to, least)) return undefined;
    system.require(from, to, least);
  }
  return system;
}

test('a system has a solution, allows a bound and includes another if and only if brute force over integers says so', () => {
  fc.assert(
    fc.property(
      fc.array(bound, { maxLength: 6 }),
      fc.array(bound, { maxLength: 3 }),
      bound,
      (some, more, [from, to, least]) => {
        const solutions = solutionsOf(some);
        const system = systemOf(some);
        expect(system !== undefined).toBe(solutions.length > 0);
        if (!system) return;
        expect(system.allows(from, to, least)).toBe(
          solutions.some((place) => place[to] - place[from] >= least),
        );
        const other = systemOf(more);
        if (!other) return;
        const isIncluded = solutionsOf(more).every((place) => solves(place, some));
        expect(system.includes(other)).toBe(isIncluded);
      },
    ),
    { seed: 1, numRuns: 60 },
  );
});

test('a projection has the solutions of the system without the other instants, and equal systems have equal keys', () => {
  fc.assert(
    fc.property(fc.array(bound, { maxLength: 6 }), (bounds) => {
      const system = systemOf(bounds);
      if (!system) return;
      const projected = system.project([2, 0]);
      for (const [k, i] of [2, 0].entries())
        for (const [l, j] of [2, 0].entries()) expect(projected.least(k, l)).toBe(system.least(i, j));
      expect(systemOf([...bounds].reverse())?.key).toBe(system.key);
      const late = system.project([0, 1, 2, 3]);
      late.delay(1);
      expect(late.includes(system)).toBe(true);
      for (const j of [0, 2, 3]) {
        expect(late.allows(j, 1, 1_000)).toBe(true);
        expect(late.least(j, 1)).toBe(system.least(j, 1));
      }
    }),
    { seed: 1, numRuns: 100 },
  );
});
