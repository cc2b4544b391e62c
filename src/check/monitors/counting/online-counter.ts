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

import {
  type CreateStreamMonitor,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import type { OnlineOperation } from '../../stream/operation.js';
import { PendingEffects } from '../../stream/pending-effects.js';
import type { Call, Steps } from '../../stream/steps.js';
import { type RoleOf, rolesOf } from '../../stream/value-numbering.js';

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
