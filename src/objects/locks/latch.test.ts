import { expect, test } from 'vitest';
import { blocked } from '../../spec/spec.js';
import { latch } from './latch.js';

const { initial, methods, readOnly } = latch();

test('who waits goes on when the count is 0', () => {
  expect(methods.wait(1)).toBe(blocked);
  expect(methods.wait(0)).toEqual([0, undefined]);
});

test('signals count down, but not below 0', () => {
  expect(methods.signal(2)).toEqual([1, undefined]);
  expect(methods.signal(3, 2)).toEqual([1, undefined]);
  expect(methods.signal(1, 2)).toEqual([0, undefined]);
  expect(methods.count(2)).toEqual([2, 2]);
});

test('the count is 1 at first, or as told', () => {
  expect(initial).toBe(1);
  expect(latch({ count: 3 }).initial).toBe(3);
  expect(() => latch({ count: 1.5 })).toThrow('the count of a latch is a whole number, 0 or more, not 1.5');
});

test('a signal that is no number is an error that says so', () => {
  expect(() => methods.signal(1, 'x' as never)).toThrow(
    'n of signal(n) is a whole number, 0 or more, not "x"',
  );
});

test('waiting and counting change nothing', () => {
  expect(readOnly?.('wait', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('count', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('signal', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});
