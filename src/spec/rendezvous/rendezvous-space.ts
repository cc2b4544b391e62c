/** The states of a SyncSpec as integers, and how calls may meet in them: a meeting is a method whose arguments are the calls. */
import { show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import { StateSpace } from '../machine/state-space.js';
import { type Spec, SpecError, Threw } from '../spec.js';
import type { SyncSpec } from './sync-spec.js';

/** A way to meet: the state after it, and what each gets. */
export interface Way {
  readonly next: number;
  readonly outcomes: readonly Outcome[];
}

/** The arguments of each call. */
type Calls = readonly (readonly unknown[])[];

export class MeetingSpace {
  readonly #spec: SyncSpec;
  readonly #space: StateSpace;

  constructor(spec: SyncSpec) {
    this.#spec = spec;
    this.#space = new StateSpace({ ...spec, methods: spec.meetings } as unknown as Spec);
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

  /** Every way in which these may meet in a state. */
  ways(state: number, meeting: string, calls: Calls): Way[] {
    return this.#space
      .apply(state, meeting, calls)
      .map(({ next, outcome }) => ({ next, outcomes: this.#outcomes(outcome, meeting, calls.length) }));
  }

  /** Why these may not, or not in some way. */
  reasons(state: number, meeting: string, calls: Calls): readonly string[] {
    return this.#space.reasons(state, meeting, calls);
  }

  /** What each gets, of a list of results. */
  #outcomes(outcome: Outcome, meeting: string, length: number): Outcome[] {
    const results = outcome.kind === 'returned' ? outcome.value : undefined;
    if (!Array.isArray(results) || results.length !== length)
      throw new SpecError(
        `spec ${this.#spec.name}: ${meeting} gave ${show(outcome.kind === 'returned' ? outcome.value : outcome)} as results; expected a list of ${length}, one for each call`,
      );
    return results.map((result: unknown) =>
      result instanceof Threw ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result },
    );
  }
}
