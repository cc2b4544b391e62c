import { expect, test } from 'vitest';
import { ABSENT_VALUE, differencesOf } from './difference.js';

test.each([
  ['equal values', { a: [1, 2] }, { a: [1, 2] }, []],
  ['a field', { a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, [['.b.c', 2, 3]]],
  [
    'elements',
    [1, 2, 3],
    [1, 4, 3, 5],
    [
      ['[1]', 2, 4],
      ['[3]', ABSENT_VALUE, 5],
    ],
  ],
  ['a field with a space', { 'a b': 1 }, { 'a b': 2 }, [['["a b"]', 1, 2]]],
  ['entries of maps', new Map([['x', 1]]), new Map([['x', 2]]), [['.get("x")', 1, 2]]],
  ['values of different kinds', { a: [1] }, { a: { 0: 1 } }, [['.a', [1], { 0: 1 }]]],
  ['primitives', 1, '1', [['', 1, '1']]],
  ['sets', new Set([1]), new Set([2]), [['', new Set([1]), new Set([2])]]],
])('%s', (_, left, right, expected) => {
  expect(differencesOf(left, right).map(({ path, left: a, right: b }) => [path, a, b])).toEqual(expected);
});
