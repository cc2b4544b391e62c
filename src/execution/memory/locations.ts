/**
 * Locations that threads share: their names, their permits, and the threads that wait.
 *
 * Names. A location is named by the thread that allocated its object, the number of objects that thread had allocated, and the field. So it
 * has the same name in all schedules in which that thread got equally far. Names are numbered from 0 in order of appearance.
 *
 * Overlap. A location may be a *part* of an object, which as a whole is a location too: the two overlap, as do all accesses with an access
 * to *everything*. Accesses conflict if their locations overlap. To find them without comparing all pairs, each location has *slots*: an
 * access is recorded in some, and consults others. Two locations overlap exactly if one consults a slot that the other is recorded in.
 *
 *   location      is recorded in                              consults
 *   part          itself, some part of the whole, anything    itself, the whole, everything
 *   whole         itself, some part of the whole, anything    itself, some part of the whole, everything
 *   everything    itself, anything                            anything
 *
 * Waiting. A thread waits for a LOCK until its location has enough permits, and after `sleep` until it is woken.
 */

import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { grown } from '../../base/collections/ints.js';
import { type Access, kindOf, LOCK, locationOf } from './access.js';

/** The thread that allocated the object of a location, the number of objects it had allocated before, and the field. */
export interface LocationName {
  readonly thread: number;
  readonly number: number;
  readonly field: number;
  /** Is it an object as a whole, which overlaps with its parts; or everything? */
  readonly extent?: 'whole' | 'everything';
}

const AWAKE = -1;

/** The location of an access whose effect is unknown, and the slot that every access is recorded in. */
export const EVERYTHING = 0;
const ANYTHING = 1;
const NO_PARTS = -1;

export class Locations {
  /** Threads are numbered from 0. The last one, `main`, creates the object and makes the calls before and after. */
  readonly main: number;
  /** The running thread. */
  current: number;
  /** May a thread that sleeps in a Monitor wake up without a notification, once per call? */
  isSpurious = false;

  readonly #locations = new PairMap();
  /** Location to its object and field. */
  readonly #named: (readonly [object: number, field: number])[] = [];
  /** Location to its slots. */
  readonly recordedIn: number[][] = [];
  readonly consults: number[][] = [];
  /** Location of a whole to the slot of its parts, or NO_PARTS. */
  readonly #parts: number[] = [];
  /** Location to that of its object as a whole, if the object has parts; else to itself. */
  readonly #wholes: number[] = [];
  /** Thread to the number of objects that it has allocated. */
  readonly #allocated: Int32Array;
  /** Location to its available permits. */
  #permits: Int32Array = new Int32Array(64);
  /** Thread to the permits its next LOCK takes, and to the location it sleeps at. */
  readonly #needs: Int32Array;
  readonly #sleepsAt: Int32Array;
  readonly #hasWokenItself: Uint8Array;

  constructor(threads: number) {
    this.main = threads;
    this.current = threads;
    this.#allocated = new Int32Array(threads + 1);
    this.#needs = new Int32Array(threads + 1).fill(1);
    this.#sleepsAt = new Int32Array(threads + 1).fill(AWAKE);
    this.#hasWokenItself = new Uint8Array(threads + 1);
    this.#add(-1, 0, [EVERYTHING, ANYTHING], [ANYTHING]);
    this.#add(-1, 1, [], []);
  }

  /** Starts another execution. */
  reset(): void {
    this.current = this.main;
    this.#allocated.fill(0);
    this.#permits.fill(0);
    this.#needs.fill(1);
    this.#sleepsAt.fill(AWAKE);
  }

  /** A thread starts a call. */
  begin(thread: number): void {
    this.current = thread;
    this.#hasWokenItself[thread] = 0;
  }

  // ── names ──

  /** A name for an object that the current thread has just allocated. */
  object(): number {
    return this.#allocated[this.current]++ * (this.main + 1) + this.current;
  }

  /** The location of a field. A container whose elements are not distinguished is one field. */
  location(object: number, field = 0): number {
    const known = this.#locations.get(object, field);
    if (known !== ABSENT) return known;
    const location = this.#named.length;
    this.#locations.add(object, field, location);
    return this.#add(object, field, [location, ANYTHING], [location, EVERYTHING]);
  }

