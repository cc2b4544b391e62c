/**
 * The steps of one execution, and the happens-before relation between them.
 *
 * Two steps of different threads *conflict* if they access one location and not both only read. A step happens before
 * later steps of its thread, and before later steps that it conflicts with; the relation is transitive. Executions with
 * the same relation form an *equivalence class* (Mazurkiewicz trace). They differ only in the order of independent
 * steps, and every order of the steps that respects the relation is an execution too.
 *
 * Each step has a vector clock (F. Mattern, Virtual time and global states, 1989). It maps a thread to the number of its
 * steps that happened before. So `x` happened before `e` exactly if the clock of `e` has reached the index of `x` at the
 * thread of `x`.
 *
 * A choice belongs to the step before it, and has its index.
 *
 * If symmetric threads start in order (`Turns`), the first step of one happens before the first step of the next.
 *
 * Cost: O(threads) time and memory a step.
 */

import { grown } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import { CHOOSE, conflict, READ } from '../../execution/memory/access.js';
import { EVERYTHING } from '../../execution/memory/locations.js';

/**
 * Symmetry reduction: threads that make the same calls start in the order of their numbers, unless one has observed its
 * identity.
 *
 *   C. N. Ip, D. L. Dill. Better verification through symmetry. Formal Methods in System Design 9, 1996.
 *
 * The object cannot distinguish such threads. So renaming them turns any execution into one that keeps this order, with
 * the same verdict. It is enough to explore the program in which a thread starts after the first step of its *elder*,
 * the symmetric thread before it, as if the elder had started it. In happens-before this is one more edge.
 */
export class Turns {
  /** Thread to its elder, or -1; empty if threads start in any order. */
  elders: readonly number[];
  readonly #execution: Execution;

  constructor(execution: Execution) {
    this.#execution = execution;
    this.elders = execution.memory.isThreadObserved ? [] : execution.symmetricThreads;
  }

