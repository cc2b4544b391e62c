import { expect, test } from 'vitest';
import { blocked, threw } from '../../spec/spec.js';
import { ownedMutex } from './owned-mutex.js';

const { initial, methods, readOnly } = ownedMutex<string | null>();
const byAnn = { owner: 'ann' };

test('who wants a locked mutex waits, the owner too', () => {
  expect(methods.lock(initial, 'ann')).toEqual([byAnn, undefined]);
  expect(methods.lock(byAnn, 'bob')).toBe(blocked);
  expect(methods.lock(byAnn, 'ann')).toBe(blocked);
});

test('only the owner can unlock it', () => {
  expect(methods.unlock(byAnn, 'ann')).toEqual([null, undefined]);
  expect(methods.unlock(byAnn, 'bob')).toEqual([byAnn, threw('NotOwner')]);
  expect(methods.unlock(null, 'ann')).toEqual([null, threw('NotLocked')]);
});

test('tryLock does not wait', () => {
  expect(methods.tryLock(null, 'ann')).toEqual([byAnn, true]);
  expect(methods.tryLock(byAnn, 'ann')).toEqual([byAnn, false]);
});

test('null can own it', () => {
  expect(methods.lock({ owner: null }, 'ann')).toBe(blocked);
  expect(methods.unlock({ owner: null }, null)).toEqual([null, undefined]);
});

test('what failed changes nothing', () => {
  expect(readOnly?.('tryLock', ['ann'], { kind: 'returned', value: false }, () => false)).toBe(true);
  expect(readOnly?.('unlock', ['ann'], { kind: 'threw', error: 'NotOwner' }, () => false)).toBe(true);
  expect(readOnly?.('lock', ['ann'], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});
