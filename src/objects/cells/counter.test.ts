import { describe, expect, test } from 'vitest';
import { counter, fetchAndAdd } from './counter.js';

const { methods, readOnly } = counter();

test('a counter is incremented and decremented, by 1 by default', () => {
  expect(methods.increment(5)).toEqual([6, undefined]);
  expect(methods.increment(5, 3)).toEqual([8, undefined]);
  expect(methods.decrement(5)).toEqual([4, undefined]);
  expect(methods.decrement(5, 7)).toEqual([-2, undefined]);
  expect(methods.read(5)).toEqual([5, 5]);
});

test('a counter starts at 0 or at its initial value', () => {
  expect(counter().initial).toBe(0);
  expect(counter({ initial: -3 }).initial).toBe(-3);
});

test('sums beyond 2^53 are exact bigints, and smaller ones are numbers', () => {
  const largest = Number.MAX_SAFE_INTEGER;
  expect(methods.increment(largest)).toEqual([2n ** 53n, undefined]);
  expect(methods.decrement(2n ** 53n)).toEqual([largest, undefined]);
  expect(counter({ initial: 2 ** 60 }).initial).toBe(2n ** 60n);
});

test('a counter that starts as 0n counts in bigints', () => {
  const { methods, initial } = counter({ initial: 0n });
  expect(initial).toBe(0n);
  expect(methods.increment(0n, 2n)).toEqual([2n, undefined]);
  expect(methods.decrement(2n)).toEqual([1n, undefined]);
});

test('an argument that is no number is an error', () => {
  expect(() => methods.increment(0, 'x' as never)).toThrow(
    new TypeError('n of increment(n): expected a finite number or a bigint; got "x"'),
  );
  expect(() => methods.decrement(0, Number.NaN)).toThrow(TypeError);
  expect(() => methods.increment(0.5, 1n)).toThrow('cannot add the fraction 0.5');
  expect(() => counter({ initial: '0' as never })).toThrow('initial of a counter');
});

test('reads and additions of 0 are read-only', () => {
  expect(readOnly?.('read', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('increment', [0], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('decrement', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});

describe('fetch-and-add', () => {
  const { methods, readOnly } = fetchAndAdd();

  test('add returns the previous value', () => {
    expect(methods.add(5, 2)).toEqual([7, 5]);
    expect(methods.add(5, -6)).toEqual([-1, 5]);
    expect(methods.read(7)).toEqual([7, 7]);
  });

  test('it starts at 0 or at its initial value, also as a bigint', () => {
    expect(fetchAndAdd().initial).toBe(0);
    expect(fetchAndAdd({ initial: 9 }).initial).toBe(9);
    expect(fetchAndAdd({ initial: 1n }).methods.add(1n, 1n)).toEqual([2n, 1n]);
  });

  test('an argument that is no number is an error', () => {
    expect(() => methods.add(0, null as never)).toThrow(
      'n of add(n): expected a finite number or a bigint; got null',
    );
  });

  test('an addition of 0 is read-only', () => {
    expect(readOnly?.('add', [0], { kind: 'returned', value: 3 }, () => false)).toBe(true);
    expect(readOnly?.('add', [1], { kind: 'returned', value: 3 }, () => false)).toBe(false);
    expect(readOnly?.('read', [], { kind: 'pending' }, () => false)).toBe(true);
  });
});
