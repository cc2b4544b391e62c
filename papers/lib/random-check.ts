/**
 * Line-Up's RandomCheck: many tests of one size, each explored whatever the others show.
 *
 * Each test first gets an equal share of a part of the time; tests that were not fully explored share the rest. Phase 1,
 * the sequential runs, is measured separately.
 */
import { cpuTime } from '../../bench/measure.js';
import { Execution } from '../../src/execution/execution.js';
import { Fingerprint } from '../../src/execution/fingerprint.js';
import { LearnedRuns } from '../../src/explore/learning/learned-runs.js';
import { SequentialRuns } from '../../src/explore/learning/sequential-runs.js';
import { lineUp } from '../../src/explore/line-up.js';
import type { TestResult } from '../../src/explore/result.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import type { TestCase } from '../../src/explore/scenario/test-case.js';
import type { ThreadBackend } from '../../src/explore/thread-backend.js';
import { cpuDeadline } from './tests.js';

export interface Checked {
  readonly explored: TestResult;
  readonly milliseconds: number;
  /** Of phase 1; 0 where there is a spec. */
  readonly histories: number;
  readonly sequentialMilliseconds: number;
}

/** The share of the time in which all tests are tried. */
const FIRST = 0.3;

export function randomCheck(
  scenario: Scenario,
  matrices: readonly TestCase[],
  seed: number,
  milliseconds: number,
): Checked[] {
  const deadline = cpuDeadline(milliseconds);
  const spent = matrices.map(() => 0);
  const run = (i: number, own: number): TestResult => {
    const begin = cpuTime();
    const explored = lineUp(scenario, matrices[i], { seed: seed + i }, cpuDeadline(own));
    spent[i] += cpuTime() - begin;
    return explored;
  };
  const explored = matrices.map((_, i) => run(i, (FIRST * milliseconds) / matrices.length));
  const undone = matrices
    .map((_, i) => i)
    .filter((i) => !explored[i].violation && boundOf(explored[i]) !== 'all');
  for (const [done, i] of undone.entries()) {
    const again = run(i, deadline.left / (undone.length - done));
    if (again.violation || rank(again) > rank(explored[i])) explored[i] = again;
  }
  return explored.map((one, i) => ({
    explored: one,
    milliseconds: spent[i],
    ...(scenario.spec ? { histories: 0, sequentialMilliseconds: 0 } : firstPhase(one)),
  }));
}

const rank = (explored: TestResult): number => {
  const bound = boundOf(explored);
  return bound === 'all' ? Number.POSITIVE_INFINITY : Number(bound ?? -1);
};

function firstPhase({ backend }: TestResult): Pick<Checked, 'histories' | 'sequentialMilliseconds'> {
  const begin = cpuTime();
  const execution = new Execution((backend as ThreadBackend).program);
  const learned = new LearnedRuns(execution.calls.length);
  const runs = new SequentialRuns(execution, learned, { fingerprint: new Fingerprint(execution) });
  while (!runs.advance(100_000));
  const sequentialMilliseconds = cpuTime() - begin;
  return { histories: learned.count().runs, sequentialMilliseconds };
}

/** How many of the tests that pass were explored to which bound; `none`: not even the schedules without preemptions. */
export function boundsOf(checked: readonly Checked[]): Record<string, number> {
  const bounds: Record<string, number> = {};
  for (const { explored } of checked) {
    if (explored.violation !== undefined) continue;
    const bound = boundOf(explored) ?? 'none';
    bounds[bound] = (bounds[bound] ?? 0) + 1;
  }
  return bounds;
}

export const boundsText = (bounds: Readonly<Record<string, number>>): string =>
  Object.entries(bounds)
    .map(([bound, tests]) => `${bound}: ${tests}`)
    .join(', ');

/** `all`, or the preemptions up to which all schedules were tried; undefined if not even those without any. */
export function boundOf({ coverage }: TestResult): string | undefined {
  for (const covered of coverage) {
    if (covered.kind === 'all') return 'all';
    if (covered.kind === 'bound') return String(covered.preemptions);
  }
  return undefined;
}
