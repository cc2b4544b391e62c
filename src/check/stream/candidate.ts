/**
 * An open operation as configurations see it.
 *
 * Its result is unknown before it returns, so its possible results are recorded. In a configuration the operation has
 * either taken effect and changed the state, with one outcome; or it has not, and then there is a set of outcomes
 * that it may have had by now without changing the state. Read-only outcomes thus need no configurations of their
 * own. Either case is one small integer, a *mark*:
 *
 *   2·j + 1   it has taken effect, with its outcome number j
 *   2·j       it has not; j numbers the set of outcomes seen (0: none)
 *
 * All numbers are local to this operation and are dropped when it has returned.
 */
import type { Outcome } from '../../history/model/operation.js';
import type { OnlineOperation, Steps } from './steps.js';

/** Bytes of the cached effects of a call in a state. */
const EFFECTS_BYTES = 250;

/** What a call can do in a state. */
interface Effects {
  /** Outcomes that leave the state as it is, ascending. */
  readonly seen: readonly number[];
  /** The other outcomes, and the states they lead to. */
  readonly changes: readonly { readonly next: number; readonly outcome: number }[];
}

export class Candidate {
  readonly operation: OnlineOperation;
  readonly #steps: Steps;
  /** Numbers of outcomes by key, and back. */
  readonly #numbers = new Map<unknown, number>();
  readonly outcomes: Outcome[] = [];
  /** The outcomes of a set by its number, ascending, and back. */
  readonly #sets: (readonly number[])[] = [[]];
  readonly #setNumbers = new Map<string, number>([['', 0]]);
  /** The effects of the call by state. */
  readonly #effects = new Map<number, Effects>();

  constructor(operation: OnlineOperation, steps: Steps) {
    this.operation = operation;
    this.#steps = steps;
  }

  /** Memory of its caches, estimated. */
  get bytes(): number {
    return EFFECTS_BYTES * this.#effects.size;
  }

  numberOf(outcome: Outcome): number {
    const key = this.#steps.values.outcomeKey(outcome);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.outcomes.push(outcome) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  effectsIn(state: number): Effects {
    let effects = this.#effects.get(state);
    if (!effects) {
      effects = this.#firstEffects(state);
      this.#effects.set(state, effects);
    }
    return effects;
  }

  /** The mark of an operation without effect after it has come to a state. */
  markIn(state: number, mark: number): number {
    const { seen } = this.effectsIn(state);
    const before = this.#sets[mark >> 1];
    if (seen.every((outcome) => before.includes(outcome))) return mark;
    const all = [...new Set([...before, ...seen])].sort((a, b) => a - b);
    const key = all.join();
    let number = this.#setNumbers.get(key);
    if (number === undefined) {
      number = this.#sets.push(all) - 1;
      this.#setNumbers.set(key, number);
    }
    return 2 * number;
  }

  /** The outcomes in the mark of an operation without effect. */
  seenBy(mark: number): readonly number[] {
    return this.#sets[mark >> 1];
  }

  /** Drops the cache, because states have new numbers. */
  forgetStates(): void {
    this.#effects.clear();
  }

  #firstEffects(state: number): Effects {
    const { method, args } = this.operation;
    const seen = new Set<number>();
    const changes: { next: number; outcome: number }[] = [];
    for (const { next, outcome } of this.#steps.apply(state, method, args)) {
      const number = this.numberOf(outcome);
      if (next === state) seen.add(number);
      else changes.push({ next, outcome: number });
    }
    return { seen: [...seen].sort((a, b) => a - b), changes };
  }
}
