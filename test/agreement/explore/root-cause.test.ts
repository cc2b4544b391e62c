/**
 * The examples of root causes: of each list the section that was made smaller is found, and what is found
 * helps when everything is explored again. `AGREE=all`: all lists, not one.
 */
import { describe, expect, test } from 'vitest';
import * as explorer from '../../../src/api/explore.js';
import * as ourselves from '../../../src/api/index.js';
import * as objects from '../../../src/api/objects.js';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { TestResult } from '../../../src/explore/result.js';
import type { Scenario } from '../../../src/explore/scenario/scenario.js';
import type { TestCase } from '../../../src/explore/scenario/test-case.js';
import type { PlainCall } from '../../../src/instrument/instrumented-program.js';
import { loadInstrumented } from '../../../src/instrument/load.js';
import { type Explanation, explainSync } from '../../../src/root-cause/explain.js';
import { accessTrace } from '../../../src/root-cause/repairs/access-trace.js';

const FOLDER = new URL('../../../papers/root-cause/scenarios/', import.meta.url).pathname;
const modules = {
  straightedge: ourselves,
  'straightedge/explore': explorer,
  'straightedge/objects': objects,
};
const load = (file: string) => loadInstrumented(file, { from: FOLDER, modules });
const explored = (scenario: Scenario, matrix: TestCase, options: object = {}): TestResult =>
  lineUp(scenario, matrix, { seed: 1, ...options }, new Deadline(Number.POSITIVE_INFINITY));

/** The lines of each repair that helps, after each has been tried again. */
function causes(scenario: Scenario, matrix: TestCase, larger: number): [Explanation, string[]] {
  const { violation, backend } = explored(scenario, matrix);
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('expected a violation');
  const shown = accessTrace(backend.trace(violation.schedule), true);
  const patience = new Deadline(Number.POSITIVE_INFINITY);
  const explanation = explainSync(scenario, matrix, shown, { seed: 1, largerTests: larger }, patience);
  const { repairs } = explanation;
  for (const { repair, verification } of repairs) {
    expect(verification?.kind).toBe('confirmed');
    const again = explored(scenario, matrix, { blocks: repair });
    expect([again.violation, again.coverage]).toEqual([undefined, [{ kind: 'all' }]]);
  }
  const told = repairs.map(({ repair }) =>
    repair.map(({ start, end }) => `${start.line}-${end.line}`).join(' '),
  );
  return [explanation, told];
}

test('the stack: pop first, push removes some only', () => {
  const { default: scenario } = load('stack.scenario.ts') as { default: Scenario };
  const matrix = { threads: scenario.test!, before: [], after: [] };
  const [{ collected, partial }, told] = causes(scenario, matrix, 2);
  expect(told).toEqual(['22-23']);
  const [push] = partial;
  expect(push.repair.map(({ methods, start, end }) => [methods, start.line, end.line])).toEqual([
    [['push'], 16, 17],
  ]);
  expect(push.removed).toBeLessThan(collected.violating.length);
  const again = explored(scenario, matrix, { blocks: push.repair });
  expect(again.violation?.kind).toBe('outcome');
});

test('setX, setY, scan: what has no cause without real time', () => {
  const { default: scenario } = load('pair.scenario.ts') as { default: Scenario };
  const [, told] = causes(scenario, { threads: scenario.test!, before: [], after: [] }, 4);
  expect(told).toEqual(['15-16']);
});

describe('where no block helps it says so', () => {
  const explanationOf = (file: string, name: string, threads: TestCase['threads']): Explanation => {
    const loaded = loadInstrumented(file, { from: `${FOLDER}../..`, modules }) as Record<string, Scenario>;
    const matrix = { threads, before: [], after: [] };
    const patience = new Deadline(Number.POSITIVE_INFINITY);
    return explainSync(loaded[name], matrix, undefined, { seed: 1 }, patience);
  };

  test('a register that each thread has a copy of', () => {
    const found = explanationOf('lowe-2017/scenarios/register.scenario.ts', 'faulty', [
      [['read'], ['read']],
      [['write', 1]],
    ]);
    expect(found).toMatchObject({ repairs: [], isBeyondRepair: true, isWaiting: false });
    expect(found.partial.length).toBeGreaterThan(0);
  });

  test('a barrier, whose calls wait for one another', () => {
    const calls: TestCase['threads'] = [[['signalAndWait']], [['signalAndWait']]];
    const found = explanationOf('line-up/scenarios/barrier.scenario.ts', 'default', calls);
    expect(found).toMatchObject({ repairs: [], isBeyondRepair: false, isWaiting: true });
  });
});

describe('lists with smaller sections', () => {
  const { lists } = load('lists.scenario.ts') as {
    lists: { file: string; shrunk: { add: boolean; remove: boolean }; scenario: Scenario }[];
  };
  /** From looking for the place, or validating it, to the lock. */
  const LINES = {
    'coarse-list.ts': { add: '33-38', remove: '48-53' },
    'optimistic-list.ts': { add: '36-37', remove: '59-60' },
    'ordering-map.ts': { add: '37-39', remove: '55-57' },
  };
  const isAll = process.env.AGREE === 'all';
  const chosen = lists.filter((_, i) => isAll || i < 3);
  test.each(chosen.map(({ file, shrunk, scenario }) => [file, shrunk, scenario] as const))(
    '%s %j',
    (file, shrunk, scenario) => {
      const { add, remove } = LINES[file as keyof typeof LINES];
      const expected = [...(shrunk.add ? [add] : []), ...(shrunk.remove ? [remove] : [])].join(' ');
      const call: PlainCall = shrunk.remove ? ['remove', 0] : ['add', 1];
      const first: PlainCall = ['add', shrunk.remove ? 1 : 0];
      const matrix = {
        threads: [[first, call], [call]],
        before: scenario.before,
        after: [],
      } as TestCase;
      const [, told] = causes(scenario, matrix, 20);
      expect(told[0]).toBe(expected);
    },
    60_000,
  );
});