  /** The location of an object that has parts, as a whole. */
  whole(object: number): number {
    const location = this.location(object);
    if (this.#parts[location] !== NO_PARTS) return location;
    const some = this.#add(object, 0, [], []);
    this.#parts[location] = some;
    this.recordedIn[location] = [location, some, ANYTHING];
    this.consults[location] = [location, some, EVERYTHING];
    return location;
  }

  /** The location of a part of an object. Parts are numbered from 1. */
  part(object: number, field: number): number {
    const known = this.#locations.get(object, field);
    if (known !== ABSENT) return known;
    const whole = this.whole(object);
    const location = this.#named.length;
    this.#locations.add(object, field, location);
    this.#add(object, field, [location, this.#parts[whole], ANYTHING], [location, whole, EVERYTHING]);
    this.#wholes[location] = whole;
    return location;
  }

  #add(object: number, field: number, recordedIn: number[], consults: number[]): number {
    const location = this.#named.push([object, field]) - 1;
    this.recordedIn.push(recordedIn);
    this.consults.push(consults);
    this.#parts.push(NO_PARTS);
    this.#wholes.push(location);
    if (location >= this.#permits.length) this.#permits = grown(this.#permits, 0);
    return location;
  }

  /** Do two locations overlap? A negative number is no location. */
  overlap(one: number, other: number): boolean {
    if (one === other) return one >= 0;
    const [whole, otherWhole] = [this.#wholes[one], this.#wholes[other]];
    if (whole === undefined || otherWhole === undefined) return false;
    if (one === EVERYTHING || other === EVERYTHING) return true;
    return whole === otherWhole && (one === whole || other === whole);
  }

  /** The process of a thread in histories: A, B, C …, or main. */
  processOf(thread: number): string {
    return thread === this.main ? 'main' : String.fromCharCode(65 + thread);
  }

  nameOf(location: number): LocationName {
    const [object, field] = this.#named[location];
    if (location === EVERYTHING) return { thread: -1, number: -1, field, extent: 'everything' };
    const owners = this.main + 1;
    const name = { thread: object % owners, number: Math.floor(object / owners), field };
    return this.#parts[location] === NO_PARTS ? name : { ...name, extent: 'whole' };
  }

  // ── during an access ──

  permits(location: number): number {
    return this.#permits[location];
  }

  /** Takes permits, in a LOCK or in an UPDATE that found enough. */
  take(location: number, permits = 1): void {
    this.#permits[location] -= permits;
  }

  /** Adds permits, in an UNLOCK or a WAIT. A new lock has none and gets its first ones here. */
  give(location: number, permits = 1): void {
    this.#permits[location] += permits;
  }

  /** Sets the permits that the next LOCK of the current thread takes, before it is announced; the default is 1. */
  need(permits: number): void {
    this.#needs[this.current] = permits;
  }

  /** In a WAIT: the current thread is not enabled until it is woken. */
  sleep(location: number): void {
    this.#sleepsAt[this.current] = location;
  }

  /** The number of threads that sleep at a location. */
  sleepers(location: number): number {
    let count = 0;
    for (let thread = 0; thread <= this.main; thread++) if (this.#sleepsAt[thread] === location) count++;
    return count;
  }

  /** In a NOTIFY: wakes one sleeper of a location; `which` is its index among them. */
  wake(location: number, which: number): void {
    for (let thread = 0; thread <= this.main; thread++)
      if (this.#sleepsAt[thread] === location && which-- === 0) this.#sleepsAt[thread] = AWAKE;
  }

  /** In a NOTIFY: wakes a thread if it sleeps at the location. */
  wakeThread(thread: number, location: number): void {
    if (this.#sleepsAt[thread] === location) this.#sleepsAt[thread] = AWAKE;
  }

  // ── for the engine ──

  /** The number of permits that the next LOCK of a thread takes. */
  needsOf(thread: number): number {
    return this.#needs[thread];
  }

  /** Is the announced access of a thread enabled? */
  isOpen(thread: number, announced: Access): boolean {
    if (this.#sleepsAt[thread] !== AWAKE && !this.#mayWakeItself(thread, announced)) return false;
    return kindOf(announced) !== LOCK || this.#permits[locationOf(announced)] >= this.#needs[thread];
  }

  #mayWakeItself(thread: number, announced: Access): boolean {
    return this.isSpurious && this.#hasWokenItself[thread] === 0 && kindOf(announced) === LOCK;
  }

  /** Has a thread woken up without a notification in this call? */
  hasWokenItself(thread: number): boolean {
    return this.#hasWokenItself[thread] === 1;
  }

  /** Does a thread sleep? */
  isAsleep(thread: number): boolean {
    return this.#sleepsAt[thread] !== AWAKE;
  }

  /** Resumes a thread. One that still sleeps wakes up without a notification. */
  protected resume(thread: number): void {
    this.current = thread;
    if (this.#sleepsAt[thread] === AWAKE) return;
    this.#sleepsAt[thread] = AWAKE;
    this.#hasWokenItself[thread] = 1;
  }
}
