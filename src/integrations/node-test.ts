/** `straightedge/node-test`: tests of `node:test` that explore a scenario, or run a test body under every schedule. */
import test from 'node:test';
import type { Scenario } from '../explore/scenario/scenario.js';
import { type EverySchedule, everyScheduleWith, scheduleOf } from './every-schedule.js';
import { callSiteAbove, type HoldOptions, ownSettings, toTest } from './run-scenario.js';

const settings = ownSettings();

/**
 * Defines a test that explores a scenario, with a time limit of its own.
 *
 * @example
 * testScenario(
 *   'a set is linearizable',
 *   scenario({ backend: 'instrumented', create: () => new Set<number>(), calls: [['add', 1], ['has', 1]] }),
 *   { timeout: '10s' },
 * );
 */
export function testScenario(name: string, scenario: Scenario, options: HoldOptions = {}): void {
  const { timeout, run } = toTest(scenario, options, settings, callSiteAbove(testScenario));
  void test(name, { timeout }, async (t) => t.diagnostic(await run()));
}

/**
 * Defines a test whose body runs under every schedule.
 *
 * @example
 * everySchedule('two parts add up', async ({ spawn }) => {
 *   let sum = 0;
 *   const add = async () => {
 *     sum += 1;
 *   };
 *   await Promise.all([spawn('A', add), spawn('B', add)]);
 *   assert.equal(sum, 2);
 * });
 */
export const everySchedule: EverySchedule = everyScheduleWith(
  settings,
  'node --test',
  (how, name, timeout, run) => {
    // `only: false` makes Node print a remark
    const modifier = how === 'only' ? { only: true } : { skip: how === 'skip' };
    void test(name, { timeout, ...modifier }, async (t) => {
      const lines = (text: string) => {
        for (const line of text.split('\n')) t.diagnostic(line);
      };
      try {
        lines((await run((body) => body())).text);
      } catch (error) {
        // not every reporter of Node shows causes
        const schedule = scheduleOf(error);
        if (schedule !== undefined) lines(schedule);
        throw error;
      }
    });
  },
);
