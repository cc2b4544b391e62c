/** `straightedge/vitest`: adds the matchers to `expect`; `testScenario` defines a test of a scenario. */
import { expect, test } from 'vitest';
import type { Scenario } from '../explore/scenario/scenario.js';
import { type EverySchedule, everyScheduleWith } from './every-schedule.js';
import { type Matchers, matchersWith, type StraightedgeMatchers } from './matchers.js';
import { callSiteAbove, type HoldOptions, ownSettings, toTest } from './run-scenario.js';

// vitest 4 and 5 have different type parameters of `Matchers`; both inherit the assertions of chai
declare global {
  namespace Chai {
    interface Assertion extends StraightedgeMatchers<void> {}
  }
}

const settings = ownSettings();
/** The matchers that importing this module adds to `expect`. */
export const matchers: Matchers = matchersWith(settings);
expect.extend(matchers as unknown as Parameters<typeof expect.extend>[0]);

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
  test(name, { timeout }, async ({ annotate }) => {
    await annotate(await run());
  });
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
 *   expect(sum).toBe(2);
 * });
 */
export const everySchedule: EverySchedule = everyScheduleWith(
  settings,
  'npx vitest run',
  (how, name, timeout, run) => {
    const define = how === 'run' ? test : test[how];
    define(name, { timeout }, async ({ annotate }) => {
      const { text } = await run();
      await annotate(text);
    });
  },
);
