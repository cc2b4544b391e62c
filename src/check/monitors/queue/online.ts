/**
 * A queue in which no value is put twice at the same time.
 *
 *   T. Henzinger, A. Sezgin, V. Vafeiadis. Aspect-oriented linearizability proofs. CONCUR 2013: a queue has no
 *   order exactly when a value comes from nowhere or twice, one overtakes another, or it is found empty
 *   while it can not be. Here at every event, with dequeues open whose results are not known.
 *
 * When a dequeue returns `a`, each value inside that was put in before `a` was must have left already:
 * it gets a *deadline*, now. It has been, or will be, taken by a dequeue called before that.
 *
 *   dequeue → v       not inside: never put in, or taken twice
 *                     its deadline was before the dequeue's call: v was overtaken
 *   any end           the j-th value with a deadline needs j open dequeues called before it (Hall)
 *   dequeue → empty   online-empty.ts
 *
 * Values with deadlines are those put in first, in order of return; each gets one at most once. Steps
 * aside for `peek`, for a value that is also the answer of an empty queue, and for one that is inside already: that is for `queueWithDuplicates`.
 *
 * Cost: O(open dequeues + gaps kept) an event, amortised. Memory: values inside, what is open, and those gaps.
 */

import {
  type CreateStreamMonitor,
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  Declined,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import { NOT_YET, type OnlineOperation } from '../../stream/operation.js';
import type { Call, Steps } from '../../stream/steps.js';
import { contentOf, initialAdds, type RoleOf, rolesOf } from '../../stream/value-numbering.js';
import type { OnlineCause } from '../../stream/violation.js';
import { queueWithDuplicates } from './online-duplicates.js';
import { EmptyResults } from './online-empty.js';

const DECLINE_TO_DUPLICATES = new Declined('repeated value', queueWithDuplicates);

/** A value that was put in and not seen to leave. In a list by `returned`, once that is known. */
interface Inside {
  readonly key: unknown;
  readonly enqueue: OnlineOperation;
  returned: number;
  deadline: number;
  /** The dequeue that set the deadline, and the enqueue of what it took. */
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
  /** Values not yet returned by a dequeue, by key; and what open enqueues put in. */
  readonly #inside = new Map<unknown, Inside>();
  readonly #enqueues = new Map<OnlineOperation, Inside>();
  /** Those whose enqueue has returned, in that order; how many, and how many of the first have deadlines. */
  #oldest: Inside | undefined;
  #newest: Inside | undefined;
  #count = 0;
  #deadlines = 0;
  #firstWithout: Inside | undefined;
  /** Open dequeues by call, those whose callers gave up too; and those that may still answer. */
  readonly #dequeues: OnlineOperation[] = [];
  readonly #answering = new Set<OnlineOperation>();
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
      this.#answering.add(operation);
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

  /** Is it the answer of an empty queue? That may be NaN. */
  #isEmpty(key: unknown): boolean {
    return key === this.#empty || (Number.isNaN(key) && Number.isNaN(this.#empty));
  }

  #endDequeue(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    this.#answering.delete(operation);
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
    // in the gaps between enqueue and dequeue it was inside; where they overlap, only one open dequeue is gone
    const returned = Math.min(value.returned, now);
    if (returned < call) this.#answers.ruleOut(returned, call);
    else this.#answers.lose(call, returned);
    // those that were inside before it was put in must have left
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

  /** `last`: who ended just now, and who put in what it took. */
  #notEmpty(last: readonly OnlineOperation[]): OnlineCause | undefined {
    const wrong = this.#answers.unexplained(this.#oldest?.returned ?? NOT_YET);
    if (!wrong) return undefined;
    const inside: OnlineOperation[] = [];
    for (let value = this.#oldest; value && value.returned < wrong.return; value = value.next)
      inside.push(value.enqueue);
    return { kind: 'never empty', operations: [wrong, ...last, ...inside.slice(0, 4)] };
  }

  #gapAfter(now: number): void {
    const [oldest] = this.#answering;
    if (oldest) this.#answers.add(now, this.#dequeues.length - this.#count);
    this.#answers.forget(oldest?.call ?? NOT_YET, () => this.#borders());
  }

  /** Where the gaps on either side may differ in their fate. */
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

  /** Its enqueue has returned. */
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

/** These values should have left before others did that were put in later; `dequeues` may have taken some, but not all. */
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
