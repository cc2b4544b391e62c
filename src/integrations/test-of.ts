/** A scenario as a test with a time-out of its own. */
import type { Scenario } from '../explore/scenario/scenario.js';
import { assertHoldsAt } from './assert-holds.js';
import type { HoldOptions } from './run-scenario.js';
import { longEffort, type Settings } from './settings.js';
import type { Place } from './test-location.js';

export interface HoldingTest {
  /** Of the runner, in milliseconds. */
  readonly timeout: number;
  /** Gives what was covered. */
  readonly run: () => Promise<string>;
}

/** How long a test may take beside exploring: loading, making what is wrong small, writing. */
const GRACE = 10_000;

export function testOf(
  scenario: Scenario,
  options: HoldOptions,
  settings: Settings,
  place: Place,
): HoldingTest {
  const effort = longEffort(settings, options);
  return { timeout: effort.milliseconds + GRACE, run: () => assertHoldsAt(scenario, effort, place) };
}
