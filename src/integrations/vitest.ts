/** `straightedge/vitest`: adds the matchers to `expect`; `testScenario` defines a test of a scenario. */
import { expect, test } from 'vitest';
import type { Scenario } from '../explore/scenario/scenario.js';
import { type EverySchedule, everyScheduleWith, withAssertionsOf } from './every-schedule.js';
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
    define(name, { timeout }, async ({ annotate, task }) => {
      const counted = withAssertionsOf(expect);
      const { text } = await run((body) => counted(() => withSoftErrors(task, body)));
      await annotate(text);
    });
  },
);

/** Throws the first error that `expect.soft` has left in this execution. */
export async function withSoftErrors(
  task: { readonly result?: unknown },
  body: () => unknown,
): Promise<void> {
  /** What the task has failed with since this execution began. */
  const take = (): object[] => {
    const { result } = task as { result?: { state: string; errors?: object[] } };
    if (!result?.errors?.length) return [];
    result.state = 'run';
    return result.errors.splice(0);
  };
  take();
  try {
    await body();
  } finally {
    const [first] = take();
    // biome-ignore lint/correctness/noUnsafeFinally: it failed before the error that it replaces
    if (first !== undefined) throw Object.assign(new Error(), first);
  }
}
