import { expect, test } from 'vitest';
import { OBJECT_NAMES, PAIR_NAMES, RENDEZVOUS_NAMES } from './names.js';
import { objects, syncObjects } from './registry.js';

test('the lists name every object of the registry', () => {
  expect(OBJECT_NAMES).toEqual(Object.keys(objects));
  expect(RENDEZVOUS_NAMES).toEqual(Object.keys(syncObjects));
  expect(PAIR_NAMES).toEqual(RENDEZVOUS_NAMES.filter((name) => syncObjects[name]({}).pairs));
});
