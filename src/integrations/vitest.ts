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
export const matchers: Matchers = matchersWith(settings);
expect.extend(matchers as unknown as Parameters<typeof expect.extend>[0]);

/** A test with a time-out of its own. */
export function testScenario(name: string, scenario: Scenario, options: HoldOptions = {}): void {
  const { timeout, run } = testOf(scenario, options, settings, placeAbove(testScenario));
  test(name, { timeout }, async ({ annotate }) => {
    await annotate(await run());
  });
}
