/**
 * An online monitor of queues in which no value is present twice.
 *
 *   T. Henzinger, A. Sezgin, V. Vafeiadis. Aspect-oriented linearizability proofs. CONCUR 2013: a queue is not
 *   linearizable exactly when a value comes from nowhere or twice, one overtakes another, or the queue is found
 *   empty although it cannot be. Here at every event, with open dequeues whose results are unknown.
 *
 * When a dequeue returns `a`, each value that was present before `a` was enqueued must have left already. It gets a
 * *deadline*, now: it has been or will be removed by a dequeue that was called before.
 *
 *   dequeue → v       v is not present: never enqueued, or removed twice
 *                     its deadline was before the dequeue's call: v was overtaken
 *   any end           the j-th value with a deadline needs j open dequeues called before it (Hall)
 *   dequeue → empty   online-empty.ts
 *
 * Values with deadlines are the first that were enqueued, in order of return; each gets a deadline at most once. The
 * monitor declines `peek`, a value that equals the result of an empty queue, and duplicates, for which it names
 * `queueWithDuplicates`.
 *
 * Cost: O(open dequeues + gaps kept) per event, amortised. Memory: the present values, the open operations, and those
 * gaps.
 */

import {
  type CreateStreamMonitor,
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  Declined,
  type OnlineCause,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import { type Call, NOT_YET, type OnlineOperation, type Steps } from '../../stream/steps.js';
import { contentOf, initialAdds, type RoleOf, rolesOf } from '../../stream/value-numbering.js';
import { queueWithDuplicates } from './online-duplicates.js';
import { EmptyResults } from './online-empty.js';

const DECLINE_TO_DUPLICATES = new Declined('repeated value', queueWithDuplicates);

/** A value that was enqueued and not yet returned; in a list by `returned`, once that is known. */
interface Inside {
  readonly key: unknown;
  readonly enqueue: OnlineOperation;
  returned: number;
  deadline: number;
  /** The dequeue that set the deadline, and the enqueue of the value it removed. */
  overtaker: OnlineOperation | undefined;
  overtakers: OnlineOperation | undefined;
  before: Inside | undefined;
  next: Inside | undefined;
}

class QueueMonitor implements StreamMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #empty: unknown;
  readonly #initial: number;
  /** Values not yet returned by a dequeue, by key; and the values of open enqueues. */
  readonly #inside = new Map<unknown, Inside>();
  readonly #enqueues = new Map<OnlineOperation, Inside>();
  /** The values whose enqueue has returned, in that order; how many, and how many of the first have deadlines. */
  #oldest: Inside | undefined;
  #newest: Inside | undefined;
  #count = 0;
  #deadlines = 0;
  #firstWithout: Inside | undefined;
  /** Open dequeues by call, including those of unknown outcome; and those that may still return. */
  readonly #dequeues: OnlineOperation[] = [];
  readonly #mayReturn = new Set<OnlineOperation>();
  readonly #answers = new EmptyResults();

  constructor(steps: Steps, items: readonly unknown[]) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#empty = steps.values.keyOf(steps.spec.family?.empty);
    this.#initial = items.length;
    for (const enqueue of initialAdds(items, steps.spec.family?.roles.add as string))
      this.#append(this.#put(steps.values.keyOf(enqueue.args[0]), enqueue), enqueue.return);
  }

  get held(): number {
    return this.#inside.size + this.#enqueues.size + this.#dequeues.length + this.#answers.size;
  }

  get isInitial(): boolean {
    return this.#count === this.#initial && (this.#newest?.returned ?? 0) <= 0;
  }

  calls(): readonly Call[] | undefined {
    const { add, remove } = this.#steps.spec.family?.roles ?? {};
    const calls: Call[] = [];
    let left = 0;
    for (let value = this.#oldest; value; value = value.next) {
      if (value.before && value.before.returned > value.enqueue.call) return undefined;
      if (value.returned <= 0) left++;
      else calls.push([add, ...value.enqueue.args]);
    }
    return [...Array.from({ length: this.#initial - left }, () => [remove] as const), ...calls];
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.#roleOf(operation.method);
    const now = operation.call;
    if (role === 'add') {
      const key = this.#steps.values.keyOf(operation.args[0]);
      if (this.#isEmpty(key)) return DECLINE_DUPLICATE;
      if (this.#inside.has(key)) return DECLINE_TO_DUPLICATES;
      this.#enqueues.set(operation, this.#put(key, operation));
    } else if (role === 'remove') {
      this.#dequeues.push(operation);
      this.#mayReturn.add(operation);
    } else return DECLINE_METHOD;
    this.#gapAfter(now);
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const isAdd = this.#roleOf(operation.method) === 'add';
    const found = isAdd ? this.#endEnqueue(operation, now) : this.#endDequeue(operation, now);
    if (found) return found;
    this.#gapAfter(now);
    return undefined;
  }

  #endEnqueue(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    if (outcome.kind === 'pending') return undefined;
    const value = this.#enqueues.get(operation) as Inside;
    const isInside = this.#inside.get(value.key) === value;
    if (outcome.kind !== 'failed' && !this.#steps.values.isNothing(outcome)) return DECLINE_RESULT;
    this.#enqueues.delete(operation);
    if (outcome.kind === 'failed') {
      if (!isInside) return { kind: 'absent value', operations: [operation] };
      this.#inside.delete(value.key);
    } else if (isInside) this.#append(value, now);
    return undefined;
  }

  /** Whether it is the result of an empty queue, which may be NaN. */
  #isEmpty(key: unknown): boolean {
    return key === this.#empty || (Number.isNaN(key) && Number.isNaN(this.#empty));
  }

  #endDequeue(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    this.#mayReturn.delete(operation);
    if (outcome.kind === 'pending') return undefined;
    const key = outcome.kind === 'returned' ? this.#steps.values.keyOf(outcome.value) : undefined;
    const taken = this.#inside.get(key)?.enqueue;
    if (outcome.kind === 'failed' || this.#isEmpty(key)) {
      this.#close(operation);
      if (outcome.kind !== 'failed') this.#answers.ask(operation);
      this.#answers.lose(operation.call, now);
    } else {
      const wrong = this.#take(operation, key, now);
      if (wrong) return wrong;
    }
    return this.#tooLate() ?? this.#notEmpty(taken ? [operation, taken] : [operation]);
  }

  /** A dequeue has returned a value. */
  #take(operation: OnlineOperation, key: unknown, now: number): OnlineCause | undefined {
    const value = this.#inside.get(key);
    const { call } = operation;
    if (!value) return { kind: 'absent value', operations: [operation] };
    if (value.deadline < call) return overtaken([value], [operation]);
    this.#inside.delete(key);
    this.#close(operation);
    if (value.returned < NOT_YET) this.#remove(value);
    // it was present in the gaps between enqueue and dequeue; where they overlap, only one open dequeue is gone
    const returned = Math.min(value.returned, now);
    if (returned < call) this.#answers.ruleOut(returned, call);
    else this.#answers.lose(call, returned);
    // the values that were present before it was enqueued must have left
    for (let left = this.#firstWithout; left && left.returned < value.enqueue.call; left = left.next) {
      left.deadline = now;
      left.overtaker = operation;
      left.overtakers = value.enqueue;
      this.#deadlines++;
      this.#firstWithout = left.next;
    }
    return undefined;
  }

  /** A value with a deadline for which there is no open dequeue. */
  #tooLate(): OnlineCause | undefined {
    let value = this.#oldest;
    const late: Inside[] = [];
    for (let j = 0; j < this.#deadlines && value; j++, value = value.next) {
      late.push(value);
      if (j >= this.#dequeues.length || this.#dequeues[j].call > value.deadline)
        return overtaken(late, this.#dequeues.slice(0, j));
    }
    return undefined;
  }

  /** `last`: the operation that just ended, and the enqueue of the value it removed. */
  #notEmpty(last: readonly OnlineOperation[]): OnlineCause | undefined {
    const wrong = this.#answers.unexplained(this.#oldest?.returned ?? NOT_YET);
    if (!wrong) return undefined;
    const inside: OnlineOperation[] = [];
    for (let value = this.#oldest; value && value.returned < wrong.return; value = value.next)
      inside.push(value.enqueue);
    return { kind: 'never empty', operations: [wrong, ...last, ...inside.slice(0, 4)] };
  }

  #gapAfter(now: number): void {
    const [oldest] = this.#mayReturn;
    if (oldest) this.#answers.add(now, this.#dequeues.length - this.#count);
    this.#answers.forget(oldest?.call ?? NOT_YET, () => this.#borders());
  }

  /** The times at which neighbouring gaps may behave differently. */
  #borders(): number[] {
    const borders = this.#dequeues.map(({ call }) => call);
    for (let value = this.#oldest; value; value = value.next) borders.push(value.returned);
    return borders.sort((a, b) => a - b);
  }

  #put(key: unknown, enqueue: OnlineOperation): Inside {
    const value: Inside = {
      key,
      enqueue,
      returned: NOT_YET,
      deadline: NOT_YET,
      overtaker: undefined,
      overtakers: undefined,
      before: undefined,
      next: undefined,
    };
    this.#inside.set(key, value);
    return value;
  }

  /** The enqueue of a value has returned. */
  #append(value: Inside, now: number): void {
    value.returned = now;
    value.before = this.#newest;
    if (this.#newest) this.#newest.next = value;
    else this.#oldest = value;
    this.#newest = value;
    this.#firstWithout ??= value;
    this.#count++;
  }

  #remove(value: Inside): void {
    if (value.before) value.before.next = value.next;
    else this.#oldest = value.next;
    if (value.next) value.next.before = value.before;
    else this.#newest = value.before;
    if (this.#firstWithout === value) this.#firstWithout = value.next;
    if (value.deadline < NOT_YET) this.#deadlines--;
    this.#count--;
  }

  #close(dequeue: OnlineOperation): void {
    this.#dequeues.splice(this.#dequeues.indexOf(dequeue), 1);
  }
}

/**
 * These values should have left before others that were enqueued later; `dequeues` may have removed some, but not
 * all.
 */
function overtaken(values: readonly Inside[], dequeues: readonly OnlineOperation[]): OnlineCause {
  const operations = values.flatMap(({ enqueue, overtaker, overtakers }) => [enqueue, overtakers, overtaker]);
  return {
    kind: 'overtaken',
    operations: [...operations.filter((operation) => operation !== undefined), ...dequeues],
  };
}

export const queue: CreateStreamMonitor = (steps, args, limits) => {
  const { roles, empty } = steps.spec.family ?? {};
  if (roles?.add === undefined || roles.remove === undefined) return undefined;
  const items = contentOf(steps, roles.remove);
  if (!items) return undefined;
  const keys = new Set([empty, ...items].map((value) => steps.values.keyOf(value)));
  return keys.size === 1 + items.length
    ? new QueueMonitor(steps, items)
    : queueWithDuplicates(steps, args, limits);
};
