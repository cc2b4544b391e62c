import { expect, test } from 'vitest';
import { Ids } from './record.js';

test('ids with different texts are different ids', () => {
  const ids = new Ids();
  const given = ['5', '05', '-5', '5.0', '+5', ' 5', '0', '-0', '', 'a', '9999999999', '999999999'];
  for (const [entry, id] of given.entries()) {
    expect(ids.entry(ids.number(id))).toBe(-1);
    ids.assign(ids.number(id), 10 + entry);
  }
  expect(given.map((id) => ids.entry(ids.number(id)))).toEqual(given.map((_, entry) => 10 + entry));
  expect(given.map((id) => ids.name(ids.number(id)))).toEqual(given);
  expect(ids.size).toBe(given.length);
});

test('a number and its decimal text are one id', () => {
  const ids = new Ids();
  for (const number of [0, 5, -5, 999_999_999, 1_000_000_000, -1_000_000_000, Number.MAX_SAFE_INTEGER])
    expect(ids.number(number)).toBe(ids.number(String(number)));
});

test('an id is open until it ends', () => {
  const ids = new Ids();
  const [one, other] = [ids.number('a'), ids.number('b')];
  ids.end(other);
  expect([ids.hasEnded(one), ids.hasEnded(other)]).toEqual([false, true]);
});
