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
