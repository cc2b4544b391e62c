import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DifferenceConstraints } from './difference-constraints.js';

test('instants are placed as early as their bounds allow', () => {
  const differences = new DifferenceConstraints();
  const [a, b] = [differences.addInstant(), differences.addInstant()];
  differences.addBound(0, a, 10);
  differences.addBound(a, b, 5);
  expect(differences.earliest(a)).toBe(10);
  expect(differences.earliest(b)).toBe(15);
});

test('a query leaves no constraint behind', () => {
  const differences = new DifferenceConstraints();
  const a = differences.addInstant();
  differences.addBound(0, a, 10);
  const tooSoon = () => differences.addBound(a, 0, -5);
  expect(differences.isConsistentWith(tooSoon)).toBe(false);
  expect(differences.isConsistentWith(() => differences.addBound(a, 0, -10))).toBe(true);
});

test('bounds between four instants have a solution if and only if brute force over integers finds one', () => {
  const bound = fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: -3, max: 3 }));
  const places = [...Array(10 ** 3).keys()].map((n) => [
    0,
    n % 10,
    Math.floor(n / 10) % 10,
    Math.floor(n / 100),
  ]);
  fc.assert(
    fc.property(fc.array(bound, { maxLength: 7 }), (bounds) => {
      const differences = new DifferenceConstraints();
      for (let i = 0; i < 3; i++) {
        const instant = differences.addInstant();
        differences.addBound(0, instant, 0);
      }
      const isPossible = differences.isConsistentWith(() => {
        for (const [from, to, least] of bounds) differences.addBound(from, to, least);
      });
      const isFound = places.some((place) =>
        bounds.every(([from, to, least]) => place[to] - place[from] >= least),
      );
      expect(isPossible).toBe(isFound);
    }),
    { seed: 1, numRuns: 300 },
  );
});
