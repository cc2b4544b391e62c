/**
 * The states of a SyncSpec as integers, and the effects of rendezvous in them.
 *
 * A rendezvous is treated as a method of a plain spec; its arguments are the argument lists of the
 * calls.
 */
import { show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import { StateSpace } from '../machine/state-space.js';
import { type Spec, SpecError, Threw } from '../spec.js';
import type { SyncSpec } from './sync-spec.js';

/** One possible effect of a rendezvous: the next state, and the outcome of each call. */
export interface RendezvousStep {
  readonly next: number;
  readonly outcomes: readonly Outcome[];
}

/** The argument list of each call. */
type CallArguments = readonly (readonly unknown[])[];

export class RendezvousSpace {
  readonly #spec: SyncSpec;
  readonly #space: StateSpace;

  constructor(spec: SyncSpec) {
    this.#spec = spec;
    this.#space = new StateSpace({ ...spec, methods: spec.rendezvous } as unknown as Spec);
  }

  get initial(): number {
    return this.#space.initial;
  }

  get bytes(): number {
    return this.#space.bytes;
  }

  state(number: number): unknown {
    return this.#space.state(number);
  }

  /** All possible effects of a rendezvous in a state. */
  apply(state: number, rendezvous: string, calls: CallArguments): RendezvousStep[] {
    return this.#space
      .apply(state, rendezvous, calls)
      .map(({ next, outcome }) => ({ next, outcomes: this.#outcomes(outcome, rendezvous, calls.length) }));
  }

  /** The reasons why a rendezvous, or a choice of it, is refused in a state. */
  refusalReasons(state: number, rendezvous: string, calls: CallArguments): readonly string[] {
    return this.#space.refusalReasons(state, rendezvous, calls);
  }

  /** Splits a list of results into one outcome for each call. */
  #outcomes(outcome: Outcome, rendezvous: string, length: number): Outcome[] {
    const results = outcome.kind === 'returned' ? outcome.value : undefined;
    if (!Array.isArray(results) || results.length !== length)
      throw new SpecError(
        `spec ${this.#spec.name}: ${rendezvous} returned ${show(outcome.kind === 'returned' ? outcome.value : outcome)} as results; expected a list of ${length}, one for each call`,
      );
    return results.map((result: unknown) =>
      result instanceof Threw ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result },
    );
  }
}
