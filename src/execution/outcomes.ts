/**
 * Outcomes of calls as small integers: equal outcomes have equal numbers.
 *
 * A returned value never equals a thrown error. Errors are compared by name, code, message and cause; against a spec, which
 * knows only names (`threw`), by name. How values of two executions are compared is in comparable.ts.
 */

import { isPrimitive } from '../base/values/canonical.js';
import { Interner } from '../base/values/interner.js';
import { show } from '../base/values/show.js';
import type { Outcome } from '../history/model/operation.js';
import { Comparison, comparable, errorText, Identities, isError, renamed } from './comparable.js';

/** The call has not ended. */
export const OPEN = -1;

export class Outcomes {
  readonly #values = new Interner();
  readonly #identities = new Interner();
  readonly #parts = new Map<number, OutcomeParts>();
  readonly #hasErrorsByName: boolean;

  constructor(hasErrorsByName = false) {
    this.#hasErrorsByName = hasErrorsByName;
  }

  /** `self`: the object under test, or the identities of its execution. A handle is compared by identity alone. */
  returned(value: unknown, self?: unknown, isHandle = false): number {
    if (isPrimitive(value) && typeof value !== 'symbol') return 2 * this.#values.intern(value);
    const identities = self instanceof Identities ? self : undefined;
    const comparison = new Comparison(identities ? identities.self : self, identities);
    return 2 * this.#values.intern(comparison.result(value, isHandle));
  }

  threw(error: unknown): number {
    return 2 * this.#values.intern(this.#textOf(error)) + 1;
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

  /** An outcome without identities, and its identities in order, each as a number of this session. */
  partsOf(number: number): OutcomeParts {
    const known = this.#parts.get(number);
    if (known) return known;
    const identities: string[] = [];
    const shape = renamed(this.#values.values[number >> 1], (name, identity) => {
      identities.push(`${name} ${identity}`);
      return undefined;
    });
    const parts =
      identities.length === 0
        ? { shape: number, identities: [] }
        : {
            shape: 2 * this.#values.intern(shape) + (number & 1),
            identities: identities.map((text) => this.#identities.intern(text)),
          };
    this.#parts.set(number, parts);
    return parts;
  }

  /** An outcome of a run with the identities of a history; one without a partner gets a number that the history does not use. */
  inHistory(number: number, pairs: readonly (readonly [history: number, run: number])[]): Outcome {
    const outcome = this.at(number);
    if (outcome.kind !== 'returned') return outcome;
    const text = (identity: number): string => this.#identities.values[identity] as string;
    const partners = new Map(pairs.map(([history, run]) => [text(run), text(history)]));
    const value = renamed(outcome.value, (name, identity) => {
      const own = `${name} ${identity}`;
      for (let next = 1; !partners.has(own); next++)
        if (![...partners.values()].includes(`${name} ${next}`)) partners.set(own, `${name} ${next}`);
      return Number(partners.get(own)!.slice(name.length));
    });
    return { kind: 'returned', value };
  }

  #textOf(error: unknown): string {
    if (isError(error)) return this.#hasErrorsByName ? error.name : errorText(error);
    return Object(error) === error ? show(comparable(error)) : String(error);
  }
}

export interface OutcomeParts {
  readonly shape: number;
  readonly identities: readonly number[];
}
