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

import {
  type CreateStreamMonitor,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import type { OnlineOperation } from '../../stream/operation.js';
import type { Call, Steps } from '../../stream/steps.js';
import { type RoleOf, rolesOf } from '../../stream/value-numbering.js';

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
