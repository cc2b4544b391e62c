import { expect, test } from 'vitest';
import { sameInFiles, sameValue } from './parameters.js';

test('numbers are equal as Object.is says, but 0 is -0', () => {
  expect(sameValue(0, -0)).toBe(true);
  expect(sameValue(Number.NaN, Number.NaN)).toBe(true);
  expect(sameValue(1, 1n)).toBe(false);
  expect(sameValue(1, '1')).toBe(false);
});

test('objects and arrays are equal by content', () => {
  expect(sameValue({ a: [1, -0] }, { a: [1, 0] })).toBe(true);
  expect(sameValue([1, 2], [12])).toBe(false);
  expect(sameValue([], {})).toBe(false);
  expect(sameValue(null, {})).toBe(false);
});

test('null and undefined are the same in files only', () => {
  expect(sameValue(null, undefined)).toBe(false);
  expect(sameInFiles(null, undefined)).toBe(true);
  expect(sameInFiles(null, 0)).toBe(false);
});
