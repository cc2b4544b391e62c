import { expect, test } from 'vitest';
import { register } from './register.js';

const { initial, methods, readOnly } = register<number>();

test('a read gives what the last write wrote', () => {
  expect(methods.write(1, 2)).toEqual([2, undefined]);
  expect(methods.read(2)).toEqual([2, 2]);
});

test('a register starts as null, or as told', () => {
  expect(initial).toBe(null);
  expect(register({ initial: 0 }).initial).toBe(0);
  expect(register({ initial: undefined }).initial).toBe(undefined);
});

test('only a read leaves every state alone', () => {
  const never = () => false;
  expect(readOnly?.('read', [], { kind: 'pending' }, never)).toBe(true);
  expect(readOnly?.('write', [1], { kind: 'returned', value: undefined }, never)).toBe(false);
});
