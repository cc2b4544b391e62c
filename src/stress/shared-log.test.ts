/** What a thread writes is what others read, also when it never comes back. */
import { expect, test } from 'vitest';
import type { Outcome } from '../history/model/operation.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { newSharedLog, operationsIn, SharedLog, writtenOf } from './shared-log.js';

const OUTCOMES: readonly Outcome[] = [
  { kind: 'returned', value: undefined },
  { kind: 'returned', value: null },
  { kind: 'returned', value: false },
  { kind: 'returned', value: -7 },
  { kind: 'returned', value: 2 ** 40 },
  { kind: 'returned', value: { text: 'ü', list: [1n, undefined] } },
  { kind: 'threw', error: 'RangeError' },
  { kind: 'returned', value: 'after a text' },
];

test('calls and answers come back as they were, and one that has not ended is open', () => {
  const calls: PlainCall[] = [...OUTCOMES.map((_, i): PlainCall => ['call', i]), ['hang'], ['never']];
  const buffer = newSharedLog(calls);
  const log = new SharedLog(buffer, calls);
  for (const outcome of OUTCOMES) log.end(log.call(), outcome);
  log.call();
  const operations = operationsIn(buffer, calls, 'A');
  expect(writtenOf(buffer)).toBe(2 * OUTCOMES.length + 1);
  expect(operations.map(({ outcome }) => outcome)).toEqual([...OUTCOMES, { kind: 'pending' }]);
  expect(operations.map(({ method, args = [] }) => [method, ...args])).toEqual(calls.slice(0, -1));
  const times = operations.flatMap(({ call, return: end }) => [call, ...(end === undefined ? [] : [end])]);
  expect(times).toEqual(times.toSorted((a, b) => Number(BigInt(a) - BigInt(b))));
});
