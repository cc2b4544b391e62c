import { expect, test } from 'vitest';
import { nearest } from './closest-name.js';

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
  expect(nearest(typed, WORDS)).toBe(word);
});

test('another word means none', () => {
  for (const typed of ['bank', 'orders', '', 'x', 'r']) expect(nearest(typed, WORDS)).toBeUndefined();
});
