import { expect, test } from 'vitest';
import { blocked } from '../../spec/spec.js';
import { semaphore } from './semaphore.js';

const { initial, methods, readOnly } = semaphore();

test('who finds too few permits waits', () => {
  expect(methods.acquire(2)).toEqual([1, undefined]);
  expect(methods.acquire(2, 2)).toEqual([0, undefined]);
  expect(methods.acquire(0)).toBe(blocked);
  expect(methods.acquire(2, 3)).toBe(blocked);
});

test('release gives permits, also ones that nobody took', () => {
  expect(methods.release(0)).toEqual([1, undefined]);
  expect(methods.release(1, 2)).toEqual([3, undefined]);
});

test('tryAcquire does not wait', () => {
  expect(methods.tryAcquire(1)).toEqual([0, true]);
  expect(methods.tryAcquire(3, 2)).toEqual([1, true]);
  expect(methods.tryAcquire(1, 2)).toEqual([1, false]);
});

test('there is 1 permit at first, or as many as told', () => {
  expect(initial).toBe(1);
  expect(semaphore({ permits: 0 }).initial).toBe(0);
  expect(() => semaphore({ permits: -1 })).toThrow(
    'the permits of a semaphore is a whole number, 0 or more, not -1',
  );
});

test('a number of permits that is none is an error that says so', () => {
  expect(() => methods.acquire(1, 0.5)).toThrow('n of acquire(n) is a whole number, 0 or more, not 0.5');
  expect(() => methods.release(1, -1)).toThrow(TypeError);
  expect(() => methods.tryAcquire(1, 'x' as never)).toThrow(TypeError);
});

test('who took nothing changed nothing', () => {
  expect(readOnly?.('tryAcquire', [], { kind: 'returned', value: false }, () => false)).toBe(true);
  expect(readOnly?.('acquire', [0], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('acquire', [], { kind: 'pending' }, () => false)).toBe(false);
  expect(readOnly?.('release', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});
