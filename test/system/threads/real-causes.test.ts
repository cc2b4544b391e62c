/** Root causes in code on real threads: the lines that must be atomic, each repair explored again. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import type { Block } from '../../../src/execution/atomic-blocks.js';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { TestResult } from '../../../src/explore/result.js';
import type { Scenario } from '../../../src/explore/scenario/scenario.js';
import type { TestCase } from '../../../src/explore/scenario/test-case.js';
import type { PlainCall } from '../../../src/instrument/instrumented-program.js';
import { type Explanation, explainSync } from '../../../src/root-cause/explain.js';
import { accessTrace } from '../../../src/root-cause/repairs/access-trace.js';
import given from '../../support/fixtures/real-threads/blamed.scenario.js';

// threads load this module themselves, with the built package
const blamed: Scenario = { ...(given as unknown as Scenario), calls: [] };
const LINES = readFileSync(
  new URL('../../support/fixtures/real-threads/blamed.ts', import.meta.url),
  'utf8',
).split('\n');

const explored = (testCase: TestCase, blocks?: readonly Block[]): TestResult =>
  lineUp(blamed, testCase, { seed: 1, blocks }, new Deadline(Number.POSITIVE_INFINITY));

function explained(testCase: TestCase, larger = 0): Explanation {
  const { backend, violation } = explored(testCase);
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('expected a violation');
  const shown = accessTrace(backend.trace(violation.schedule), true);
  const deadline = new Deadline(Number.POSITIVE_INFINITY);
  return explainSync(blamed, testCase, shown, { seed: 1, largerTests: larger }, deadline);
}

/** The comments at the end of the first and the last line of each block. */
const marks = (repair: readonly Block[]): string[] =>
  repair.map(({ start, end }) =>
    [...new Set([start.line, end.line])]
      .map((line) => LINES[line - 1].split('// ')[1] ?? 'the loop')
      .join(' to '),
  );

describe.each<[threads: PlainCall[][], marks: readonly string[], isWhole: boolean]>([
  [[[['increment']], [['increment']]], ['look to change'], true],
  [[[['rounds']], [['increment']]], ['look to change', 'look in a round to change in a round'], false],
  [[[['scan']], [['setBoth', 1]]], ['the loop to look at one', 'first to second'], true],
  [[[['scanEach']], [['setBoth', 1]]], ['look at each', 'first to second'], true],
  [[[['helped']], [['helped']]], ['helper to after the helper'], true],
  [[[['oneLine']], [['oneLine']]], ['one line'], true],
])('%j', (threads, expected, isWhole) => {
  test('finds the lines that must be atomic, and no smaller range', async () => {
    await inOwnTask(() => {
      const testCase: TestCase = { threads, before: [], after: [['total']] };
      const { repairs, collected, isCut } = explained(testCase);
      expect([collected.isWhole, isCut]).toEqual([true, false]);
      const [{ repair, verification }] = repairs;
      expect(marks(repair)).toEqual(expected);
      expect(repair.every((block) => block.isWhole)).toBe(isWhole);
      expect(verification?.kind).toBe('confirmed');
      const again = explored(testCase, repair);
      expect([again.violation, again.coverage]).toEqual([undefined, [{ kind: 'all' }]]);
      for (const left of repair) {
        const less = repair.filter((block) => block !== left);
        expect(explored(testCase, less).violation?.kind).toBe('outcome');
      }
    });
  });
});

test('a repair is also verified on larger tests', async () => {
  const { repairs } = await inOwnTask(() =>
    explained({ threads: [[['increment']], [['increment']]], before: [], after: [['total']] }, 2),
  );
  expect(repairs.map(({ larger }) => larger)).toEqual([2]);
});

test('the ring: `dequeue` must be atomic, and then no violation remains', async () => {
  const { default: ring } = (await import(
    '../../../papers/root-cause/scenarios/ring.scenario.js'
  )) as unknown as {
    default: Scenario;
  };
  await inOwnTask(() => {
    const testCase: TestCase = { threads: ring.test!, before: ring.before, after: [] };
    const deadline = new Deadline(Number.POSITIVE_INFINITY);
    const { repairs } = explainSync(ring, testCase, undefined, { seed: 1 }, deadline);
    expect(
      repairs.map(({ repair, rank }) => [rank, repair.map(({ start, end }) => [start.line, end.line])]),
    ).toEqual([[1, [[25, 28]]]]);
    const [{ repair, verification, larger }] = repairs;
    expect([verification?.kind, larger]).toEqual(['confirmed', 2]);
    expect(lineUp(ring, testCase, { seed: 1, blocks: repair }, deadline)).toMatchObject({
      violation: undefined,
      coverage: [{ kind: 'all' }],
    });
  });
});
