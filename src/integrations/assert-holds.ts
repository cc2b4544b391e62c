/** For node:test, and whatever else takes an error for a failure. */
import type { Scenario } from '../explore/scenario/scenario.js';
import { type Effort, type HoldOptions, holding } from './run-scenario.js';
import { bareEffort, ownSettings } from './settings.js';
import { type Place, placeAbove } from './test-location.js';

/** The message is the report. */
export class DoesNotHold extends Error {
  override readonly name = 'DoesNotHold';
}

/** Gives what was covered. `testFile` is where the test stands: who calls this, if not given. */
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

export async function assertHoldsAt(
  scenario: Scenario,
  effort: Effort,
  { file, frames }: Place,
): Promise<string> {
  const { pass, text } = await holding(scenario, effort, file);
  if (pass) return text;
  const error = new DoesNotHold(text);
  error.stack = `${error.name}: ${text}${frames}`;
  throw error;
}
