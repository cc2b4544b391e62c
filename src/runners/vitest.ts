/**
 * For vitest: `import 'straightedge/vitest'` adds the matchers, and `holds` is a test of a scenario.
 */
import { expect, test } from 'vitest';
import { callerAt, type Scenario } from '../explore/index.js';
import { assertHolds } from './assert-holds.js';
import { GRACE, type HoldOptions, millisecondsOf } from './holding.js';
import { matchers, type StraightedgeMatchers } from './matchers.js';

// vitest 4 and 5 disagree about the parameters of their `Matchers`; both take over what chai's assertions have
declare global {
  namespace Chai {
    interface Assertion extends StraightedgeMatchers<void> {}
  }
}

expect.extend(matchers as unknown as Parameters<typeof expect.extend>[0]);

/** A test with a time-out of its own. */
export function holds(
  name: string,
  scenario: Scenario,
  { timeout = '30s', ...options }: HoldOptions = {},
): void {
  const { file } = callerAt();
  test(name, { timeout: millisecondsOf(timeout) + GRACE }, async ({ annotate }) => {
    await annotate(await assertHolds(scenario, { ...options, timeout }, file));
  });
}

export { type HoldOptions, matchers };
