/**
 * Who sleeps at each place of a path: threads whose next step was tried there, or before, and would lead to nothing new.
 *
 *   P. Godefroid. Partial-order methods for the verification of concurrent systems. LNCS 1032, 1996.
 *
 * A sleeper wakes when somebody takes a step that does not go with its own: then the two in this order are not what they
 * were in the other. They go together where they access different locations, or both only read; and, for those to whom
 * the order of calls and returns counts, where the sleeper's step carries no call or the other no return. A return
 * before a call is more order than the call before the return, and explains less: who tried it has tried both.
 *
 * Cost: O(sleepers) a step.
 */
import { grown, lowestBit } from '../../base/collections/ints.js';
import { type Access, access, conflict, kindOf, locationOf } from '../../execution/memory/access.js';
import type { Locations } from '../../execution/memory/locations.js';
import type { HappensBefore } from '../classes/happens-before.js';

/** What a step carries of its operation. */
export const CALL = 1;
export const RETURN = 2;

export class SleepSets {
  readonly #threads: number;
  readonly #memory: Pick<Locations, 'overlap'>;
  /** Place to who sleeps there, as bits. */
  #asleep: Int32Array = new Int32Array(64);
  /** `place * threads + thread` to what a sleeper did, locations counting from 1, 0 being none; and to what that carried. */
  #did: Int32Array;
  #carried: Int32Array;

  constructor(threads: number, memory: Pick<Locations, 'overlap'>) {
    this.#threads = threads;
    this.#memory = memory;
    this.#did = new Int32Array(64 * threads);
    this.#carried = new Int32Array(64 * threads);
  }

  /** Who sleeps at a place. */
  at(place: number): number {
    return this.#asleep[place];
  }

  /** A path begins, and everybody is awake. */
  clear(): void {
    this.#asleep[0] = 0;
  }

  /** At a place, only these sleep on. */
  keep(place: number, threads: number): void {
    this.#asleep[place] &= threads;
  }

  /** A thread was tried at a place: what it did, where (-1: nowhere), and what that carried. */
  add(place: number, thread: number, kind: number, location: number, carried = 0): void {
    const at = place * this.#threads + thread;
    this.#asleep[place] |= 1 << thread;
    this.#did[at] = access(kind, location + 1);
    this.#carried[at] = carried;
  }

  /** A thread takes a step at a place: who sleeps on is asleep at the next. */
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

  /** Is a sleeper that did something woken by who does something else? */
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

/*
 * Where a run of the explorer by classes has been: a node before each step, with
 * what has been tried there, what is to be tried, and who is asleep.
 *
 * A thread that was tried at a node goes to sleep below it: whatever begins with its
 * step has been explored (sleep-sets.ts).
 *
 * Where a thread has to choose, the node has all alternatives and nobody races for it.
 */

export class Path {
  length = 0;
  /** Nodes before this one are as in the run before. */
  repeated = 0;
  /** Node to what is being tried: a thread, or an alternative. */
  chosen: Int32Array = new Int32Array(64);
  /** Node to the threads that are enabled and to be tried, as bits. */
  enabled: Int32Array = new Int32Array(64);
  backtrack: Int32Array = new Int32Array(64);
  /** Node to how many alternatives there are to choose from; 0 where a thread takes a step. */
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

  /** A node at the end where a thread has to choose. */
  addChoice(alternatives: number): void {
    this.#wake();
    this.#add(0, 0, alternatives);
  }

  /** A node at the end. Tells false, and adds none, if all who are enabled are asleep. `last` goes first, if it can. */
  addStep(enabled: number, last: number): boolean {
    this.#wake();
    const awake = enabled & ~this.#sleep.at(this.length);
    if (awake === 0) return false;
    this.#add(enabled, last >= 0 && awake & (1 << last) ? last : lowestBit(awake), 0);
    return true;
  }

  /** Goes back to the last node where something is left to try. Tells false if there is none. */
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

  /** The step at the last node wakes some of those who sleep there. */
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
