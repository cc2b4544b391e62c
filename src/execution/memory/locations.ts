/**
 * Locations that threads share: what they are called, what there is to take, and who waits there.
 *
 * Names. A location is called by (thread that allocated its object, how many that
 * thread had allocated, field), so it has the same name in every schedule in which
 * that thread has come as far. Names are numbered from 0 as they are first seen.
 *
 * Waiting. A thread waits for a LOCK until there are enough permits at its location, and after `sleep` until it is woken.
 */
import { grown } from '../../base/collections/ints.js';
import { ABSENT, PairMap } from '../../base/collections/pair-map.js';
import { type Access, kindOf, LOCK, locationOf } from './access.js';

/** Who allocated the object of a location, how many objects it had allocated before, and which field it is. */
export interface LocationName {
  readonly thread: number;
  readonly number: number;
  readonly field: number;
}

const AWAKE = -1;

export class Locations {
  /** Threads are numbered from 0. One more, `main`, makes the object, and the calls before and after. */
  readonly main: number;
  /** Who runs. */
  current: number;
  /** May who sleeps until a lock can be taken wake up by itself, once a call? */
  isSpurious = false;

  readonly #locations = new PairMap();
  /** Location to its object and field. */
  readonly #named: (readonly [object: number, field: number])[] = [];
  /** Thread to how many objects it has allocated. */
  readonly #allocated: Int32Array;
  /** Location to the permits that can be taken there. */
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
  }

  /** Another execution begins. */
  reset(): void {
    this.current = this.main;
    this.#allocated.fill(0);
    this.#permits.fill(0);
    this.#needs.fill(1);
    this.#sleepsAt.fill(AWAKE);
  }

  /** A thread begins a call. */
  begin(thread: number): void {
    this.current = thread;
    this.#hasWokenItself[thread] = 0;
  }

  // ── names ──

  /** A name for an object that the current thread has just allocated. */
  object(): number {
    return this.#allocated[this.current]++ * (this.main + 1) + this.current;
  }

  /** The location of a field. A container whose elements are not told apart is one field. */
  location(object: number, field = 0): number {
    const known = this.#locations.get(object, field);
    if (known !== ABSENT) return known;
    const location = this.#named.push([object, field]) - 1;
    this.#locations.add(object, field, location);
    if (location >= this.#permits.length) this.#permits = grown(this.#permits, 0);
    return location;
  }

  /** What a thread is called in histories: A, B, C … */
  processOf(thread: number): string {
    return thread === this.main ? 'main' : String.fromCharCode(65 + thread);
  }

  nameOf(location: number): LocationName {
    const [object, field] = this.#named[location];
    const owners = this.main + 1;
    return { thread: object % owners, number: Math.floor(object / owners), field };
  }

  // ── while an access is done ──

  permits(location: number): number {
    return this.#permits[location];
  }

  /** In a LOCK, or in an UPDATE that found enough. */
  take(location: number, permits = 1): void {
    this.#permits[location] -= permits;
  }

  /** In an UNLOCK or a WAIT; and when a lock is made, which has no permits at first. */
  give(location: number, permits = 1): void {
    this.#permits[location] += permits;
  }

  /** Before a LOCK is announced that takes more than one permit. It has one as long as nothing else is said. */
  need(permits: number): void {
    this.#needs[this.current] = permits;
  }

  /** In a WAIT: the current thread does nothing until somebody wakes it. */
  sleep(location: number): void {
    this.#sleepsAt[this.current] = location;
  }

  /** How many threads sleep at a location. */
  sleepers(location: number): number {
    let count = 0;
    for (let thread = 0; thread <= this.main; thread++) if (this.#sleepsAt[thread] === location) count++;
    return count;
  }

  /** In a NOTIFY: wakes one of the sleepers, by its number among them. */
  wake(location: number, which: number): void {
    for (let thread = 0; thread <= this.main; thread++)
      if (this.#sleepsAt[thread] === location && which-- === 0) this.#sleepsAt[thread] = AWAKE;
  }

  /** In a NOTIFY: wakes a thread, if it sleeps there. */
  wakeThread(thread: number, location: number): void {
    if (this.#sleepsAt[thread] === location) this.#sleepsAt[thread] = AWAKE;
  }

  // ── for whoever schedules ──

  /** How many permits the next LOCK of a thread takes. */
  needsOf(thread: number): number {
    return this.#needs[thread];
  }

  /** May a thread do the access that it has announced? */
  isOpen(thread: number, announced: Access): boolean {
    if (this.#sleepsAt[thread] !== AWAKE && !this.#mayWakeItself(thread, announced)) return false;
    return kindOf(announced) !== LOCK || this.#permits[locationOf(announced)] >= this.#needs[thread];
  }

  #mayWakeItself(thread: number, announced: Access): boolean {
    return this.isSpurious && this.#hasWokenItself[thread] === 0 && kindOf(announced) === LOCK;
  }

  /** Has it woken up by itself in this call? */
  hasWokenItself(thread: number): boolean {
    return this.#hasWokenItself[thread] === 1;
  }

  /** Does it sleep, not woken yet? */
  isAsleep(thread: number): boolean {
    return this.#sleepsAt[thread] !== AWAKE;
  }

  /** A thread goes on: who sleeps still wakes up by itself. */
  protected resume(thread: number): void {
    this.current = thread;
    if (this.#sleepsAt[thread] === AWAKE) return;
    this.#sleepsAt[thread] = AWAKE;
    this.#hasWokenItself[thread] = 1;
  }
}
