import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Interner, isPrimitive } from './interner.js';

test('numbers are given in order of first sight, equal ones to equal values', () => {
  const interner = new Interner();
  const numbers = ['a', [1], 'a', [1], { x: 1 }, 0, -0, Number.NaN, Number.NaN, 1n, 1].map((value) =>
    interner.intern(value),
  );
  expect(numbers).toEqual([0, 1, 0, 1, 2, 3, 3, 4, 4, 5, 6]);
});

test('the first of the equal values is the one that is kept', () => {
  const interner = new Interner();
  const first = [1];
  interner.intern(first);
  interner.intern([1]);
  expect(interner.values).toHaveLength(1);
  expect(interner.values[0]).toBe(first);
});

test('only what was seen before is found, and looking adds nothing', () => {
  const interner = new Interner();
  interner.intern([1]);
  interner.intern(undefined);
  expect(interner.find([1])).toBe(0);
  expect(interner.find(undefined)).toBe(1);
  expect(interner.find([2])).toBeUndefined();
  expect(interner.find(null)).toBeUndefined();
  expect(interner.values).toHaveLength(2);
});

test('a string and the key of an object do not meet', () => {
  const interner = new Interner();
  expect(interner.intern('[1:1;')).not.toBe(interner.intern([1]));
});

test('an object that was changed is no longer found', () => {
  const interner = new Interner();
  const list = [1];
  interner.intern(list);
  list.push(2);
  expect(interner.find(list)).toBeUndefined();
});

test('each number leads back to an equal value', () => {
  fc.assert(
    fc.property(fc.array(fc.anything({ maxDepth: 2 })), (values) => {
      const interner = new Interner();
      const numbers = values.map((value) => interner.intern(value));
      expect(numbers.map((number) => interner.intern(interner.values[number]))).toEqual(numbers);
      expect(values.map((value) => interner.find(value))).toEqual(numbers);
      expect(new Set(numbers).size).toBe(interner.values.length);
    }),
  );
});

test('functions and objects are not primitive, null and symbols are', () => {
  expect([{}, [], () => 1, new Date()].some(isPrimitive)).toBe(false);
  expect([null, undefined, 1, 1n, '', false, Symbol('a')].every(isPrimitive)).toBe(true);
});
