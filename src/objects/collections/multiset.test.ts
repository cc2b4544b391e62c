import { expect, test } from 'vitest';
import { multiset } from './multiset.js';

const { initial, methods, part, readOnly } = multiset<unknown>();

test('a key can be added many times', () => {
  expect(methods.add(initial, 1)).toEqual([new Map([[1, 1]]), undefined]);
  expect(methods.add(new Map([[1, 1]]), 1)).toEqual([new Map([[1, 2]]), undefined]);
});

test('remove takes out one', () => {
  expect(methods.remove(new Map([[1, 2]]), 1)).toEqual([new Map([[1, 1]]), true]);
  expect(methods.remove(new Map([[1, 1]]), 1)).toEqual([new Map(), true]);
  expect(methods.remove(initial, 1)).toEqual([new Map(), false]);
});

test('contains tells whether there is one', () => {
  expect(methods.contains(new Map([[1, 2]]), 1)).toEqual([new Map([[1, 2]]), true]);
  expect(methods.contains(initial, 1)).toEqual([new Map(), false]);
});

test('keys are equal by content', () => {
  expect(methods.add(new Map([[[1], 1]]), [1])).toEqual([new Map([[[1], 2]]), undefined]);
  expect(methods.remove(new Map([[[1], 1]]), [1])).toEqual([new Map(), true]);
});

test('a multiset starts with the keys it is told', () => {
  expect(multiset({ initial: ['a', 'b', 'a'] }).initial).toEqual(new Map(Object.entries({ a: 2, b: 1 })));
});

test('each key is a part', () => {
  expect(part?.('add', ['a'])).toBe('a');
  expect(part?.('contains', [null])).not.toBe(part?.('contains', ['null']));
});

test('a removal that found nothing changes nothing', () => {
  expect(readOnly?.('remove', [1], { kind: 'returned', value: false }, () => false)).toBe(true);
  expect(readOnly?.('remove', [1], { kind: 'returned', value: true }, () => false)).toBe(false);
  expect(readOnly?.('add', [1], { kind: 'returned', value: undefined }, () => false)).toBe(false);
  expect(readOnly?.('contains', [1], { kind: 'pending' }, () => false)).toBe(true);
});
