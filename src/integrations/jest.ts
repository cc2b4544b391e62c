/** `straightedge/jest`: adds the matchers to `expect`; `testScenario` defines a test of a scenario. */
import { createRequire } from 'node:module';
import { OTHER_RUNTIME } from '../event-loop/own-task.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import {
  type CountingExpect,
  type EverySchedule,
  type Execution,
  everyScheduleWith,
  withAssertionsOf,
} from './every-schedule.js';
import { type Matchers, matchersWith, type StraightedgeMatchers } from './matchers.js';
import { callSiteAbove, type HoldOptions, ownSettings, toTest } from './run-scenario.js';

declare global {
  namespace jest {
    interface Matchers<R, T> extends StraightedgeMatchers<R> {}
  }
}
// for projects that import `expect` from @jest/globals
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends StraightedgeMatchers<R> {}
}

/** The globals of jest that are used. */
interface Jest {
  readonly console: { warn(text: string): void };
  readonly expect: { extend(matchers: object): void } & Partial<CountingExpect>;
  readonly test: JestTest & { readonly only: JestTest; readonly skip: JestTest };
}

type JestTest = (name: string, run: () => Promise<void>, timeout: number) => void;

// jest gives each module a variable of its own name; Bun gives its globals to test files only
const runner = (
  OTHER_RUNTIME === 'Bun' ? createRequire(import.meta.url)('bun:test') : globalThis
) as Partial<Jest>;
if (!runner.expect || !runner.test)
  throw new TypeError('straightedge/jest needs the globals of jest; set injectGlobals to true');
const settings = ownSettings();
const { getState, setState } = runner.expect;
/** Bun does not show what it counts. */
const execution: Execution =
  getState && setState ? withAssertionsOf({ getState, setState }) : (body) => body();
/** The matchers that importing this module adds to `expect`. */
export const matchers: Matchers = matchersWith(settings);
runner.expect.extend(matchers);

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
  runner.test?.(
    name,
    async () => {
      await run();
    },
    timeout,
  );
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
  'npx jest',
  (how, name, timeout, run) => {
    const define = how === 'run' ? runner.test : runner.test?.[how];
    define?.(
      name,
      async () => {
        const { text, isExhaustive } = await run(execution);
        // jest has no other place for a remark on a test that passes
        if (!isExhaustive) runner.console?.warn(text);
      },
      timeout,
    );
  },
);
