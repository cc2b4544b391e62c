/**
 * What a running program says to whoever schedules it: names of locations, who
 * has to wait, what was read. One memory serves all executions of an exploration.
 *
 * Names. A location is called by (thread that allocated its object, how many that
 * thread had allocated, field), so it has the same name in every schedule in which
 * that thread has come as far. Names are numbered from 0 as they are first seen.
 *
 * Waiting. A thread waits for a LOCK until there are enough permits at its location;
 * after `sleep` until it is woken; after a loop that changed nothing (spins.ts)
 * until a location changes that the loop has read.
 *
 * Sight. A coroutine's local state is a function of what it has seen in this call
 * (`saw`) and of how many accesses it has done: so the stateful engine tells threads
 * apart. Loops forget: at a back edge all that was seen since the loop was entered is
 * replaced by the values that outlive the iteration.
 */
import { ABSENT, grown, PairMap } from '../base/index.js';
import { type Access, kindOf, LOCK, locationOf, NOTHING, READ, WRITE } from './access.js';
import type { Frames } from './frames.js';
import { Spins } from './spins.js';

/** Who allocated the object of a location, how many objects it had allocated before, and which field it is. */
export interface LocationName {
  readonly thread: number;
  readonly number: number;
  readonly field: number;
}

const AWAKE = -1;
const NO_VALUE = Symbol('no value');

/** The memory of the execution that runs now. Outside of any exploration there is one too, so that objects can be used. */
let active: Memory | undefined;

export function activeMemory(): Memory {
  active ??= new Memory(0);
  return active;
}

export class Memory {
  /** Threads are numbered from 0. One more, `main`, makes the object, and the calls before and after. */
  readonly main: number;
  /** Who runs. */
  current: number;
  /** How many executions were begun: what was named in an earlier one is not named in this. */
  execution = 0;
  /** Where in the source the access stands that is announced next. */
  site = 0;
  /** Is it a plain one, that orders nothing between threads? */
  isPlain = false;
  /** Which functions threads are in, if anybody asks for it. */
  frames: Frames | undefined;
  /** May who sleeps until a lock can be taken wake up by itself, once a call? */
  isSpurious = false;
  /** Has a thread ever asked who it is, or been given what no other thread would be? */
  isThreadSeen = false;
  /** Is what threads see kept? */
  isWatching = false;
  /** Called with each value that is seen or stored in an access, for whoever shows them to people. */
  onSight: ((value: unknown) => void) | undefined;
  /** Of the access being done: where and what it is. It is settled when it is known what it turned out to be. */
  #location = -1;
  #kind = NOTHING;
  #isSettled = true;

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
  /** Thread to what its next WRITE stores, or NO_VALUE where that is not told. */
  readonly #stores: unknown[];
  /** Thread to what it has seen in its call, and how much that is. */
  readonly #seen: unknown[][];
  readonly #seenLength: Int32Array;
  readonly #spins: Spins;

  constructor(threads: number) {
    this.main = threads;
    this.current = threads;
    this.#allocated = new Int32Array(threads + 1);
    this.#needs = new Int32Array(threads + 1).fill(1);
    this.#sleepsAt = new Int32Array(threads + 1).fill(AWAKE);
    this.#hasWokenItself = new Uint8Array(threads + 1);
    this.#stores = Array.from({ length: threads + 1 }, () => NO_VALUE);
    this.#seen = Array.from({ length: threads + 1 }, () => []);
    this.#seenLength = new Int32Array(threads + 1);
    this.#spins = new Spins(threads + 1);
  }

  /** Another execution begins. */
  reset(): void {
    active = this;
    this.execution++;
    this.current = this.main;
    this.#allocated.fill(0);
    this.#permits.fill(0);
    this.#needs.fill(1);
    this.#sleepsAt.fill(AWAKE);
    this.#seenLength.fill(0);
    this.#spins.reset();
  }

