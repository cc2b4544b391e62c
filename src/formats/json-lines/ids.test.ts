import { expect, test } from 'vitest';
import { Ids } from './ids.js';

test('ids that are written differently are different ids', () => {
  const ids = new Ids();
  const given = ['5', '05', '-5', '5.0', '+5', ' 5', '0', '-0', '', 'a', '9999999999', '999999999'];
  for (const [entry, id] of given.entries()) {
    expect(ids.entryOf(id)).toBe(undefined);
    ids.add(id, 10 + entry);
  }
  expect(given.map((id) => ids.entryOf(id))).toEqual(given.map((_, entry) => 10 + entry));
  expect(ids.size).toBe(given.length);
});
