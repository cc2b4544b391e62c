/** For node:test, and whatever else takes an error for a failure. */
import { callerAt, type Scenario } from '../explore/index.js';
import { type HoldOptions, holding } from './holding.js';

/** The message is the report. */
export class DoesNotHold extends Error {
  override readonly name = 'DoesNotHold';
}

/** Gives what was covered. `testFile` is where the test stands: who calls this, if not given. */
export async function assertHolds(
  scenario: Scenario,
  options: HoldOptions = {},
  testFile: string = callerAt().file,
): Promise<string> {
  const { pass, text } = await holding(scenario, options, testFile);
  if (!pass) throw new DoesNotHold(text);
  return text;
}
