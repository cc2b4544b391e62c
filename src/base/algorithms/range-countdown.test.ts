import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Countdowns } from './range-countdown.js';

const told = (countdowns: Countdowns): number[] => [...countdowns.zeros.subarray(0, countdowns.count)];

test('each counter is told when it reaches zero, and only then', () => {
  const stretches = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 1, maxLength: 21 }),
      stretches,
      (counts, cuts) => {
        const plain = [...counts];
        const countdowns = new Countdowns(Int32Array.from(counts));
        expect(told(countdowns)).toEqual(indicesOf(plain, 0));
        for (const [a, b] of cuts) {
          const [begin, end] = [Math.min(a, b, counts.length), Math.min(Math.max(a, b), counts.length)];
          if (plain.slice(begin, end).some((count) => count <= 0)) continue;
          for (let i = begin; i < end; i++) plain[i]--;
          countdowns.lower(begin, end);
          expect(told(countdowns)).toEqual(indicesOf(plain, 0).filter((i) => i >= begin && i < end));
        }
      },
    ),
  );
});

const indicesOf = (items: readonly number[], item: number): number[] =>
  items.flatMap((own, i) => (own === item ? [i] : []));
