import { describe, expect, test } from 'vitest';
import { blocked } from '../../spec/spec.js';
import { event, latch } from './event.js';

const { initial, methods, readOnly } = event();

test('a waiting call returns when the event is set', () => {
  expect(methods.wait(false)).toBe(blocked);
  expect(methods.wait(true)).toEqual([true, undefined]);
});

test('an event is set until it is reset', () => {
  expect(methods.set(false)).toEqual([true, undefined]);
  expect(methods.reset(true)).toEqual([false, undefined]);
  expect(methods.isSet(true)).toEqual([true, true]);
  expect(methods.isSet(false)).toEqual([false, false]);
});

test('an event is not set by default', () => {
  expect(initial).toBe(false);
  expect(event({ initial: true }).initial).toBe(true);
  expect(() => event({ initial: 1 as never })).toThrow('initial of an event: expected true or false; got 1');
});

test('wait and isSet are read-only', () => {
  expect(readOnly?.('wait', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('isSet', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('set', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});

describe('latch', () => {
  const { initial, methods, readOnly } = latch();

  test('a waiting call returns when the count is 0', () => {
    expect(methods.wait(1)).toBe(blocked);
    expect(methods.wait(0)).toEqual([0, undefined]);
  });

  test('signals count down, but not below 0', () => {
    expect(methods.signal(2)).toEqual([1, undefined]);
    expect(methods.signal(3, 2)).toEqual([1, undefined]);
    expect(methods.signal(1, 2)).toEqual([0, undefined]);
    expect(methods.count(2)).toEqual([2, 2]);
  });

  test('the count is 1 by default', () => {
    expect(initial).toBe(1);
    expect(latch({ count: 3 }).initial).toBe(3);
    expect(() => latch({ count: 1.5 })).toThrow(
      'count of a latch: expected a whole number, 0 or more; got 1.5',
    );
  });

  test('a signal that is no number is an error', () => {
    expect(() => methods.signal(1, 'x' as never)).toThrow(
      'n of signal(n): expected a whole number, 0 or more; got "x"',
    );
  });

  test('wait and count are read-only', () => {
    expect(readOnly?.('wait', [], { kind: 'pending' }, () => false)).toBe(true);
    expect(readOnly?.('count', [], { kind: 'pending' }, () => false)).toBe(true);
    expect(readOnly?.('signal', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
  });
});
