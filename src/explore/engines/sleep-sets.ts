/**
 * Sleep sets: at each place of a path, the threads whose next step was tried there or before, and leads to nothing new.
 *
 *   P. Godefroid. Partial-order methods for the verification of concurrent systems. LNCS 1032, 1996.
 *
 * A sleeping thread wakes when another thread takes a step that depends on its own: then the two orders differ. Steps are
 * independent if they access different locations, or both only read.
 *
 * For stateful search, the order of calls and returns matters too. A sleeping thread whose step carries a call wakes at
 * a step that carries a return. The reverse case needs no wake-up: the order that was tried, return before call, has more
 * real-time order, so it shows every violation of the other.
 *
 * Cost: O(sleeping threads) a step.
 */
import { grown, lowestBit } from '../../base/collections/ints.js';
import { type Access, access, conflict, kindOf, locationOf } from '../../execution/memory/access.js';
import type { Locations } from '../../execution/memory/locations.js';
import type { HappensBefore } from '../classes/happens-before.js';

/** Bits of a step: it carries the call, or the return, of its operation. */
export const CALL = 1;
export const RETURN = 2;

export class SleepSets {
  readonly #threads: number;
  readonly #memory: Pick<Locations, 'overlap'>;
  /** Place to the threads that sleep there, as bits. */
  #asleep: Int32Array = new Int32Array(64);
  /** `place * threads + thread` to the access of a sleeping thread, with locations from 1 and 0 for none; and to the bits it carried. */
  #did: Int32Array;
  #carried: Int32Array;

  constructor(threads: number, memory: Pick<Locations, 'overlap'>) {
    this.#threads = threads;
    this.#memory = memory;
    this.#did = new Int32Array(64 * threads);
    this.#carried = new Int32Array(64 * threads);
  }

  /** The threads that sleep at a place, as bits. */
  at(place: number): number {
    return this.#asleep[place];
  }

  /** Starts a path, with an empty sleep set. */
  clear(): void {
    this.#asleep[0] = 0;
  }

  /** Wakes all threads but these at a place. */
  keep(place: number, threads: number): void {
    this.#asleep[place] &= threads;
  }

  /** Puts a thread to sleep that was tried at a place, with its access (location -1: none) and the bits it carried. */
  add(place: number, thread: number, kind: number, location: number, carried = 0): void {
    const at = place * this.#threads + thread;
    this.#asleep[place] |= 1 << thread;
    this.#did[at] = access(kind, location + 1);
    this.#carried[at] = carried;
  }

  /** A thread takes a step at a place: computes the sleep set of the next place. */
  step(place: number, thread: number, kind: number, location: number, carried = 0): void {
    const threads = this.#threads;
    const did = access(kind, location + 1);
    let asleep = 0;
    this.#reserve(place + 1);
    for (let rest = this.#asleep[place] & ~(1 << thread); rest !== 0; rest &= rest - 1) {
      const at = place * threads + lowestBit(rest);
      if (this.isWoken(this.#did[at], this.#carried[at], did, carried)) continue;
      asleep |= rest & -rest;
      this.#did[at + threads] = this.#did[at];
      this.#carried[at + threads] = this.#carried[at];
    }
    this.#asleep[place + 1] = asleep;
  }

  /** Does a step (`did`, `carried`) wake a thread that sleeps after another (`tried`, `carriedThen`)? */
  protected isWoken(tried: Access, carriedThen: number, did: Access, carried: number): boolean {
    if (carriedThen & CALL && carried & RETURN) return true;
    if (!conflict(kindOf(did), kindOf(tried)) || locationOf(did) === 0 || locationOf(tried) === 0)
      return false;
    return this.#memory.overlap(locationOf(did) - 1, locationOf(tried) - 1);
  }

  #reserve(place: number): void {
    if (place < this.#asleep.length) return;
    this.#asleep = grown(this.#asleep, 0);
    this.#did = grown(this.#did, this.#asleep.length * this.#threads);
    this.#carried = grown(this.#carried, this.#asleep.length * this.#threads);
  }
}

/**
 * The path of a run of partial-order reduction: a node before each step, with the threads tried there, those still to
 * try, and the sleep set.
 *
 * A thread that was tried at a node sleeps below it, since all executions that start with its step are explored.
 * If a thread has to choose, the node has all alternatives, and no race adds to it.
 */
export class Path {
  length = 0;
  /** Nodes before this one are the same as in the previous run. */
  repeated = 0;
  /** Node to its current choice: a thread, or an alternative. */
  chosen: Int32Array = new Int32Array(64);
  /** Node to the enabled threads, and to those that must be tried, as bits. */
  enabled: Int32Array = new Int32Array(64);
  backtrack: Int32Array = new Int32Array(64);
  /** Node to the number of alternatives of a choice; 0 if a thread takes a step. */
  #alternatives: Int32Array = new Int32Array(64);
  readonly #steps: HappensBefore;
  readonly #sleep: SleepSets;

  constructor(steps: HappensBefore, sleep: SleepSets) {
    this.#steps = steps;
    this.#sleep = sleep;
  }

  /** Forgets all nodes. */
  clear(): void {
    this.length = 0;
    this.repeated = 0;
  }

  /** Appends a node at which a thread has to choose. */
  addChoice(alternatives: number): void {
    this.#wake();
    this.#add(0, 0, alternatives);
  }

  /** Appends a node and tries `last` first, if it can run. Returns false, without a new node, if all enabled threads sleep. */
  addStep(enabled: number, last: number): boolean {
    this.#wake();
    const awake = enabled & ~this.#sleep.at(this.length);
    if (awake === 0) return false;
    this.#add(enabled, last >= 0 && awake & (1 << last) ? last : lowestBit(awake), 0);
    return true;
  }

  /** Backtracks to the last node with an untried thread or alternative. Returns false if there is none. */
  next(): boolean {
    for (let node = this.length - 1; node >= 0; node--) {
      this.length = node + 1;
      this.repeated = node;
      if (this.#alternatives[node] > 0 ? this.#nextAlternative(node) : this.#nextThread(node)) return true;
    }
    return false;
  }

  #nextAlternative(node: number): boolean {
    return ++this.chosen[node] < this.#alternatives[node];
  }

  #nextThread(node: number): boolean {
    const { kind, location } = this.#steps;
    const thread = this.chosen[node];
    this.#sleep.add(node, thread, kind[node], location[node]);
    const left = this.backtrack[node] & ~this.#sleep.at(node);
    if (left === 0) return false;
    this.chosen[node] = lowestBit(left);
    return true;
  }

  #add(enabled: number, chosen: number, alternatives: number): void {
    const node = this.length;
    if (node === this.chosen.length) this.#grow();
    this.enabled[node] = enabled;
    this.#alternatives[node] = alternatives;
    this.chosen[node] = chosen;
    this.backtrack[node] = alternatives > 0 ? 0 : 1 << chosen;
    this.length++;
  }

  /** Computes the sleep set after the step of the last node. */
  #wake(): void {
    const { kind, location, thread } = this.#steps;
    const last = this.length - 1;
    if (last < 0) this.#sleep.clear();
    else this.#sleep.step(last, thread[last], kind[last], location[last]);
  }

  #grow(): void {
    this.chosen = grown(this.chosen, 0);
    this.enabled = grown(this.enabled, 0);
    this.backtrack = grown(this.backtrack, 0);
    this.#alternatives = grown(this.#alternatives, 0);
  }
}
