/** For node:test, and whatever else takes an error for a failure. */
import type { Scenario } from '../explore/index.js';
import { type HoldOptions, holding } from './holding.js';

/** The message is the report. */
export class DoesNotHold extends Error {
  override readonly name = 'DoesNotHold';
}

/** Gives what was covered. */
export async function assertHolds(scenario: Scenario, options: HoldOptions = {}): Promise<string> {
  const { pass, text } = await holding(scenario, options);
  if (!pass) throw new DoesNotHold(text);
  return text;
}
