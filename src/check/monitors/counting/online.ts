/** Online monitors of what is counted: counters, and permits of semaphores and multisets. */

import {
  type CreateStreamMonitor,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import { PendingEffects } from '../../stream/pending-effects.js';
import type { Call, OnlineOperation, Steps } from '../../stream/steps.js';

import { type RoleOf, rolesOf } from '../../stream/value-numbering.js';

/**
 * An online monitor of counters with increments by one, and reads.
 *
 * Increments take effect as late as possible: when they return, or when a read needs them
 * (check/stream/pending-effects.ts). So the count is as low as possible, and it passes through every number on its
 * way up:
 *
 *   read → k    below the count at its call   not linearizable
 *               up to the count now           the count was k during the call
 *               above it                      open increments have taken effect, if there are enough
 *
 * It declines `decrement`, and amounts other than one.
 *
 * Cost: O(open increments) per event. Memory: the open operations.
 */
class CounterMonitor implements StreamMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #initial: number;
  #count: number;
  readonly #increments = new PendingEffects();
  /** For each open read, the count at its call. */
  readonly #reads = new Map<OnlineOperation, number>();

  constructor(steps: Steps, initial: number) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#initial = initial;
    this.#count = initial;
  }

  get held(): number {
    return 1 + this.#increments.size + this.#reads.size;
  }

  get isInitial(): boolean {
    return this.#count === this.#initial;
  }

  calls(): readonly Call[] {
    const increment = this.#steps.spec.family?.roles.increment as string;
    return this.isInitial ? [] : [[increment, this.#count - this.#initial]];
  }

  call(operation: OnlineOperation): OnlineResult {
    const { method, args, call } = operation;
    const role = this.#roleOf(method);
    // beyond this, counts are not exact
    if (this.#count + this.#increments.size >= Number.MAX_SAFE_INTEGER) return DECLINE_METHOD;
    if (role === 'read') this.#reads.set(operation, this.#count);
    else if (role === 'increment' && (args[0] ?? 1) === 1) this.#increments.call(call);
    else return DECLINE_METHOD;
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const { method, outcome, call } = operation;
    const isRead = this.#roleOf(method) === 'read';
    if (outcome.kind === 'pending' || outcome.kind === 'failed') {
      if (isRead) this.#reads.delete(operation);
      else if (outcome.kind === 'failed') this.#increments.end(call);
      return this.#increments.areSatisfiable ? undefined : noSuchCount(operation);
    }
    if (isRead) return this.#read(operation, now);
    if (!this.#steps.values.isNothing(outcome)) return DECLINE_RESULT;
    this.#increments.end(call);
    if (!this.#increments.satisfy(call)) this.#count++;
    return this.#increments.areSatisfiable ? undefined : noSuchCount(operation);
  }

  #read(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    if (outcome.kind !== 'returned' || !Number.isSafeInteger(outcome.value)) return DECLINE_RESULT;
    const value = outcome.value as number;
    const least = this.#reads.get(operation) as number;
    this.#reads.delete(operation);
    if (value < least || value - this.#count > this.#increments.free) return noSuchCount(operation);
    for (; this.#count < value; this.#count++) this.#increments.need(now);
    return undefined;
  }
}

const noSuchCount = (operation: OnlineOperation): OnlineResult => ({
  kind: 'no such count',
  operations: [operation],
});

export const counter: CreateStreamMonitor = (steps) => {
  const read = steps.spec.family?.roles.read;
  const [answer] = read === undefined ? [] : steps.apply(steps.initial, read, []);
  return answer?.outcome.kind === 'returned' && Number.isSafeInteger(answer.outcome.value)
    ? new CounterMonitor(steps, answer.outcome.value as number)
    : undefined;
};

interface PermitsKind {
  readonly put: string;
  /** `take` blocks or returns nothing; `tryTake` returns whether it did. */
  readonly take: string;
  readonly tryTake: string;
  readonly look: string;
  /** The argument with the amount; the ones before it are the key. */
  readonly amountAt: number | undefined;
}

const SEMAPHORE: PermitsKind = {
  put: 'release',
  take: 'acquire',
  tryTake: 'tryAcquire',
  look: '',
  amountAt: 0,
};
const MULTISET: PermitsKind = {
  put: 'add',
  take: '',
  tryTake: 'remove',
  look: 'contains',
  amountAt: undefined,
};

/**
 * An online monitor of permits: of a semaphore, or of a key of a multiset.
 *
 * As long as no result says that there was too little, one order is as good as any: puts take effect at their calls,
 * takes at their returns. Then there is always as much as possible, and a take that finds too little has no
 * linearization. A result that there was too little breaks this: add[0,1] remove[2,7] remove→false[3,6] add[4,5]
 * needs its first remove early. The monitor then declines; it also declines when a put failed, because earlier takes
 * may have used it.
 *
 * Cost: O(1) per event.
 */
class PermitsMonitor implements StreamMonitor {
  readonly held = 1;
  readonly #kind: PermitsKind;
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #key: readonly unknown[];
  readonly #initial: number;
  /** The largest possible number. */
  #count: number;
  /** The last event after which there was at least one. */
  #lastSome: number;

  constructor(kind: PermitsKind, steps: Steps, key: readonly unknown[], initial: number) {
    this.#kind = kind;
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#key = key;
    this.#initial = initial;
    this.#count = initial;
    this.#lastSome = initial > 0 ? 0 : -1;
  }

  get isInitial(): boolean {
    return this.#count === this.#initial;
  }

  calls(): readonly Call[] {
    const more = this.#count - this.#initial;
    const { put, take, tryTake, amountAt } = this.#kind;
    const { roles = {} } = this.#steps.spec.family ?? {};
    const method = more > 0 ? roles[put] : (roles[take] ?? roles[tryTake]);
    if (more === 0) return [];
    if (amountAt !== undefined) return [[method, ...this.#key, Math.abs(more)]];
    return Array.from({ length: Math.abs(more) }, () => [method, ...this.#key] as const);
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.#roleOf(operation.method);
    const { put, take, tryTake, look } = this.#kind;
    if (role === undefined || ![put, take, tryTake, look].includes(role)) return DECLINE_METHOD;
    const amount = this.#amountOf(operation);
    if (amount === undefined) return DECLINE_RESULT;
    if (role === put) this.#change(amount, operation.call);
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const role = this.#roleOf(operation.method);
    const { outcome } = operation;
    const { put, take, look } = this.#kind;
    if (outcome.kind === 'pending') return undefined;
    if (outcome.kind === 'failed') return role === put ? DECLINE_RESULT : undefined;
    if (role === put || role === take) {
      if (!this.#steps.values.isNothing(outcome)) return DECLINE_RESULT;
      if (role === put) return undefined;
    } else if (outcome.kind !== 'returned' || outcome.value !== true) return DECLINE_RESULT;
    if (role === look)
      return this.#lastSomeBy(now - 1) >= operation.call
        ? undefined
        : { kind: 'nothing left', operations: [operation] };
    this.#change(-(this.#amountOf(operation) as number), now);
    return this.#count >= 0 ? undefined : { kind: 'nothing left', operations: [operation] };
  }

  /** The last event up to `now` after which there was at least one. */
  #lastSomeBy(now: number): number {
    return this.#count > 0 ? now : this.#lastSome;
  }

  #change(by: number, now: number): void {
    this.#lastSome = this.#lastSomeBy(now - 1);
    this.#count += by;
  }

  #amountOf({ args }: OnlineOperation): number | undefined {
    const amount = this.#kind.amountAt === undefined ? 1 : (args[this.#kind.amountAt] ?? 1);
    return Number.isSafeInteger(amount) && (amount as number) >= 0 ? (amount as number) : undefined;
  }
}

export const semaphore: CreateStreamMonitor = (steps) => {
  const acquire = steps.spec.family?.roles.acquire;
  if (acquire === undefined) return undefined;
  const fits = (permits: number) => steps.apply(steps.initial, acquire, [permits]).length > 0;
  // the number of permits: the most that can be acquired, found by halving
  let [least, most] = [0, 1];
  while (most < 2 ** 40 && fits(most)) [least, most] = [most, 2 * most];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return new PermitsMonitor(SEMAPHORE, steps, [], least);
};

export const keyOfMultiset: CreateStreamMonitor = (steps, [key]) => {
  const remove = steps.spec.family?.roles.remove;
  if (remove === undefined) return undefined;
  let [count, state] = [0, steps.initial];
  for (;;) {
    const [answer] = steps.apply(state, remove, [key]);
    if (!answer || answer.next === state) return new PermitsMonitor(MULTISET, steps, [key], count);
    count++;
    state = answer.next;
  }
};
