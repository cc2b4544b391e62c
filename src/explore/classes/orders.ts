/**
 * Judges a whole class of executions by looking at one of them: is there an order of
 * its calls and returns that the specification does not explain?
 *
 * Whatever is explained stays so with less order between operations. So of all
 * orders only those with the most matter: a return that can come does come at
 * once. What is left to try is which call comes next. Alongside goes the
 * set of configurations (explore/automata/configurations.ts); where none is left, the calls and returns so
 * far, mapped back to steps, are a schedule that shows the violation.
 *
 * Where nobody can go on (S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 * linearizability checker. PLDI 2010, definition 2): each operation that waits must be able to wait after an
 * order of all that ended, the others that wait left out.
 *
 * Classes with the same outcomes and the same order between ends are judged once, and looked at again only if
 * they were wrong: each has a schedule of its own.
 */

import { bitsOf, lowestBit } from '../../base/collections/ints.js';
import { ListInterner } from '../../base/collections/list-interner.js';
import { RecordSet } from '../../base/collections/record-set.js';
import type { Execution } from '../../execution/execution.js';
import { CHOOSE } from '../../execution/memory/access.js';
import type { Configurations } from '../automata/configurations.js';
import { DEAD } from '../model/automaton.js';
import type { Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import { NO_STEP, type Steps } from './happens-before.js';

/*
 * The calls and returns of one class of executions, and which must come before which.
 *
 * A call is glued to the first step of its operation, a return to the last. The histories
 * of a class are the orders of these ends that respect what happened before what:
 * so they need not be run. Operations that did not end are left out: the place of a call that
 * waits for ever does not matter, since it comes last in every order that explains it.
 *
 * Sets of operations are bits. Cost: O(steps + operations²).
 */

export class Boundary {
  /** The operations that have ended. */
  ended = 0;
  /** Operation to its first and last step. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Operation to those that must have been called, and have returned, before it is called; and before it returns. */
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

/*
 * The steps of an execution in another order of their class.
 *
 * Given some steps in an order that respects what happened before what, puts
 * before each of them what must come before it, and nothing else. The rest follows as it was.
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
  /** The numbers of those that were wrong. */
  readonly #wrong = new Set<number>();
  readonly #key: Int32Array;
  /** Where an order stood: called, returned, configurations. */
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

  /** All orders that go on from here. */
  #from(called: number, returned: number, set: number): ScheduleViolation | undefined {
    const { ended, callAfterCalls, callAfterReturns, first } = this.#boundary;
    const begin = this.#path.length;
    // a return that can come does so
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
