/**
 * Judges an equivalence class by one of its executions: does it allow an order of calls and returns without a
 * linearization?
 *
 * A linearizable history stays linearizable with less real-time order. So only the orders with the most real-time order
 * matter: each return comes as soon as it can, and only the next call is a choice. The search carries the set of
 * configurations (explore/automata/configurations.ts). If the set becomes empty, the calls and returns so far, mapped
 * back to steps, give a schedule of the violation.
 *
 * If no thread is enabled, each blocked operation must be allowed to block after a linearization of the completed
 * operations, without the other blocked ones (S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and
 * automatic linearizability checker. PLDI 2010, definition 2).
 *
 * Classes with the same outcomes and the same order of calls and returns share one verdict. Only violating ones are
 * judged again, since each has a schedule of its own.
 */
import { ListInterner } from '../../base/collections/interners.js';
import { bitsOf, lowestBit } from '../../base/collections/ints.js';
import { RecordSet } from '../../base/collections/record-set.js';
import type { Execution } from '../../execution/execution.js';
import { CHOOSE } from '../../execution/memory/access.js';
import { type Configurations, DEAD } from '../automata/configurations.js';
import type { Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import { NO_STEP, type Steps } from './happens-before.js';

/**
 * The calls and returns of an equivalence class, and the partial order between them.
 *
 * A call takes place at the first step of its operation, a return at the last. The histories of the class are the orders
 * of calls and returns that respect happens-before, so they need not be executed. Operations that did not return are
 * omitted: a call that is blocked forever comes last in every linearization, so its place does not matter.
 *
 * Sets of operations are bits. Cost: O(steps + operations²).
 */
export class Boundary {
  /** The operations that have returned. */
  ended = 0;
  /** Operation to its first and last step. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Operation to those that must have been called, or have returned, before its call; and before its return. */
  readonly callAfterCalls: Int32Array;
  readonly callAfterReturns: Int32Array;
  readonly returnAfterCalls: Int32Array;
  readonly returnAfterReturns: Int32Array;
  readonly #steps: Steps;

  constructor(execution: Execution, steps: Steps) {
    const operations = execution.calls.length;
    this.#steps = steps;
    this.first = new Int32Array(operations);
    this.last = new Int32Array(operations);
    this.callAfterCalls = new Int32Array(operations);
    this.callAfterReturns = new Int32Array(operations);
    this.returnAfterCalls = new Int32Array(operations);
    this.returnAfterReturns = new Int32Array(operations);
  }

  /** Reads the steps of an execution. */
  read(): void {
    const { first, last } = this;
    this.#findEnds();
    for (let a = 0; a < first.length; a++) {
      let callAfterCalls = 0;
      let callAfterReturns = 0;
      let returnAfterCalls = 0;
      let returnAfterReturns = 0;
      for (let b = 0; b < first.length; b++) {
        if (a === b || last[a] === NO_STEP || last[b] === NO_STEP) continue;
        const bit = 1 << b;
        if (this.#precedes(first[b], last[a])) returnAfterCalls |= bit;
        else continue;
        if (this.#precedes(first[b], first[a])) callAfterCalls |= bit;
        if (this.#precedes(last[b], last[a])) returnAfterReturns |= bit;
        if (this.#precedes(last[b], first[a])) callAfterReturns |= bit;
      }
      this.callAfterCalls[a] = callAfterCalls;
      this.callAfterReturns[a] = callAfterReturns;
      this.returnAfterCalls[a] = returnAfterCalls;
      this.returnAfterReturns[a] = returnAfterReturns;
    }
  }

  #findEnds(): void {
    const { operation, ends, length } = this.#steps;
    this.ended = 0;
    this.first.fill(NO_STEP);
    this.last.fill(NO_STEP);
    for (let step = 0; step < length; step++) {
      if (ends[step] & 1) this.first[operation[step]] = step;
      if (ends[step] & 2) {
        this.last[operation[step]] = step;
        this.ended |= 1 << operation[step];
      }
    }
  }

  #precedes(x: number, e: number): boolean {
    const { clocks, threads, thread, index } = this.#steps;
    return clocks[e * threads + thread[x]] >= index[x];
  }
}

/**
 * Returns a schedule of the same class that reaches the steps of `path` early. Before each of them it places only the
 * steps that happened before it. The other steps follow in their old order. `path` must respect happens-before.
 */
export function scheduleThrough(steps: Steps, path: readonly number[]): Schedule {
  const order: number[] = [];
  const isPlaced = new Uint8Array(steps.length);
  const place = (fits: (step: number) => boolean): void => {
    for (let step = 0; step < steps.length; step++) {
      if (isPlaced[step] === 1 || !fits(step)) continue;
      isPlaced[step] = 1;
      order.push(step);
    }
  };
  for (const end of path) place((step) => steps.precedes(step, end));
  place(() => true);
  return order.map((step) => (steps.kind[step] === CHOOSE ? steps.alternative[step] : steps.thread[step]));
}

export class Orders implements Judge {
  histories = 0;
  readonly #execution: Execution;
  readonly #steps: Steps;
  readonly #boundary: Boundary;
  readonly #configurations: Configurations;

  readonly #seen = new ListInterner();
  /** The numbers of those with a violation. */
  readonly #wrong = new Set<number>();
  readonly #key: Int32Array;
  /** Visited nodes of the search: called and returned operations, configurations. */
  readonly #visited = new RecordSet(4, 1);
  /** The steps of the calls and returns so far. */
  readonly #path: number[] = [];
  #pending = 0;

  constructor(execution: Execution, steps: Steps, boundary: Boundary, configurations: Configurations) {
    this.#execution = execution;
    this.#steps = steps;
    this.#boundary = boundary;
    this.#configurations = configurations;
    this.#key = new Int32Array(5 * execution.calls.length + 1);
  }

  judge(): ScheduleViolation | undefined {
    this.#pending = this.#execution.pending();
    this.#boundary.read();
    const number = this.#number();
    if (number < this.histories && !this.#wrong.has(number)) return undefined;
    this.histories = this.#seen.size;
    this.#visited.clear();
    this.#path.length = 0;
    const finding = this.#from(0, 0, this.#configurations.initial);
    if (finding) this.#wrong.add(number);
    return finding;
  }

  #number(): number {
    const { callAfterCalls, callAfterReturns, returnAfterCalls, returnAfterReturns } = this.#boundary;
    const { outcome } = this.#execution;
    const key = this.#key;
    let at = 0;
    key[at++] = this.#pending;
    for (let k = 0; k < outcome.length; k++) {
      key[at++] = outcome[k];
      key[at++] = callAfterCalls[k];
      key[at++] = callAfterReturns[k];
      key[at++] = returnAfterCalls[k];
      key[at++] = returnAfterReturns[k];
    }
    return this.#seen.intern(key, at);
  }

  /** Searches all orders of calls and returns that continue from here. */
  #from(called: number, returned: number, set: number): ScheduleViolation | undefined {
    const { ended, callAfterCalls, callAfterReturns, first } = this.#boundary;
    const begin = this.#path.length;
    // each return comes as soon as it can
    for (let k = this.#returning(called, returned); k >= 0; k = this.#returning(called, returned)) {
      this.#path.push(this.#boundary.last[k]);
      const next = this.#configurations.return(set, k, this.#execution.outcome[k]);
      if (next === DEAD)
        return this.#pending ? this.#found('wait', lowestBit(this.#pending)) : this.#found('outcome', k);
      set = next;
      returned |= 1 << k;
    }
    if (returned === ended) return this.#unexplainedWait(set, begin);
    if (this.#isVisited(called, returned, set)) {
      this.#path.length = begin;
      return undefined;
    }

    for (let rest = ended & ~called; rest !== 0; rest &= rest - 1) {
      const k = lowestBit(rest);
      if (callAfterCalls[k] & ~called || callAfterReturns[k] & ~returned) continue;
      this.#path.push(first[k]);
      const finding = this.#from(called | (1 << k), returned, this.#configurations.call(set, k));
      if (finding) return finding;
      this.#path.pop();
    }
    this.#path.length = begin;
    return undefined;
  }

  /** An operation that can return, or -1. */
  #returning(called: number, returned: number): number {
    const { returnAfterCalls, returnAfterReturns } = this.#boundary;
    for (let open = called & ~returned; open !== 0; open &= open - 1) {
      const k = lowestBit(open);
      if (!(returnAfterCalls[k] & ~called || returnAfterReturns[k] & ~returned)) return k;
    }
    return -1;
  }

  #unexplainedWait(set: number, begin: number): ScheduleViolation | undefined {
    const operation = this.#configurations.needlessWait(set, bitsOf(this.#pending));
    if (operation >= 0) return this.#found('wait', operation);
    this.#path.length = begin;
    return undefined;
  }

  #isVisited(called: number, returned: number, set: number): boolean {
    const visited = this.#visited;
    const at = visited.draft();
    visited.records[at] = 0;
    visited.records[at + 1] = called;
    visited.records[at + 2] = returned;
    visited.records[at + 3] = set;
    return !visited.add();
  }

  #found(kind: ScheduleViolation['kind'], operation: number): ScheduleViolation {
    return { kind, operation, schedule: scheduleThrough(this.#steps, this.#path) };
  }
}

