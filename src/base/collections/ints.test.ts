import { expect, test } from 'vitest';
import { distinct, grown, pick, range } from './ints.js';

test('lists of integers: a range, a choice, a larger copy', () => {
  expect([...range(3)]).toEqual([0, 1, 2]);
  expect([...pick(Int32Array.of(5, 6, 7), Int32Array.of(2, 0, 2))]).toEqual([7, 5, 7]);
  expect(grown(Int32Array.of(1, 2), 3)).toEqual(Int32Array.of(1, 2, 0, 0));
  expect(grown(Int32Array.of(1), 5)).toHaveLength(5);
});

test('distinct items are in order of first occurrence', () => {
  expect(distinct(Int32Array.of(3, 0, 3, 1_000_000, 64, 0, 64, 1_000_000))).toEqual([3, 0, 1_000_000, 64]);
  expect(distinct(new Int32Array())).toEqual([]);
});
