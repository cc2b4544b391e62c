import { expect, test } from 'vitest';
import { closestName } from './errors.js';

const WORDS = ['register', 'cas-register', 'queue', 'priority-queue', 'set', 'stack', 'deque'];

test.each([
  ['queu', 'queue'],
  ['Queue', 'queue'],
  ['qeuue', 'queue'],
  ['quueue', 'queue'],
  ['sett', 'set'],
  ['casregister', 'cas-register'],
  ['PriorityQueue', 'priority-queue'],
  ['que', 'queue'],
  ['Reg', 'register'],
])('%s means %s', (typed, word) => {
  expect(closestName(typed, WORDS)).toBe(word);
});

test('a name that is not close to any has no match', () => {
  for (const typed of ['bank', 'orders', '', 'x', 'r']) expect(closestName(typed, WORDS)).toBeUndefined();
});
