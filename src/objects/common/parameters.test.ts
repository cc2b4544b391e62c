import { expect, test } from 'vitest';
import { isEqual, isEqualOrNullish } from './parameters.js';

test('numbers are compared by Object.is, but 0 equals -0', () => {
  expect(isEqual(0, -0)).toBe(true);
  expect(isEqual(Number.NaN, Number.NaN)).toBe(true);
  expect(isEqual(1, 1n)).toBe(false);
  expect(isEqual(1, '1')).toBe(false);
});

test('objects and arrays are equal by content', () => {
  expect(isEqual({ a: [1, -0] }, { a: [1, 0] })).toBe(true);
  expect(isEqual([1, 2], [12])).toBe(false);
  expect(isEqual([], {})).toBe(false);
  expect(isEqual(null, {})).toBe(false);
});

test('null and undefined are equal in files only', () => {
  expect(isEqual(null, undefined)).toBe(false);
  expect(isEqualOrNullish(null, undefined)).toBe(true);
  expect(isEqualOrNullish(null, 0)).toBe(false);
});
