import { describe, expect, test } from 'vitest';
import { casRegister, register } from './register.js';

const { initial, methods, readOnly } = register<number>();

test('a read returns the value of the last write', () => {
  expect(methods.write(1, 2)).toEqual([2, undefined]);
  expect(methods.read(2)).toEqual([2, 2]);
});

test('the initial value is null by default', () => {
  expect(initial).toBe(null);
  expect(register({ initial: 0 }).initial).toBe(0);
  expect(register({ initial: undefined }).initial).toBe(undefined);
});

test('only reads are read-only', () => {
  const never = () => false;
  expect(readOnly?.('read', [], { kind: 'pending' }, never)).toBe(true);
  expect(readOnly?.('write', [1], { kind: 'returned', value: undefined }, never)).toBe(false);
});

describe('cas-register', () => {
  const { methods, readOnly } = casRegister<unknown>();
  const never = () => false;

  test('cas succeeds if and only if the old value is current', () => {
    expect(methods.cas(1, 1, 2)).toEqual([2, true]);
    expect(methods.cas(3, 1, 2)).toEqual([3, false]);
  });

  test('the old value is compared by content', () => {
    expect(methods.cas({ a: [1] }, { a: [1] }, 2)).toEqual([2, true]);
    expect(methods.cas(Number.NaN, Number.NaN, 2)).toEqual([2, true]);
    expect(methods.cas(-0, 0, 2)).toEqual([2, true]);
    expect(methods.cas('1', 1, 2)).toEqual(['1', false]);
    expect(methods.cas(null, undefined, 2)).toEqual([null, false]);
  });

  test('reads, writes and initial values are those of a register', () => {
    expect(methods.write(1, 2)).toEqual([2, undefined]);
    expect(methods.read(2)).toEqual([2, 2]);
    expect(casRegister({ initial: 5 }).initial).toBe(5);
    expect(casRegister().initial).toBe(null);
  });

  test('a failed cas and a cas to the same value are read-only', () => {
    expect(readOnly?.('cas', [1, 2], { kind: 'returned', value: false }, never)).toBe(true);
    expect(readOnly?.('cas', [[1], [1]], { kind: 'pending' }, never)).toBe(true);
    expect(readOnly?.('cas', [1, 2], { kind: 'returned', value: true }, never)).toBe(false);
    expect(readOnly?.('cas', [1, 2], { kind: 'pending' }, never)).toBe(false);
  });
});
