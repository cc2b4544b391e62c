import { expect, test } from 'vitest';
import { blocked, threw } from '../../spec/spec.js';
import { mutex } from './mutex.js';

const { initial, methods, readOnly } = mutex();

test('who wants a locked mutex waits', () => {
  expect(methods.lock(initial)).toEqual([true, undefined]);
  expect(methods.lock(true)).toBe(blocked);
});

test('unlock frees it, and is an error where it is free', () => {
  expect(methods.unlock(true)).toEqual([false, undefined]);
  expect(methods.unlock(false)).toEqual([false, threw('NotLocked')]);
});

test('tryLock does not wait', () => {
  expect(methods.tryLock(false)).toEqual([true, true]);
  expect(methods.tryLock(true)).toEqual([true, false]);
});

test('what failed changes nothing', () => {
  expect(readOnly?.('tryLock', [], { kind: 'returned', value: false }, () => false)).toBe(true);
  expect(readOnly?.('unlock', [], { kind: 'threw', error: 'NotLocked' }, () => false)).toBe(true);
  expect(readOnly?.('tryLock', [], { kind: 'returned', value: true }, () => false)).toBe(false);
  expect(readOnly?.('tryLock', [], { kind: 'pending' }, () => false)).toBe(false);
  expect(readOnly?.('unlock', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});
