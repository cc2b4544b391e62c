/**
 * For vitest: `import 'straightedge/vitest'` adds the matchers, and `holds` is a test of a scenario.
 */
import { expect, test } from 'vitest';
import type { Scenario } from '../explore/scenario/scenario.js';
import { type Matchers, matchersWith, type StraightedgeMatchers } from './matchers.js';
import type { HoldOptions } from './run-scenario.js';
import { ownSettings } from './settings.js';
import { placeAbove, testOf } from './test-of.js';

// vitest 4 and 5 disagree about the parameters of their `Matchers`; both take over what chai's assertions have
declare global {
  namespace Chai {
    interface Assertion extends StraightedgeMatchers<void> {}
  }
}

const settings = await ownSettings();
/** The matchers that importing this module adds to `expect`. */
export const matchers: Matchers = matchersWith(settings);
expect.extend(matchers as unknown as Parameters<typeof expect.extend>[0]);

/**
 * Defines a test that explores a scenario, with a time limit of its own.
 *
 * @example
 * testScenario(
 *   'a set is linearizable',
 *   scenario({ create: () => new Set<number>(), calls: [['add', 1], ['has', 1]] }),
 *   { timeout: '10s' },
 * );
 */
export function testScenario(name: string, scenario: Scenario, options: HoldOptions = {}): void {
  const { timeout, run } = testOf(scenario, options, settings, placeAbove(testScenario));
  test(name, { timeout }, async ({ annotate }) => {
    await annotate(await run());
  });
}
