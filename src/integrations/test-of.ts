/** A scenario as a test with a time-out of its own. */
import { callerAt } from '../execution/callers.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { type HoldOptions, holding, type ResolvedOptions } from './run-scenario.js';
import { bareEffort, longEffort, ownSettings, type Settings } from './settings.js';

/* Where a test stands: what it fails with points at the line of the user's that asked for it, not at us. */

interface Place {
  /** No text where nobody knows. */
  readonly file: string;
  /** The lines of a stack, from the user's line on. */
  readonly frames: string;
}

/** Who has called `ours`. */
export function placeAbove(ours: (...args: never[]) => unknown): Place {
  const told: { stack?: string } = {};
  Error.captureStackTrace(told, ours);
  const { stack = '' } = told;
  const first = stack.search(/\n\s+at /);
  return { file: callerAt().file, frames: first < 0 ? '' : stack.slice(first) };
}

/* For node:test, and whatever else takes an error for a failure. */

/** The message is the report. */
export class ScenarioViolationError extends Error {
  override readonly name = 'ScenarioViolationError';
}

/**
 * Explores a scenario, throws the report of the first violation, and otherwise returns what was covered.
 *
 * @example
 * await assertHolds(
 *   scenario({ create: () => new Set<number>(), calls: [['add', 1], ['has', 1]] }),
 *   { timeout: '5s' },
 * );
 */
export async function assertHolds(
  scenario: Scenario,
  options: HoldOptions = {},
  testFile?: string,
): Promise<string> {
  const { file, frames } = placeAbove(assertHolds);
  return assertHoldsAt(scenario, bareEffort(await ownSettings(), options), {
    file: testFile ?? file,
    frames,
  });
}

async function assertHoldsAt(
  scenario: Scenario,
  effort: ResolvedOptions,
  { file, frames }: Place,
): Promise<string> {
  const { pass, text } = await holding(scenario, effort, file);
  if (pass) return text;
  const error = new ScenarioViolationError(text);
  error.stack = `${error.name}: ${text}${frames}`;
  throw error;
}

interface HoldingTest {
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
