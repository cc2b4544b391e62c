/**
 * What a history says of a container, looked up plainly: for those who check a cause.
 *
 * Independent of the monitors' readings on purpose: a slip there must not confirm itself.
 */
import type { History } from '../../../history/history.js';
import { NEVER, PENDING } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { type Life, livesOf } from './intervals-of.js';
import { NOBODY, type Played, playedAt } from './operation-role.js';
import { areSame, initialMoment } from './same-values.js';

export class Evidence {
  readonly #history: History;
  readonly #spec: Spec;
  /** The calls of removals that never returned, in order. */
  #open: number[] | undefined;

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
  }

  /** The operation of this id; one that plays no role, if there is none. */
  of(id: number | undefined): Played {
    const k = id === undefined ? -1 : (this.#history.positionsById()[id] ?? -1);
    return k < 0 ? NOBODY : playedAt(this.#history, this.#spec, k);
  }

  /** Are two values one to this history? */
  areSame(one: unknown, other: unknown): boolean {
    return areSame(this.#history, one, other);
  }

  isInitial(value: unknown): boolean {
    return initialMoment(this.#history, this.#spec, value) !== NEVER;
  }

  lifeOf(value: unknown): Life {
    return this.livesOf([value])[0];
  }

  livesOf(sought: readonly unknown[]): Life[] {
    return livesOf(this.#history, this.#spec, sought);
  }

  /** How many removals had been called before a moment, and never returned. */
  openBefore(moment: number): number {
    return this.#openCalls().filter((call) => call < moment).length;
  }

  /** When the first of them was called; NEVER if there is none. */
  firstOpen(): number {
    return this.#openCalls()[0] ?? NEVER;
  }

  #openCalls(): readonly number[] {
    if (this.#open) return this.#open;
    this.#open = [];
    const { status, call } = this.#history.columns;
    for (let k = 0; k < this.#history.length; k++)
      if (status[k] === PENDING && playedAt(this.#history, this.#spec, k).role === 'remove')
        this.#open.push(call[k]);
    return this.#open;
  }
}
