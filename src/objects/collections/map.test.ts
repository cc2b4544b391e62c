import { describe, expect, test } from 'vitest';
import { blocked } from '../../spec/spec.js';
import { map, mapPrevious } from './map.js';

const { initial, methods, part, readOnly } = map<unknown, unknown>();
const never = () => false;
const one = new Map([['k', 1]]);

test('get returns the value of the last put', () => {
  expect(methods.put(initial, 'k', 1)).toEqual([one, undefined]);
  expect(methods.put(one, 'k', 2)).toEqual([new Map([['k', 2]]), undefined]);
  expect(methods.get(one, 'k')).toEqual([one, 1]);
});

test('an absent key has the value null or the initial value', () => {
  expect(methods.get(initial, 'k')).toEqual([initial, null]);
  expect(map({ initial: 0 }).methods.get(new Map(), 'k')).toEqual([new Map(), 0]);
  expect(map({ initial: undefined }).methods.get(new Map(), 'k')).toStrictEqual([new Map(), undefined]);
});

test('remove returns whether the key was present, for any value', () => {
  expect(methods.remove(one, 'k')).toEqual([new Map(), true]);
  expect(methods.remove(one, 'other')).toEqual([one, false]);
  expect(methods.remove(new Map([['k', null]]), 'k')).toEqual([new Map(), true]);
});

test('cas succeeds if and only if the old value is current', () => {
  expect(methods.cas(one, 'k', 1, 2)).toEqual([new Map([['k', 2]]), true]);
  expect(methods.cas(one, 'k', 3, 2)).toEqual([one, false]);
  expect(methods.cas(new Map([['k', [1]]]), 'k', [1], 2)).toEqual([new Map([['k', 2]]), true]);
});

test('cas compares with the default value of an absent key', () => {
  expect(methods.cas(initial, 'k', null, 1)).toEqual([one, true]);
  expect(methods.cas(initial, 'k', 0, 1)).toEqual([initial, false]);
  expect(map<string, number, number>({ initial: 0 }).methods.cas(new Map(), 'k', 0, 1)).toEqual([one, true]);
});

test('getOrElseUpdate returns the present value, or adds its own', () => {
  expect(methods.getOrElseUpdate(one, 'k', 2)).toEqual([one, 1]);
  expect(methods.getOrElseUpdate(initial, 'k', 1)).toEqual([one, 1]);
  expect(methods.getOrElseUpdate(new Map([['k', null]]), 'k', 1)).toEqual([new Map([['k', null]]), null]);
});

test('append extends the present text, or an empty one', () => {
  expect(methods.append(new Map([['k', 'ab']]), 'k', 'c')).toEqual([new Map([['k', 'abc']]), undefined]);
  expect(methods.append(initial, 'k', 'c')).toEqual([new Map([['k', 'c']]), undefined]);
  expect(map({ initial: '-' }).methods.append(new Map(), 'k', 'c')).toEqual([
    new Map([['k', '-c']]),
    undefined,
  ]);
});

test('append of a value that is no text is an error; append to such a value blocks', () => {
  expect(() => methods.append(initial, 'k', 5 as never)).toThrow(
    'text of append(key, text): expected a string; got 5',
  );
  expect(methods.append(one, 'k', 'c')).toBe(blocked);
});

test('keys are equal by content', () => {
  const state = new Map([[{ a: 1 }, 1]]);
  expect(methods.get(state, { a: 1 })).toEqual([state, 1]);
  expect(methods.put(state, { a: 1 }, 2)).toEqual([new Map([[{ a: 1 }, 2]]), undefined]);
  expect(methods.remove(state, { a: 1 })).toEqual([new Map(), true]);
});

test('each key is a part; the number 1 and the string 1 differ', () => {
  expect(part?.('put', ['k', 1])).toBe('k');
  expect(part?.('put', [1, 1])).not.toBe(part?.('get', ['1']));
});

test('calls without an effect are read-only', () => {
  const answers = (value: unknown) => ({ kind: 'returned', value }) as const;
  expect(readOnly?.('get', ['k'], { kind: 'pending' }, never)).toBe(true);
  expect(readOnly?.('remove', ['k'], answers(false), never)).toBe(true);
  expect(readOnly?.('remove', ['k'], answers(true), never)).toBe(false);
  expect(readOnly?.('cas', ['k', 1, 2], answers(false), never)).toBe(true);
  expect(readOnly?.('cas', ['k', 1, 1], { kind: 'pending' }, never)).toBe(true);
  expect(readOnly?.('getOrElseUpdate', ['k', 1], answers(2), never)).toBe(true);
  expect(readOnly?.('getOrElseUpdate', ['k', 1], answers(1), never)).toBe(false);
  expect(readOnly?.('put', ['k', 1], answers(undefined), never)).toBe(false);
  expect(readOnly?.('append', ['k', ''], answers(undefined), never)).toBe(false);
});

test('cas of an absent key to its default value makes the key present', () => {
  expect(methods.cas(initial, 'k', null, null)).toEqual([new Map([['k', null]]), true]);
  expect(readOnly?.('cas', ['k', null, null], { kind: 'returned', value: true }, never)).toBe(false);
});

describe('map-previous', () => {
  const { initial, methods, part, readOnly, family } = mapPrevious<string, unknown>();
  const one = new Map([['k', 1]]);

  test('mutators return the previous value', () => {
    expect(methods.put(one, 'k', 2)).toEqual([new Map([['k', 2]]), 1]);
    expect(methods.remove(one, 'k')).toEqual([new Map(), 1]);
    expect(methods.append(new Map([['k', 'a']]), 'k', 'b')).toEqual([new Map([['k', 'ab']]), 'a']);
  });

  test('the previous value of an absent key is null or the initial value', () => {
    expect(methods.put(initial, 'k', 1)).toEqual([one, null]);
    expect(methods.remove(initial, 'k')).toEqual([initial, null]);
    expect(methods.append(initial, 'k', 'b')).toEqual([new Map([['k', 'b']]), null]);
    expect(mapPrevious({ initial: 0 }).methods.remove(new Map(), 'k')).toEqual([new Map(), 0]);
  });

  test('get, cas and getOrElseUpdate behave as in a map', () => {
    expect(methods.get(one, 'k')).toEqual([one, 1]);
    expect(methods.cas(one, 'k', 1, 2)).toEqual([new Map([['k', 2]]), true]);
    expect(methods.getOrElseUpdate(one, 'k', 2)).toEqual([one, 1]);
  });

  test('remove is never read-only', () => {
    expect(readOnly?.('remove', ['k'], { kind: 'returned', value: false }, () => false)).toBe(false);
    expect(readOnly?.('remove', ['k'], { kind: 'returned', value: null }, () => false)).toBe(false);
    expect(readOnly?.('get', ['k'], { kind: 'pending' }, () => false)).toBe(true);
    expect(readOnly?.('cas', ['k', 1, 2], { kind: 'returned', value: false }, () => false)).toBe(true);
  });

  test('it has the parts and the roles of a map', () => {
    expect(part?.('put', ['k', 1])).toBe('k');
    expect(family).toMatchObject({ kind: 'map-previous', roles: { put: 'put', append: 'append' } });
  });
});
