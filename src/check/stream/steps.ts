/**
 * A spec as an automaton over integers, for an object that is watched for ever: the
 * counterpart of `Machine`, which knows all operations beforehand.
 *
 * States have numbers as long as somebody stands in them. When there are twice as
 * many as at the last look, those that nobody stands in are forgotten: O(1) a state,
 * amortised. What a call does in a state is remembered with the call, while it is open.
 */
import { Canonical } from '../../base/values/canonical.js';
import { isPrimitive } from '../../base/values/interner.js';
import type { Outcome } from '../../history/model/operation.js';
import { StateSpace } from '../../spec/machine/state-space.js';
import { runUserCode, type Spec, SpecError } from '../../spec/spec.js';

/*
 * Values and outcomes of a stream, compared by content and never kept.
 *
 * A primitive is its own key, since a Map compares those as we do; all else has its
 * canonical key, marked so that no text can be taken for it.
 */

const MARK = '\u0001';

export class Values {
  readonly #canonical = new Canonical();
  /** A missing result and null are one value, as in files. */
  readonly undefinedIsNull: boolean;

  constructor(undefinedIsNull: boolean) {
    this.undefinedIsNull = undefinedIsNull;
  }

  keyOf(value: unknown): unknown {
    if (value === undefined) return this.undefinedIsNull ? null : value;
    if (isPrimitive(value) && !(typeof value === 'string' && value.startsWith(MARK))) return value;
    return `${MARK}${this.#canonical.key(value)}`;
  }

  /** A key of an outcome that is known: of what was returned, or of the error's name. */
  outcomeKey(outcome: Outcome): unknown {
    return outcome.kind === 'threw'
      ? `${MARK}!${outcome.error}`
      : this.keyOf(outcome.kind === 'returned' ? outcome.value : undefined);
  }

  /** An outcome as a spec should see it. */
  normal(outcome: Outcome): Outcome {
    const isMissing = outcome.kind === 'returned' && outcome.value === undefined;
    return isMissing && this.undefinedIsNull ? { kind: 'returned', value: null } : outcome;
  }

  /** Did the call return, and nothing? */
  isNothing(outcome: Outcome): boolean {
    return outcome.kind === 'returned' && this.keyOf(outcome.value) === this.keyOf(undefined);
  }
}

const LEAST_ROOM = 1024;

/** Nobody knows what will be called: an outcome is read-only where it is so whatever that is. */
const maybeCalled = (): boolean => true;

export class Steps {
  readonly spec: Spec;
  readonly values: Values;
  readonly #space: StateSpace;
  #room = LEAST_ROOM;

  constructor(spec: Spec, values: Values) {
    this.spec = spec;
    this.values = values;
    this.#space = new StateSpace(spec);
  }

  get initial(): number {
    return this.#space.initial;
  }

  /** How much the states take, estimated. */
  get bytes(): number {
    return this.#space.bytes;
  }

  /** Is it time to forget? */
  get isFull(): boolean {
    return this.#space.size > this.#room;
  }

  /** Keeps these states only; gives their new numbers. `holders`: how many had to be asked. */
  retain(states: Iterable<number>, holders: number): ReadonlyMap<number, number> {
    const renumbered = this.#space.retain(states);
    this.#room = Math.max(LEAST_ROOM, 2 * this.#space.size, holders);
    return renumbered;
  }

  apply(state: number, method: string, args: readonly unknown[]): ReturnType<StateSpace['apply']> {
    return this.#space.apply(state, method, args);
  }

  /** The state after calls one after another, and their outcomes; the first of several where the spec leaves a choice. */
  run(calls: Iterable<Call>, from: number = this.initial): { state: number; outcomes: Outcome[] } {
    let state = from;
    const outcomes: Outcome[] = [];
    for (const [method, ...args] of calls) {
      const [answer] = this.apply(state, method, args);
      if (!answer) throw new SpecError(`spec ${this.spec.name}: ${method} can not be called`);
      state = answer.next;
      outcomes.push(answer.outcome);
    }
    return { state, outcomes };
  }

  /** Does an operation that ended like this never change a state? */
  isReadOnly(method: string, args: readonly unknown[], outcome: Outcome): boolean {
    const { spec } = this;
    return runUserCode(
      `spec ${spec.name}: readOnly of ${method}`,
      () => spec.readOnly?.(method, args, outcome, maybeCalled) ?? false,
    );
  }
}

/** A call that is made by itself. */
export type Call = readonly [method: string, ...args: unknown[]];
