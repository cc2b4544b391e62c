import { expect, test } from 'vitest';
import { casRegister } from './cas-register.js';

const { methods, readOnly } = casRegister<unknown>();
const never = () => false;

test('a swap succeeds exactly where the old value stands', () => {
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

test('it reads, writes and starts like a register', () => {
  expect(methods.write(1, 2)).toEqual([2, undefined]);
  expect(methods.read(2)).toEqual([2, 2]);
  expect(casRegister({ initial: 5 }).initial).toBe(5);
  expect(casRegister().initial).toBe(null);
});

test('a failed swap and a swap for the same value change nothing', () => {
  expect(readOnly?.('cas', [1, 2], { kind: 'returned', value: false }, never)).toBe(true);
  expect(readOnly?.('cas', [[1], [1]], { kind: 'pending' }, never)).toBe(true);
  expect(readOnly?.('cas', [1, 2], { kind: 'returned', value: true }, never)).toBe(false);
  expect(readOnly?.('cas', [1, 2], { kind: 'pending' }, never)).toBe(false);
});
