import { expect, test } from 'vitest';
import { fetchAndAdd } from './fetch-and-add.js';

const { methods, readOnly } = fetchAndAdd();

test('add tells what was there before', () => {
  expect(methods.add(5, 2)).toEqual([7, 5]);
  expect(methods.add(5, -6)).toEqual([-1, 5]);
  expect(methods.read(7)).toEqual([7, 7]);
});

test('it starts at 0, or as told, also as a bigint', () => {
  expect(fetchAndAdd().initial).toBe(0);
  expect(fetchAndAdd({ initial: 9 }).initial).toBe(9);
  expect(fetchAndAdd({ initial: 1n }).methods.add(1n, 1n)).toEqual([2n, 1n]);
});

test('to add what is no number is an error that says so', () => {
  expect(() => methods.add(0, null as never)).toThrow('n of add(n) is a finite number or a bigint, not null');
});

test('to add 0 is to read', () => {
  expect(readOnly?.('add', [0], { kind: 'returned', value: 3 }, () => false)).toBe(true);
  expect(readOnly?.('add', [1], { kind: 'returned', value: 3 }, () => false)).toBe(false);
  expect(readOnly?.('read', [], { kind: 'pending' }, () => false)).toBe(true);
});
