/**
 * An online monitor of registers, or keys of a map, to which each value is written once.
 *
 *   P. Gibbons, E. Korach. Testing shared memories. SIAM J. Comput. 26(4), 1997, section 4.
 *
 * The cluster of a value is the operations that wrote and read it. Let `first` be the earliest return among them and
 * `last` the latest call. In a linearization all operations of one value come before all of another, or after. So two
 * values contradict each other exactly when first(v) < last(w) and first(w) < last(v). The history is linearizable
 * exactly when no two values do.
 *
 * A write that no operation has read counts only when it has returned: until then its `first` is undefined. `first`
 * is set once, and is then the latest so far. So only a read that makes `last` later can cause a contradiction.
 *
 * A value is obsolete, and dropped, when no open or future read may return it: another value has an operation that
 * was called after first(v), and one that returned before the oldest open read was called. An obsolete value may be
 * written again. The monitor declines a second write of a value that is not obsolete.
 *
 * Cost: O(values written while the oldest read is open) per return; the memory is the same.
 */

import {
  type CreateStreamMonitor,
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineCause,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import { type Call, NOT_YET, type OnlineOperation, type Steps } from '../../stream/steps.js';
import { type RoleOf, rolesOf } from '../../stream/value-numbering.js';

interface Written {
  readonly key: unknown;
  readonly value: unknown;
  /** Undefined for the initial value. */
  readonly write: OnlineOperation | undefined;
  first: number;
  last: number;
  /** The first operation to return, and the last to be called. */
  firstBy: OnlineOperation | undefined;
  lastBy: OnlineOperation | undefined;
}

class RegisterMonitor implements StreamMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #read: string;
  readonly #write: string;
  /** The arguments before the value. */
  readonly #key: readonly unknown[];
  /** The values that are not obsolete. */
  readonly #values = new Map<unknown, Written>();
  readonly #initial: Written;
  /** Open reads, the oldest first; and the values of open writes. */
  readonly #reads = new Set<OnlineOperation>();
  readonly #writes = new Map<OnlineOperation, Written>();
  #room = 4;

  constructor(steps: Steps, read: string, write: string, key: readonly unknown[], initial: unknown) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#read = read;
    this.#write = write;
    this.#key = key;
    this.#initial = {
      key: steps.values.keyOf(initial),
      value: initial,
      write: undefined,
      first: 0,
      last: 0,
      firstBy: undefined,
      lastBy: undefined,
    };
    this.#values.set(this.#initial.key, this.#initial);
  }

  get held(): number {
    return this.#values.size + this.#reads.size + this.#writes.size;
  }

  get isInitial(): boolean {
    const [only, another] = this.#values.values();
    return only === this.#initial && another === undefined;
  }

  calls(): readonly Call[] | undefined {
    this.#forget();
    const [only, another] = this.#values.values();
    if (another) return undefined;
    const write = this.#steps.spec.family?.roles[this.#write] as string;
    return only === this.#initial ? [] : [[write, ...this.#key, only.value]];
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.#roleOf(operation.method);
    if (role === this.#read) {
      this.#reads.add(operation);
      return undefined;
    }
    if (role !== this.#write) return DECLINE_METHOD;
    const value = operation.args[this.#key.length];
    const key = this.#steps.values.keyOf(value);
    if (this.#values.has(key)) this.#forget();
    if (this.#values.has(key)) return DECLINE_DUPLICATE;
    const written: Written = {
      key,
      value,
      write: operation,
      first: NOT_YET,
      last: operation.call,
      firstBy: undefined,
      lastBy: operation,
    };
    this.#values.set(key, written);
    this.#writes.set(operation, written);
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    const found =
      this.#roleOf(operation.method) === this.#read
        ? this.#endRead(operation, now)
        : this.#endWrite(operation, now);
    if (outcome.kind !== 'pending' && this.#values.size > this.#room) {
      this.#forget();
      this.#room = Math.max(4, 2 * this.#values.size);
    }
    return found;
  }

  #endWrite(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    if (outcome.kind === 'pending') return undefined;
    const written = this.#writes.get(operation) as Written;
    if (outcome.kind === 'failed') {
      this.#writes.delete(operation);
      if (written.firstBy) return { kind: 'not current', operations: [operation, written.firstBy] };
      this.#values.delete(written.key);
      return undefined;
    }
    if (!this.#steps.values.isNothing(outcome)) return DECLINE_RESULT;
    this.#writes.delete(operation);
    if (written.first === NOT_YET) {
      written.first = now;
      written.firstBy = operation;
    }
    return undefined;
  }

  #endRead(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome, call } = operation;
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    this.#reads.delete(operation);
    if (outcome.kind !== 'returned') return undefined;
    const own = this.#values.get(this.#steps.values.keyOf(outcome.value));
    if (!own) return { kind: 'not current', operations: [operation] };
    if (own.first === NOT_YET) {
      own.first = now;
      own.firstBy = operation;
    }
    if (call > own.last) {
      own.last = call;
      own.lastBy = operation;
    }
    for (const other of this.#values.values())
      if (other !== own && other.first < own.last && own.first < other.last) return replaced(own, other);
    return undefined;
  }

  /** Drops obsolete values. */
  #forget(): void {
    const [oldest] = this.#reads;
    const begin = oldest?.call ?? NOT_YET;
    // of those that returned before all open reads were called, the two that were called last
    let [latest, second]: (Written | undefined)[] = [];
    for (const written of this.#values.values()) {
      if (written.first >= begin) continue;
      if (!latest || written.last > latest.last) [latest, second] = [written, latest];
      else if (!second || written.last > second.last) second = written;
    }
    for (const written of this.#values.values()) {
      const other = written === latest ? second : latest;
      if (other && other.last > written.first) this.#values.delete(written.key);
    }
  }
}

/** Each of two values has a return before a call of the other. */
function replaced(own: Written, other: Written): OnlineCause {
  const operations = [own, other].flatMap(({ write, firstBy, lastBy }) => [write, firstBy, lastBy]);
  return { kind: 'replaced', operations: operations.filter((operation) => operation !== undefined) };
}

const create = (steps: Steps, read: string, write: string, key: readonly unknown[]) => {
  const method = steps.spec.family?.roles[read];
  const [answer] = method === undefined ? [] : steps.apply(steps.initial, method, key);
  return answer?.outcome.kind === 'returned'
    ? new RegisterMonitor(steps, read, write, key, answer.outcome.value)
    : undefined;
};

export const register: CreateStreamMonitor = (steps) => create(steps, 'read', 'write', []);
export const keyOfMap: CreateStreamMonitor = (steps, [key]) => create(steps, 'get', 'put', [key]);
