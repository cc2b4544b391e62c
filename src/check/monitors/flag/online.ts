/**
 * An online monitor of flags: a key of a set, or a mutex.
 *
 *   Linearizability of sets by late effects: the LiMo paper (docs/internals/papers.md), section 6, with two
 *   departures. Its counter of pending effects is not enough: an effect needs an operation that was called before it.
 *   And results are unknown before the return, so what an operation saw is determined by the number of changes of the
 *   state at its call.
 *
 * Effects happen as late as possible. The end of an operation needs one of these:
 *
 *   it switched      an effect of its kind was needed before: that was it. Otherwise it switches now, from the
 *                    other state, which a pending effect provides
 *   it found `on`    the flag was on at its call, or has changed since, or a pending effect switches it now
 *   it failed        all pending effects are possible without it
 *
 * Cost: O(open operations of the key) per event. Memory: one bit, and the open operations.
 */

import {
  type CreateStreamMonitor,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineCause,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import { PendingEffects } from '../../stream/pending-effects.js';
import type { Call, OnlineOperation, Steps } from '../../stream/steps.js';
import { type RoleOf, rolesOf } from '../../stream/value-numbering.js';

/** What an end shows: that it switched, or in which state it found the flag. */
type Observation = 'switched' | 'on' | 'off' | undefined;
type Observe = (role: string, operation: OnlineOperation, steps: Steps) => Observation;

interface FlagKind {
  /** The roles that switch on, and off. */
  readonly on: readonly string[];
  readonly off: readonly string[];
  readonly look: readonly string[];
  readonly observe: Observe;
}

/** Each returns whether it switched, or what it found. */
const SET: FlagKind = {
  on: ['add'],
  off: ['remove'],
  look: ['contains'],
  observe: (role, { outcome }) => {
    if (outcome.kind !== 'returned' || typeof outcome.value !== 'boolean') return undefined;
    if (role === 'contains') return outcome.value ? 'on' : 'off';
    if (outcome.value) return 'switched';
    return role === 'add' ? 'on' : 'off';
  },
};

const MUTEX: FlagKind = {
  on: ['lock', 'tryLock'],
  off: ['unlock'],
  look: [],
  observe: (role, { outcome }, { values }) => {
    if (role === 'tryLock')
      return outcome.kind !== 'returned' || typeof outcome.value !== 'boolean'
        ? undefined
        : outcome.value
          ? 'switched'
          : 'on';
    if (values.isNothing(outcome)) return 'switched';
    return role === 'unlock' && outcome.kind === 'threw' && outcome.error === 'NotLocked' ? 'off' : undefined;
  },
};

class FlagMonitor implements StreamMonitor {
  readonly #kind: FlagKind;
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #key: readonly unknown[];
  readonly #wasOn: boolean;
  #isOn: boolean;
  #changes = 0;
  readonly #on = new PendingEffects();
  readonly #off = new PendingEffects();
  /** For each open operation, the number of changes of the state at its call. */
  readonly #seen = new Map<OnlineOperation, number>();

  constructor(kind: FlagKind, steps: Steps, key: readonly unknown[], isOn: boolean) {
    this.#kind = kind;
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#key = key;
    this.#wasOn = isOn;
    this.#isOn = isOn;
  }

  get held(): number {
    return 1 + this.#on.size + this.#off.size + this.#seen.size;
  }

  get isInitial(): boolean {
    return this.#isOn === this.#wasOn;
  }

  calls(): readonly Call[] {
    if (this.isInitial) return [];
    const role = (this.#isOn ? this.#kind.on : this.#kind.off)[0];
    return [[this.#steps.spec.family?.roles[role] as string, ...this.#key]];
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.#roleOf(operation.method);
    if (role === undefined) return DECLINE_METHOD;
    const side = this.#sideOf(role);
    if (!side && !this.#kind.look.includes(role)) return DECLINE_METHOD;
    side?.call(operation.call);
    this.#seen.set(operation, this.#changes);
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome, call } = operation;
    const role = this.#roleOf(operation.method) as string;
    const side = this.#sideOf(role);
    const observed =
      outcome.kind === 'pending' || outcome.kind === 'failed'
        ? outcome.kind
        : this.#kind.observe(role, operation, this.#steps);
    if (observed === undefined) return DECLINE_RESULT;
    const seen = this.#seen.get(operation) as number;
    this.#seen.delete(operation);
    // it may still switch, but what it found does not matter
    if (observed === 'pending') return undefined;
    side?.end(call);
    const isExplained =
      observed === 'failed'
        ? (side?.areSatisfiable ?? true)
        : observed === 'switched'
          ? this.#switched(side as PendingEffects, call, now)
          : (side?.areSatisfiable ?? true) && (this.#changes > seen || this.#needs(observed === 'on', now));
    return isExplained ? undefined : noSuchState(operation);
  }

  /** An operation of this side has switched. */
  #switched(side: PendingEffects, call: number, now: number): boolean {
    if (side.satisfy(call)) return side.areSatisfiable;
    const toOn = side === this.#on;
    if (!side.areSatisfiable || !this.#needs(!toOn, now)) return false;
    this.#change(toOn);
    return true;
  }

  /** Whether the state is this one, or an open operation can bring it about. */
  #needs(isOn: boolean, now: number): boolean {
    if (this.#isOn === isOn) return true;
    const side = isOn ? this.#on : this.#off;
    side.need(now);
    this.#change(isOn);
    return side.areSatisfiable;
  }

  #change(isOn: boolean): void {
    this.#isOn = isOn;
    this.#changes++;
  }

  #sideOf(role: string): PendingEffects | undefined {
    if (this.#kind.on.includes(role)) return this.#on;
    return this.#kind.off.includes(role) ? this.#off : undefined;
  }
}

const noSuchState = (operation: OnlineOperation): OnlineCause => ({
  kind: 'no such state',
  operations: [operation],
});

export const keyOfSet: CreateStreamMonitor = (steps, [key]) => {
  const add = steps.spec.family?.roles.add;
  const [answer] = add === undefined ? [] : steps.apply(steps.initial, add, [key]);
  if (answer?.outcome.kind !== 'returned' || typeof answer.outcome.value !== 'boolean') return undefined;
  return new FlagMonitor(SET, steps, [key], !answer.outcome.value);
};

export const mutex: CreateStreamMonitor = (steps) => {
  const lock = steps.spec.family?.roles.lock;
  return lock === undefined
    ? undefined
    : new FlagMonitor(MUTEX, steps, [], steps.apply(steps.initial, lock, []).length === 0);
};