  /** The enabled threads without those whose elder has not started. */
  of(enabled: number): number {
    const { elders } = this;
    let rest = enabled;
    for (let thread = 0; thread < elders.length; thread++)
      if (elders[thread] >= 0 && !this.#execution.hasBegun(elders[thread])) rest &= ~(1 << thread);
    return rest;
  }

  /** Has a thread observed its identity? If so, drops the order and returns true once: the exploration must start again. */
  areOver(): boolean {
    if (this.elders.length === 0 || !this.#execution.memory.isThreadObserved) return false;
    this.drop();
    return true;
  }

  drop(): void {
    this.elders = [];
  }
}

/** No such step. */
export const NO_STEP = -1;

/** The part of `HappensBefore` that judging a class needs. */
export type Steps = Pick<
  HappensBefore,
  | 'threads'
  | 'length'
  | 'thread'
  | 'operation'
  | 'kind'
  | 'index'
  | 'ends'
  | 'alternative'
  | 'clocks'
  | 'precedes'
>;

export class HappensBefore {
  readonly threads: number;
  length = 0;
  /** Step to its thread, operation, kind, location (-1: none) and index among the steps of its thread, from 1. */
  thread: Int32Array = new Int32Array(64);
  operation: Int32Array = new Int32Array(64);
  kind: Int32Array = new Int32Array(64);
  location: Int32Array = new Int32Array(64);
  index: Int32Array = new Int32Array(64);
  /** Step to whether it carried the call (1) and the return (2) of its operation. */
  ends: Int32Array = new Int32Array(64);
  /** Of a choice: the alternative. */
  alternative: Int32Array = new Int32Array(64);
  /** Step e has its clock from `e * threads` on. */
  clocks: Int32Array;

  /** Of the step added last: the clock of its thread before it; and the last steps of other threads that it conflicts with. */
  readonly before: Int32Array;
  readonly conflicting: number[] = [];
  /** Thread to its clock. */
  readonly #clocks: readonly Int32Array[];
  /** `slot * threads + thread` (execution/memory/locations.ts) to the last step there that only read, or did more, + 1. */
  #reads: Int32Array = new Int32Array(256);
  #writes: Int32Array = new Int32Array(256);
  /** Has a step ever had an unknown effect? */
  #isEverythingUsed = false;
  /** Thread to its first step. */
  readonly #first: Int32Array;
  readonly #execution: Execution;
  readonly #turns: Turns | undefined;

  constructor(execution: Execution, turns?: Turns) {
    this.#execution = execution;
    this.#turns = turns;
    this.threads = execution.threads;
    this.clocks = new Int32Array(64 * this.threads);
    this.before = new Int32Array(this.threads);
    this.#clocks = Array.from({ length: this.threads }, () => new Int32Array(this.threads));
    this.#first = new Int32Array(this.threads).fill(NO_STEP);
  }

  /** Forgets all steps but the first ones. */
  cut(length: number): void {
    this.length = length;
    this.#reads.fill(0);
    this.#writes.fill(0);
    this.#first.fill(NO_STEP);
    for (const clock of this.#clocks) clock.fill(0);
    // later steps of a thread have later clocks
    for (let step = 0; step < length; step++) {
      this.#remember(step);
      copy(this.clocks, step * this.threads, this.#clocks[this.thread[step]], 0, this.threads);
    }
  }

  /** Adds the step that the execution has just taken. */
  add(thread: number): number {
    const { kind, location, isFirst, isLast, stepped, alternative } = this.#execution;
    const step = this.length++;
    if (step === this.thread.length) this.#grow();
    this.thread[step] = thread;
    this.operation[step] = stepped;
    this.kind[step] = kind;
    this.location[step] = location;
    this.alternative[step] = alternative;
    this.ends[step] = (isFirst ? 1 : 0) | (isLast ? 2 : 0);

    const clock = this.#clocks[thread];
    this.standAt(thread);
    this.#findConflicts(thread, kind, location);
    const { conflicting } = this;
    for (let i = 0; i < conflicting.length; i++) this.#join(clock, conflicting[i]);
    this.index[step] = kind === CHOOSE ? clock[thread] : ++clock[thread];
    copy(clock, 0, this.clocks, step * this.threads, this.threads);
    this.#remember(step);
    return step;
  }

  /** Sets `before` to the clock of a thread: the steps that happen before its next step, whatever that accesses. */
  standAt(thread: number): void {
    this.#joinMain(thread);
    this.joinElder(thread);
    copy(this.#clocks[thread], 0, this.before, 0, this.threads);
  }

  /** Did step x happen before step e, or is it the same? */
  precedes(x: number, e: number): boolean {
    return this.clocks[e * this.threads + this.thread[x]] >= this.index[x];
  }

  /** Would steps of these kinds at one location affect each other? */
  conflict(kind: number, other: number): boolean {
    return conflict(kind, other);
  }

  /** The last steps of other threads that a step of this kind conflicts with, one a thread. */
  #findConflicts(thread: number, kind: number, location: number): void {
    const { conflicting, threads } = this;
    // to set a length costs more than to compare it
    if (conflicting.length > 0) conflicting.length = 0;
    if (location < 0) return;
    const isChange = this.conflict(kind, READ);
    const { consults } = this.#execution.memory;
    const slots = consults[location] ?? [location, EVERYTHING];
    this.#reserve(Math.max(consults.length, location + 1));
    if (location === EVERYTHING && !this.#isEverythingUsed) this.#useEverything();
    // the last slot is that of everything
    const count = this.#isEverythingUsed ? slots.length : slots.length - 1;
    const reads = this.#reads;
    const writes = this.#writes;
    for (let other = 0; other < threads; other++) {
      if (other === thread) continue;
      let last = 0;
      for (let i = 0; i < count; i++) {
        const at = slots[i] * threads + other;
        if (writes[at] > last) last = writes[at];
        if (isChange && reads[at] > last) last = reads[at];
      }
      if (last > 0) conflicting.push(last - 1);
    }
  }

  #remember(step: number): void {
    const thread = this.thread[step];
    if (this.#first[thread] === NO_STEP) this.#first[thread] = step;
    const location = this.location[step];
    if (location < 0) return;
    const slots = this.#execution.memory.recordedIn[location] ?? [location, EVERYTHING];
    const count = this.#isEverythingUsed ? slots.length : slots.length - 1;
    const isChange = this.conflict(this.kind[step], READ);
    const last = isChange ? this.#writes : this.#reads;
    for (let i = 0; i < count; i++) last[slots[i] * this.threads + thread] = step + 1;
  }

  /** From now on, each step is also recorded in the slot that a step with an unknown effect consults. */
  #useEverything(): void {
    this.#isEverythingUsed = true;
    for (let step = 0; step < this.length - 1; step++) this.#remember(step);
  }

  /** Orders the steps of the main thread before all others, or after them. */
  #joinMain(thread: number): void {
    if (!this.#execution.hasMain) return;
    const main = this.threads - 1;
    const clock = this.#clocks[thread];
    const others = thread === main ? this.#clocks : [this.#clocks[main]];
    for (const other of others)
      for (let i = 0; i < clock.length; i++) if (other[i] > clock[i]) clock[i] = other[i];
  }

  protected joinElder(thread: number): void {
    const elders = this.#turns?.elders;
    if (elders === undefined || elders.length === 0 || this.#first[thread] !== NO_STEP) return;
    const elder = elders[thread];
    if (elder >= 0 && this.#first[elder] !== NO_STEP) this.#join(this.#clocks[thread], this.#first[elder]);
  }

  #join(clock: Int32Array, earlier: number): void {
    const { clocks, threads } = this;
    for (let i = 0, at = earlier * threads; i < threads; i++, at++)
      if (clocks[at] > clock[i]) clock[i] = clocks[at];
  }

  #reserve(slots: number): void {
    const room = slots * this.threads;
    if (room > this.#reads.length) this.#reads = grown(this.#reads, room);
    if (room > this.#writes.length) this.#writes = grown(this.#writes, room);
  }

  #grow(): void {
    for (const column of [
      'thread',
      'operation',
      'kind',
      'location',
      'index',
      'ends',
      'alternative',
      'clocks',
    ] as const)
      this[column] = grown(this[column], 0);
  }
}

/** For a few entries a loop is faster than `set`. */
function copy(from: Int32Array, start: number, to: Int32Array, at: number, count: number): void {
  for (let i = 0; i < count; i++) to[at + i] = from[start + i];
}
