import { expect, test } from 'vitest';
import { mapPrevious } from './map-previous.js';

const { initial, methods, part, readOnly, family } = mapPrevious<string, unknown>();
const one = new Map([['k', 1]]);

test('mutators answer with the previous value', () => {
  expect(methods.put(one, 'k', 2)).toEqual([new Map([['k', 2]]), 1]);
  expect(methods.remove(one, 'k')).toEqual([new Map(), 1]);
  expect(methods.append(new Map([['k', 'a']]), 'k', 'b')).toEqual([new Map([['k', 'ab']]), 'a']);
});

test('the previous value of an absent key is null, or as told', () => {
  expect(methods.put(initial, 'k', 1)).toEqual([one, null]);
  expect(methods.remove(initial, 'k')).toEqual([initial, null]);
  expect(methods.append(initial, 'k', 'b')).toEqual([new Map([['k', 'b']]), null]);
  expect(mapPrevious({ initial: 0 }).methods.remove(new Map(), 'k')).toEqual([new Map(), 0]);
});

test('get, cas and getOrElseUpdate answer as those of a map', () => {
  expect(methods.get(one, 'k')).toEqual([one, 1]);
  expect(methods.cas(one, 'k', 1, 2)).toEqual([new Map([['k', 2]]), true]);
  expect(methods.getOrElseUpdate(one, 'k', 2)).toEqual([one, 1]);
});

test('a removal is never known to change nothing', () => {
  expect(readOnly?.('remove', ['k'], { kind: 'returned', value: false }, () => false)).toBe(false);
  expect(readOnly?.('remove', ['k'], { kind: 'returned', value: null }, () => false)).toBe(false);
  expect(readOnly?.('get', ['k'], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('cas', ['k', 1, 2], { kind: 'returned', value: false }, () => false)).toBe(true);
});

test('it has the parts and the roles of a map', () => {
  expect(part?.('put', ['k', 1])).toBe('k');
  expect(family).toMatchObject({ kind: 'map-previous', roles: { put: 'put', append: 'append' } });
});
