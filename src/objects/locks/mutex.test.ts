import { describe, expect, test } from 'vitest';
import { blocked, threw } from '../../spec/spec.js';
import { mutex, ownedMutex, semaphore } from './mutex.js';

const { initial, methods, readOnly } = mutex();

test('a call of lock blocks while the mutex is locked', () => {
  expect(methods.lock(initial)).toEqual([true, undefined]);
  expect(methods.lock(true)).toBe(blocked);
});

test('unlock frees a locked mutex, and throws if it is free', () => {
  expect(methods.unlock(true)).toEqual([false, undefined]);
  expect(methods.unlock(false)).toEqual([false, threw('NotLocked')]);
});

test('tryLock does not block', () => {
  expect(methods.tryLock(false)).toEqual([true, true]);
  expect(methods.tryLock(true)).toEqual([true, false]);
});

test('failed calls are read-only', () => {
  expect(readOnly?.('tryLock', [], { kind: 'returned', value: false }, () => false)).toBe(true);
  expect(readOnly?.('unlock', [], { kind: 'threw', error: 'NotLocked' }, () => false)).toBe(true);
  expect(readOnly?.('tryLock', [], { kind: 'returned', value: true }, () => false)).toBe(false);
  expect(readOnly?.('tryLock', [], { kind: 'pending' }, () => false)).toBe(false);
  expect(readOnly?.('unlock', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});

describe('owned-mutex', () => {
  const { initial, methods, readOnly } = ownedMutex<string | null>();
  const byAnn = { owner: 'ann' };

  test('a call of lock blocks while the mutex is locked, also by its owner', () => {
    expect(methods.lock(initial, 'ann')).toEqual([byAnn, undefined]);
    expect(methods.lock(byAnn, 'bob')).toBe(blocked);
    expect(methods.lock(byAnn, 'ann')).toBe(blocked);
  });

  test('only the owner can unlock a mutex', () => {
    expect(methods.unlock(byAnn, 'ann')).toEqual([null, undefined]);
    expect(methods.unlock(byAnn, 'bob')).toEqual([byAnn, threw('NotOwner')]);
    expect(methods.unlock(null, 'ann')).toEqual([null, threw('NotLocked')]);
  });

  test('tryLock does not block', () => {
    expect(methods.tryLock(null, 'ann')).toEqual([byAnn, true]);
    expect(methods.tryLock(byAnn, 'ann')).toEqual([byAnn, false]);
  });

  test('null can be the owner', () => {
    expect(methods.lock({ owner: null }, 'ann')).toBe(blocked);
    expect(methods.unlock({ owner: null }, null)).toEqual([null, undefined]);
  });

  test('failed calls are read-only', () => {
    expect(readOnly?.('tryLock', ['ann'], { kind: 'returned', value: false }, () => false)).toBe(true);
    expect(readOnly?.('unlock', ['ann'], { kind: 'threw', error: 'NotOwner' }, () => false)).toBe(true);
    expect(readOnly?.('lock', ['ann'], { kind: 'returned', value: undefined }, () => false)).toBe(false);
  });
});

describe('semaphore', () => {
  const { initial, methods, readOnly } = semaphore();

  test('acquire blocks while there are too few permits', () => {
    expect(methods.acquire(2)).toEqual([1, undefined]);
    expect(methods.acquire(2, 2)).toEqual([0, undefined]);
    expect(methods.acquire(0)).toBe(blocked);
    expect(methods.acquire(2, 3)).toBe(blocked);
  });

  test('release adds permits, also without an acquire', () => {
    expect(methods.release(0)).toEqual([1, undefined]);
    expect(methods.release(1, 2)).toEqual([3, undefined]);
  });

  test('tryAcquire does not block', () => {
    expect(methods.tryAcquire(1)).toEqual([0, true]);
    expect(methods.tryAcquire(3, 2)).toEqual([1, true]);
    expect(methods.tryAcquire(1, 2)).toEqual([1, false]);
  });

  test('there is 1 permit by default', () => {
    expect(initial).toBe(1);
    expect(semaphore({ permits: 0 }).initial).toBe(0);
    expect(() => semaphore({ permits: -1 })).toThrow(
      'permits of a semaphore: expected a whole number, 0 or more; got -1',
    );
  });

  test('an invalid number of permits is an error', () => {
    expect(() => methods.acquire(1, 0.5)).toThrow(
      'n of acquire(n): expected a whole number, 0 or more; got 0.5',
    );
    expect(() => methods.release(1, -1)).toThrow(TypeError);
    expect(() => methods.tryAcquire(1, 'x' as never)).toThrow(TypeError);
  });

  test('calls that take no permit are read-only', () => {
    expect(readOnly?.('tryAcquire', [], { kind: 'returned', value: false }, () => false)).toBe(true);
    expect(readOnly?.('acquire', [0], { kind: 'pending' }, () => false)).toBe(true);
    expect(readOnly?.('acquire', [], { kind: 'pending' }, () => false)).toBe(false);
    expect(readOnly?.('release', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
  });
});
