/** A scenario as a test: `assertHolds` for any runner, and the test of `testScenario`. */
import { callerAt } from '../execution/callers.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { type HoldOptions, type ResolvedOptions, runScenario } from './run-scenario.js';
import { matcherOptions, ownSettings, type Settings, testOptions } from './settings.js';

/** The line of the user's test, which a failure points to. */
interface CallSite {
  /** Empty if it is unknown. */
  readonly file: string;
  /** The lines of the stack, from the line of the user on. */
  readonly frames: string;
}

/** Returns the caller of `ours`. */
export function callSiteAbove(ours: (...args: never[]) => unknown): CallSite {
  const captured: { stack?: string } = {};
  Error.captureStackTrace(captured, ours);
  const { stack = '' } = captured;
  const first = stack.search(/\n\s+at /);
  return { file: callerAt().file, frames: first < 0 ? '' : stack.slice(first) };
}

/** A scenario has a violation, or was not covered as required; the message is the report. */
export class ScenarioViolationError extends Error {
  override readonly name = 'ScenarioViolationError';
}

/**
 * Explores a scenario, throws the report of the first violation, and otherwise returns what was covered.
 *
 * @example
 * await assertHolds(
 *   scenario({ backend: 'instrumented', create: () => new Set<number>(), calls: [['add', 1], ['has', 1]] }),
 *   { timeout: '5s' },
 * );
 */
export async function assertHolds(
  scenario: Scenario,
  options: HoldOptions = {},
  testFile?: string,
): Promise<string> {
  const { file, frames } = callSiteAbove(assertHolds);
  return assertHoldsAt(scenario, matcherOptions(await ownSettings(), options), {
    file: testFile ?? file,
    frames,
  });
}

async function assertHoldsAt(
  scenario: Scenario,
  options: ResolvedOptions,
  { file, frames }: CallSite,
): Promise<string> {
  const { pass, text } = await runScenario(scenario, options, file);
  if (pass) return text;
  const error = new ScenarioViolationError(text);
  error.stack = `${error.name}: ${text}${frames}`;
  throw error;
}

interface ScenarioTest {
  /** The time limit for the runner, in milliseconds. */
  readonly timeout: number;
  /** Returns the coverage; throws the report of a violation. */
  readonly run: () => Promise<string>;
}

/** Milliseconds beyond the exploration: loading, shrinking, writing. */
const GRACE = 10_000;

export function toTest(
  scenario: Scenario,
  options: HoldOptions,
  settings: Settings,
  callSite: CallSite,
): ScenarioTest {
  const resolved = testOptions(settings, options);
  return { timeout: resolved.timeout + GRACE, run: () => assertHoldsAt(scenario, resolved, callSite) };
}
