import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IntervalsByEnd, RangeCountdown, RangeXor } from './range-countdown.js';

const zerosOf = (countdowns: RangeCountdown): number[] => [...countdowns.zeros.subarray(0, countdowns.count)];

test('each counter is reported when it reaches zero, and only then', () => {
  const stretches = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 1, maxLength: 21 }),
      stretches,
      (counts, cuts) => {
        const plain = [...counts];
        const countdowns = new RangeCountdown(Int32Array.from(counts));
        expect(zerosOf(countdowns)).toEqual(indicesOf(plain, 0));
        for (const [a, b] of cuts) {
          const [begin, end] = [Math.min(a, b, counts.length), Math.min(Math.max(a, b), counts.length)];
          if (plain.slice(begin, end).some((count) => count <= 0)) continue;
          for (let i = begin; i < end; i++) plain[i]--;
          countdowns.lower(begin, end);
          expect(zerosOf(countdowns)).toEqual(indicesOf(plain, 0).filter((i) => i >= begin && i < end));
        }
      },
    ),
  );
});

const indicesOf = (items: readonly number[], item: number): number[] =>
  items.flatMap((own, i) => (own === item ? [i] : []));

describe('interval-ends', () => {
  test('the intervals of a range that end after a point are found, each once', () => {
    const question = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1, max: 20 }), { minLength: 1, maxLength: 20 }),
        fc.array(question, { maxLength: 20 }),
        (ends, questions) => {
          const plain = [...ends];
          const spans = new IntervalsByEnd(Int32Array.from(ends));
          for (const [begin, end, point] of questions) {
            spans.take(begin, end, point);
            const expected = plain.flatMap((own, i) => (i >= begin && i < end && own > point ? [i] : []));
            expect([...spans.found.subarray(0, spans.count)]).toEqual(expected);
            for (const i of expected) plain[i] = -1;
          }
        },
      ),
    );
  });
});

describe('range-xor', () => {
  test('each position has the xor sum of the numbers toggled over it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(1_000))), (changes) => {
        const plain = new Array<number>(20).fill(0);
        const toggles = new RangeXor(20);
        for (const [a, b, number] of changes) {
          const [begin, end] = [Math.min(a, b), Math.max(a, b)];
          for (let i = begin; i < end; i++) plain[i] ^= number;
          toggles.toggle(begin, end, number);
        }
        expect(plain.map((_, place) => toggles.at(place))).toEqual(plain);
      }),
    );
  });
});