/** Judges an execution by its own order of calls and returns, not by all orders of its class. */
export class OwnOrder implements Judge {
  histories = 0;
  readonly #execution: Execution;
  readonly #steps: Steps;
  readonly #configurations: Configurations;

  constructor(execution: Execution, steps: Steps, configurations: Configurations) {
    this.#execution = execution;
    this.#steps = steps;
    this.#configurations = configurations;
  }

  judge(): ScheduleViolation | undefined {
    const { operation, ends, length } = this.#steps;
    const pending = this.#execution.pending();
    this.histories++;
    let set = this.#configurations.initial;
    for (let step = 0; step < length; step++) {
      const k = operation[step];
      if (pending & (1 << k)) continue;
      if (ends[step] & 1) set = this.#configurations.call(set, k);
      if (ends[step] & 2) set = this.#configurations.return(set, k, this.#execution.outcome[k]);
      if (set === DEAD) return pending ? this.#found('wait', lowestBit(pending)) : this.#found('outcome', k);
    }
    const blocked = this.#configurations.needlessWait(set, bitsOf(pending));
    return blocked < 0 ? undefined : this.#found('wait', blocked);
  }

  #found(kind: ScheduleViolation['kind'], operation: number): ScheduleViolation {
    return { kind, operation, schedule: scheduleThrough(this.#steps, []) };
  }
}
