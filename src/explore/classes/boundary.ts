/**
 * The calls and returns of one class of executions, and which must come before which.
 *
 * A call is glued to the first step of its operation, a return to the last. The histories
 * of a class are the orders of these ends that respect what happened before what:
 * so they need not be run. Operations that did not end are left out: the place of a call that
 * waits for ever does not matter, since it comes last in every order that explains it.
 *
 * Sets of operations are bits. Cost: O(steps + operations²).
 */
import type { Execution } from '../../execution/execution.js';
import { NO_STEP, type Steps } from './happens-before.js';

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
