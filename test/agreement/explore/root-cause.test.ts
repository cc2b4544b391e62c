/**
 * Root causes of the examples in papers/root-cause, against known answers: for each list, the critical section that was
 * shortened is found. Each repair is verified by exploring again. `AGREE=all` runs all lists.
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
const explored = (scenario: Scenario, testCase: TestCase, options: object = {}): TestResult =>
  lineUp(scenario, testCase, { seed: 1, ...options }, new Deadline(Number.POSITIVE_INFINITY));

/** The lines of each repair, after verifying that the program passes with it. */
function causes(scenario: Scenario, testCase: TestCase, larger: number): [Explanation, string[]] {
  const { violation, backend } = explored(scenario, testCase);
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('expected a violation');
  const shown = accessTrace(backend.trace(violation.schedule), true);
  const deadline = new Deadline(Number.POSITIVE_INFINITY);
  const explanation = explainSync(scenario, testCase, shown, { seed: 1, largerTests: larger }, deadline);
  const { repairs } = explanation;
  for (const { repair, verification } of repairs) {
    expect(verification?.kind).toBe('confirmed');
    const again = explored(scenario, testCase, { blocks: repair });
    expect([again.violation, again.coverage]).toEqual([undefined, [{ kind: 'all' }]]);
  }
  const repaired = repairs.map(({ repair }) =>
    repair.map(({ start, end }) => `${start.line}-${end.line}`).join(' '),
  );
  return [explanation, repaired];
}

test('stack: an atomic block in pop is a repair, and one in push removes only some violations', () => {
  const { default: scenario } = load('stack.scenario.ts') as { default: Scenario };
  const testCase = { threads: scenario.test!, before: [], after: [] };
  const [{ collected, partial }, repaired] = causes(scenario, testCase, 2);
  expect(repaired).toEqual(['22-23']);
  const [push] = partial;
  expect(push.repair.map(({ methods, start, end }) => [methods, start.line, end.line])).toEqual([
    [['push'], 16, 17],
  ]);
  expect(push.removed).toBeLessThan(collected.violating.length);
  const again = explored(scenario, testCase, { blocks: push.repair });
  expect(again.violation?.kind).toBe('outcome');
});

test('setX, setY, scan: a repair is found that depends on real-time order', () => {
  const { default: scenario } = load('pair.scenario.ts') as { default: Scenario };
  const [, repaired] = causes(scenario, { threads: scenario.test!, before: [], after: [] }, 4);
  expect(repaired).toEqual(['15-16']);
});

describe('no repair is reported for', () => {
  const explanationOf = (file: string, name: string, threads: TestCase['threads']): Explanation => {
    const loaded = loadInstrumented(file, { from: `${FOLDER}../..`, modules }) as Record<string, Scenario>;
    const testCase = { threads, before: [], after: [] };
    const deadline = new Deadline(Number.POSITIVE_INFINITY);
    return explainSync(loaded[name], testCase, undefined, { seed: 1 }, deadline);
  };

  test('a register of which each thread has a copy', () => {
    const found = explanationOf('lowe-2017/scenarios/register.scenario.ts', 'faulty', [
      [['read'], ['read']],
      [['write', 1]],
    ]);
    expect(found).toMatchObject({ repairs: [], reason: { kind: 'sequential' } });
    expect(found.partial.length).toBeGreaterThan(0);
  });

  test('a barrier, whose calls wait for each other', () => {
    const calls: TestCase['threads'] = [[['signalAndWait']], [['signalAndWait']]];
    const found = explanationOf('line-up/scenarios/barrier.scenario.ts', 'default', calls);
    expect(found).toMatchObject({ repairs: [], reason: { kind: 'wait' } });
  });
});

describe('lists with shortened critical sections', () => {
  const { lists } = load('lists.scenario.ts') as {
    lists: { file: string; shrunk: { add: boolean; remove: boolean }; scenario: Scenario }[];
  };
  /** The lines from finding or validating the position to taking the lock. */
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
      const testCase = {
        threads: [[first, call], [call]],
        before: scenario.before,
        after: [],
      } as TestCase;
      const [, repaired] = causes(scenario, testCase, 20);
      expect(repaired[0]).toBe(expected);
    },
    60_000,
  );
});
