/**
 * Outcomes of calls as small integers: equal outcomes have equal numbers.
 *
 * A returned value never equals a thrown error. Errors are compared by name.
 */
import { Interner } from '../base/values/interner.js';
import type { Outcome } from '../history/model/operation.js';

/** The call has not ended. */
export const OPEN = -1;

export class Outcomes {
  readonly #values = new Interner();

  returned(value: unknown): number {
    return 2 * this.#values.intern(value);
  }

  threw(error: unknown): number {
    return 2 * this.#values.intern(error instanceof Error ? error.name : String(error)) + 1;
  }

  numberOf(outcome: Outcome): number {
    if (outcome.kind === 'threw') return 2 * this.#values.intern(outcome.error) + 1;
    return outcome.kind === 'returned' ? this.returned(outcome.value) : OPEN;
  }

  at(number: number): Outcome {
    if (number === OPEN) return { kind: 'pending' };
    const value = this.#values.values[number >> 1];
    return number & 1 ? { kind: 'threw', error: value as string } : { kind: 'returned', value };
  }
}