  /** A thread begins a call. */
  begin(thread: number): void {
    this.current = thread;
    this.#seenLength[thread] = 0;
    this.#hasWokenItself[thread] = 0;
    this.#spins.begin(thread);
    this.frames?.begin(thread);
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

  /** The access being done, if it is one of this location, has changed nothing: a compare-and-set that failed. */
  unchanged(location: number): void {
    if (location === this.#location) this.#kind = READ;
  }

  permits(location: number): number {
    return this.#permits[location];
  }

  /** In a LOCK, or in an UPDATE that found enough. */
  take(location: number, permits = 1): void {
    this.#permits[location] -= permits;
    if (location !== this.#location) return;
    this.#needs[this.current] = 1;
    this.#kind = LOCK;
  }

  /** In an UNLOCK or a WAIT; and when a lock is made, which has no permits at first. */
  give(location: number, permits = 1): void {
    this.#permits[location] += permits;
  }

  /** Before a LOCK is announced that takes more than one permit. */
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

  // ── sight and loops ──

  /** The current coroutine has read a value. */
  saw(value: unknown): void {
    this.#keep(value);
    this.onSight?.(value);
  }

  /** The current coroutine is given the alternative that was chosen. What it makes of it may be shown instead. */
  chose(alternative: number): void {
    this.#keep(alternative);
  }

  #keep(value: unknown): void {
    const thread = this.current;
    const at = this.#seenLength[thread]++;
    if (this.isWatching) this.#seen[thread][at] = value;
  }

  /** What a thread has seen in its call. */
  seenBy(thread: number): readonly unknown[] {
    const seen = this.#seen[thread];
    seen.length = this.#seenLength[thread];
    return seen;
  }

  /** The current coroutine is about to enter a loop. What it gets belongs to this run of this loop. */
  mark(): number {
    this.settle();
    this.#spins.enter(this.current);
    return this.#seenLength[this.current];
  }

  /**
   * The back edge of a loop (`site` tells loops apart; the one after it is that of its body), with the variables that are
   * assigned in the loop and outlive the iteration. All else that was seen
   * since the mark is forgotten.
   */
  again(mark: number, site: number, ...locals: readonly unknown[]): void {
    const thread = this.current;
    this.settle();
    this.#spins.again(thread, mark, site, locals);
    this.frames?.again(thread, site, site + 1);
    this.#seenLength[thread] = mark;
    this.#keep(site);
    for (const local of locals) this.#keep(local);
  }

  /** The last so many accesses of the current coroutine, all of them reads, will be done again and again until one differs. */
  spins(reads: number): void {
    this.settle();
    this.#spins.spins(this.current, reads);
  }

  /** The current coroutine has changed an object that no other thread can see yet. */
  touch(): void {
    this.#spins.changed(this.current);
  }

  /** The current coroutine was given something by luck, and would be given something else the next time. */
  lucky(): void {
    this.#spins.lucky(this.current);
  }

  /** Before a WRITE is announced: what it stores. */
  storing(value: unknown): void {
    this.#stores[this.current] = value;
  }

  /** Something was stored at a location: in an access of it, or before anybody else can see it. */
  stored(location: number, value: unknown): void {
    if (location !== this.#location) this.touch();
    else this.onSight?.(value);
  }

  // ── for whoever schedules ──

  /** How many permits the next LOCK of a thread takes. */
  needsOf(thread: number): number {
    return this.#needs[thread];
  }

  /** May a thread do the access that it has announced? */
  isOpen(thread: number, announced: Access): boolean {
    if (this.#spins.isSpinning(thread)) return false;
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

  /** Does it wait for a location to change, in a loop that changes nothing? */
  isSpinning(thread: number): boolean {
    return this.#spins.isSpinning(thread);
  }

  /** A thread is about to do an access. */
  doing(thread: number, kind: number, location: number): void {
    this.current = thread;
    this.#kind = kind;
    this.#location = location;
    this.#isSettled = false;
    if (this.#sleepsAt[thread] !== AWAKE) {
      this.#sleepsAt[thread] = AWAKE;
      this.#hasWokenItself[thread] = 1;
    }
    if (kind === WRITE && this.#stores[thread] !== NO_VALUE) this.onSight?.(this.#stores[thread]);
    this.#stores[thread] = NO_VALUE;
  }

  /** The access has been done. Gives the kind that it turned out to be. */
  settle(): number {
    if (!this.#isSettled) {
      this.#spins.done(this.current, this.#kind, this.#location);
      // a thread that has seen the same but come further is somewhere else
      this.#keep(undefined);
    }
    this.#isSettled = true;
    this.#location = -1;
    return this.#kind;
  }
}
