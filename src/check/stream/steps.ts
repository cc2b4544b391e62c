/**
 * A spec as an automaton over integers for an unbounded stream: the counterpart of `Machine`, which knows all
 * operations in advance.
 *
 * States have numbers as long as some configuration is in them. When the number of states has doubled, unused ones
 * are dropped: O(1) per state, amortised. The effects of a call in a state are cached with the call, while it is
 * open.
 */
import { Canonical, isPrimitive } from '../../base/values/canonical.js';

import type { Outcome } from '../../history/model/operation.js';
import { StateSpace } from '../../spec/machine/state-space.js';
import { runUserCode, type Spec, SpecError, withExactNull } from '../../spec/spec.js';

/*
 * Values and outcomes of a stream, compared by content and never stored. A primitive is its own key, except NaN,
 * which does not equal itself. Every other value has its canonical key, with a mark that no string starts with.
 */

const MARK = '\u0001';

export class Values {
  readonly #canonical = new Canonical();
  /** Whether a missing result and null are one value, as in files. */
  readonly undefinedIsNull: boolean;

  constructor(undefinedIsNull: boolean) {
    this.undefinedIsNull = undefinedIsNull;
  }

  keyOf(value: unknown): unknown {
    if (value === undefined) return this.undefinedIsNull ? null : value;
    const isOwnKey = isPrimitive(value) && !Number.isNaN(value);
    if (isOwnKey && !(typeof value === 'string' && value.startsWith(MARK))) return value;
    return `${MARK}${this.#canonical.key(value)}`;
  }

  /** A key of a known outcome: of the returned value, or of the error's name. */
  outcomeKey(outcome: Outcome): unknown {
    return outcome.kind === 'threw'
      ? `${MARK}!${outcome.error}`
      : this.keyOf(outcome.kind === 'returned' ? outcome.value : undefined);
  }

  /** An outcome as a spec sees it. */
  normal(outcome: Outcome): Outcome {
    if (!this.undefinedIsNull) return withExactNull(outcome);
    const isMissing = outcome.kind === 'returned' && outcome.value === undefined;
    return isMissing ? { kind: 'returned', value: null } : outcome;
  }

  /** Whether the call returned undefined. */
  isNothing(outcome: Outcome): boolean {
    return outcome.kind === 'returned' && this.keyOf(outcome.value) === this.keyOf(undefined);
  }
}

const LEAST_ROOM = 1024;

/** Future calls are unknown: an outcome is read-only only if it is so whatever is called. */
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

  /** Memory of the states, estimated. */
  get bytes(): number {
    return this.#space.bytes;
  }

  /** Whether unused states should be dropped. */
  get isFull(): boolean {
    return this.#space.size > this.#room;
  }

  /** Keeps only these states and returns their new numbers. `holders`: how many parts were asked for states. */
  retain(states: Iterable<number>, holders: number): ReadonlyMap<number, number> {
    const renumbered = this.#space.retain(states);
    this.#room = Math.max(LEAST_ROOM, 2 * this.#space.size, holders);
    return renumbered;
  }

  apply(state: number, method: string, args: readonly unknown[]): ReturnType<StateSpace['apply']> {
    return this.#space.apply(state, method, args);
  }

  /** The state after sequential calls, and their outcomes; the first of several where the spec allows a choice. */
  run(calls: Iterable<Call>, from: number = this.initial): { state: number; outcomes: Outcome[] } {
    let state = from;
    const outcomes: Outcome[] = [];
    for (const [method, ...args] of calls) {
      const [answer] = this.apply(state, method, args);
      if (!answer) throw new SpecError(`spec ${this.spec.name}: ${method} cannot be called`);
      state = answer.next;
      outcomes.push(answer.outcome);
    }
    return { state, outcomes };
  }

  /** Whether an operation with this outcome never changes a state. */
  isReadOnly(method: string, args: readonly unknown[], outcome: Outcome): boolean {
    const { spec } = this;
    return runUserCode(
      `spec ${spec.name}: readOnly of ${method}`,
      () => spec.readOnly?.(method, args, outcome, maybeCalled) ?? false,
    );
  }
}

/** A sequential call. */
export type Call = readonly [method: string, ...args: unknown[]];

/** The time of an event that has not happened. */
export const NOT_YET: number = Number.POSITIVE_INFINITY;

/**
 * An operation of an event stream. Times are numbers of events, from 1. An operation is dropped when it has ended and
 * nothing depends on it.
 */
export class OnlineOperation {
  readonly object: string | undefined;
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** The numbers of the event, and of its line if there is a file. */
  readonly call: number;
  readonly line: number | undefined;
  return: number = NOT_YET;
  /** Pending until it has ended, and forever if the outcome is unknown. */
  outcome: Outcome = PENDING_OUTCOME;

  constructor(
    object: string | undefined,
    process: string,
    method: string,
    args: readonly unknown[],
    call: number,
    line: number | undefined,
  ) {
    this.object = object;
    this.process = process;
    this.method = method;
    this.args = args;
    this.call = call;
    this.line = line;
  }
}

const PENDING_OUTCOME: Outcome = { kind: 'pending' };
