import { expect, test } from 'vitest';
import { ListInterner } from './interners.js';

const numberOf = (lists: ListInterner, items: readonly number[]): number =>
  lists.intern(Int32Array.from(items), items.length);

test('equal lists have equal numbers, in order of first occurrence', () => {
  const lists = new ListInterner();
  const given = [[], [1], [1, 2], [2, 1], [], [1, 2], [0], [-1], [0, 0], [1]];
  expect(given.map((items) => numberOf(lists, items))).toEqual([0, 1, 2, 3, 0, 2, 4, 5, 6, 1]);
});

test('a list is known once it has a number', () => {
  const lists = new ListInterner();
  expect(lists.has(Int32Array.of(1, 2), 2)).toBe(false);
  expect(numberOf(lists, [1, 2])).toBe(0);
  expect([2, 1].map((length) => lists.has(Int32Array.of(1, 2), length))).toEqual([true, false]);
});

test('many lists, some of them long, are distinguished', () => {
  const lists = new ListInterner();
  const listOf = (i: number) => Array.from({ length: i % 7 === 0 ? 2_000 : i % 5 }, (_, j) => i ^ j);
  const known = new Map<string, number>();
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 3_000; i++) {
      const key = listOf(i).join();
      const number = numberOf(lists, listOf(i));
      expect(number).toBe(known.get(key) ?? known.size);
      known.set(key, number);
    }
});
