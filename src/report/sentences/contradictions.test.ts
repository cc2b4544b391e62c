import { expect, test } from 'vitest';
import { check } from '../../check/check.js';
import { parseHistory } from '../../formats/read-history.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { register } from '../../objects/cells/register.js';
import { evidenceLines } from './contradictions.js';

function linesFor(history: History): string[] {
  const verdict = check(history, register());
  if (verdict.kind !== 'linearizable') throw new Error(`expected a linearizable history: ${verdict.kind}`);
  return evidenceLines(history, verdict.witness).map(
    ({ topic, sentence }) => `${topic}: ${sentence.map(({ text }) => text).join('')}`,
  );
}

test('counts the operations that overlap another one', () => {
  const history = sketch`
    A  |- write(1) -|      |- write(3) -|
    B       |- write(2) -|                 |- read() -> 3 -|
    C         |- write(4) -|` as History;
  expect(linesFor(history)).toEqual([
    'overlap: 4 of 5 operations overlapped another one. At most 3 were open at the same time.',
  ]);
});

test('says that operations in sequence show nothing about concurrent calls', () => {
  const history = sketch`
    A  |- write(1) -|
    B                  |- read() -> 1 -|` as History;
  expect(linesFor(history)).toEqual([
    'overlap: No two operations overlapped, so the history shows nothing about concurrent calls.',
  ]);
});

test('says how many operations without a result took effect', () => {
  const history = sketch`
    A  |- write(1) -?
    B                  |- read() -> 1 -|` as History;
  expect(linesFor(history).at(-1)).toBe(
    'unknown: 1 operation has no known result. In this linearization, it took effect.',
  );
});

test('counts the operations called during a fault', () => {
  const write = (call: number) => ({ process: 'A', method: 'write', args: [call], call, return: call + 1 });
  const history = parseHistory(
    [
      write(1),
      { annotation: 'n1 paused', at: 4 },
      write(6),
      write(9),
      { annotation: 'n1 resumed', at: 12 },
      write(14),
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
    { keepTimes: true },
  );
  expect(linesFor(history).at(-1)).toBe('faults: n1 paused (1 time, 2 operations called during it).');
});
