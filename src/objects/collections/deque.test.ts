import { expect, test } from 'vitest';
import { deque } from './deque.js';

const { initial, methods, readOnly } = deque<number>();

test('values come in at both ends', () => {
  expect(methods.pushFront([1], 2)).toEqual([[2, 1], undefined]);
  expect(methods.pushBack([1], 2)).toEqual([[1, 2], undefined]);
});

test('values leave at both ends', () => {
  expect(methods.popFront([1, 2, 3])).toEqual([[2, 3], 1]);
  expect(methods.popBack([1, 2, 3])).toEqual([[1, 2], 3]);
});

test('an empty deque answers null, or what it is told to', () => {
  expect(methods.popFront(initial)).toEqual([[], null]);
  expect(methods.popBack(initial)).toEqual([[], null]);
  expect(deque<number, string>({ empty: 'EMPTY' }).methods.popBack([])).toEqual([[], 'EMPTY']);
});

test('a deque starts with what it is told, the front first', () => {
  expect(deque({ initial: [1, 2] }).initial).toEqual([1, 2]);
});

test('an empty answer changes nothing where nobody pushes the empty value at either end', () => {
  const empty = { kind: 'returned', value: null } as const;
  for (const pop of ['popFront', 'popBack']) {
    expect(readOnly?.(pop, [], empty, () => false)).toBe(true);
    for (const push of ['pushFront', 'pushBack'])
      expect(readOnly?.(pop, [], empty, (method, value) => method === push && value === null)).toBe(false);
  }
  expect(readOnly?.('pushFront', [1], { kind: 'pending' }, () => false)).toBe(false);
});
