/**
 * What a running program says to whoever schedules it: which access it does, what it has seen, and what its loops come to. Names of
 * locations and who has to wait there: locations.ts. One memory serves all executions of an exploration.
 *
 * Sight. A coroutine's local state is a function of what it has seen in this call
 * (`saw`) and of how many accesses it has done: so the stateful engine tells threads
 * apart. Loops forget: at a back edge all that was seen since the loop was entered is
 * replaced by the values that outlive the iteration. After a loop that changed nothing (spins.ts) a thread
 * waits until a location changes that the loop has read.
 */
import { type Access, LOCK, NOTHING, READ, WRITE } from './access.js';
import type { Frames } from './call-frames.js';
import { Locations } from './locations.js';
import { Spins } from './spins.js';

const NO_VALUE = Symbol('no value');

/** The memory of the execution that runs now. Outside of any exploration there is one too, so that objects can be used. */
let active: Memory | undefined;

export function activeMemory(): Memory {
  active ??= new Memory(0);
  return active;
}

export class Memory extends Locations {
  /** How many executions were begun: what was named in an earlier one is not named in this. */
  execution = 0;
  /** Where in the source the access stands that is announced next. */
  site = 0;
  /** Is it a plain one, that orders nothing between threads? */
  isPlain = false;
  /** Which functions threads are in, if anybody asks for it. */
  frames: Frames | undefined;
  /** Has a thread ever asked who it is, or been given what no other thread would be? */
  isThreadObserved = false;
  /** Has a thread ever been held back since it spins? */
  hasSpun = false;
  /** Is what threads see kept? */
  keepsObservations = false;
  /** Called with each value that is seen or stored in an access, for whoever shows them to people. */
  onObserve: ((value: unknown) => void) | undefined;
  /** Of the access being done: where and what it is. It is settled when it is known what it turned out to be. */
  #location = -1;
  #kind = NOTHING;
  #isSettled = true;

  /** Thread to what its next WRITE stores, or NO_VALUE where that is not told. */
  readonly #stores: unknown[];
  /** Thread to what it has seen in its call, and how much that is. */
  readonly #observed: unknown[][];
  readonly #observedCount: Int32Array;
  readonly #spins: Spins;

  constructor(threads: number) {
    super(threads);
    this.#stores = Array.from({ length: threads + 1 }, () => NO_VALUE);
    this.#observed = Array.from({ length: threads + 1 }, () => []);
    this.#observedCount = new Int32Array(threads + 1);
    this.#spins = new Spins(threads + 1);
  }

  override reset(): void {
    super.reset();
    active = this;
    this.execution++;
    this.#observedCount.fill(0);
    this.#spins.reset();
  }

  override begin(thread: number): void {
    super.begin(thread);
    this.#observedCount[thread] = 0;
    this.#spins.begin(thread);
    this.frames?.begin(thread);
  }

  // ── while an access is done ──

  /** The access being done, if it is one of this location, has changed nothing: a compare-and-set that failed. */
  unchanged(location: number): void {
    if (location === this.#location) this.#kind = READ;
  }

  override take(location: number, permits = 1): void {
    super.take(location, permits);
    if (location !== this.#location) return;
    this.need(1);
    this.#kind = LOCK;
  }

  // ── sight and loops ──

  /** The current coroutine has read a value. */
  observe(value: unknown): void {
    this.#keep(value);
    this.onObserve?.(value);
  }

  /** The current coroutine is given the alternative that was chosen. What it makes of it may be shown instead. */
  observeChoice(alternative: number): void {
    this.#keep(alternative);
  }

  #keep(value: unknown): void {
    const thread = this.current;
    const at = this.#observedCount[thread]++;
    if (this.keepsObservations) this.#observed[thread][at] = value;
  }

  /** What a thread has seen in its call. */
  observedBy(thread: number): readonly unknown[] {
    const observed = this.#observed[thread];
    observed.length = this.#observedCount[thread];
    return observed;
  }

  /** The current coroutine is about to enter a loop. What it gets belongs to this run of this loop. */
  mark(): number {
    this.settle();
    this.#spins.enter(this.current);
    return this.#observedCount[this.current];
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
    this.#observedCount[thread] = mark;
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
  repeatRandomChoice(): void {
    this.#spins.repeatRandomChoice(this.current);
  }

  /** Before a WRITE is announced: what it stores. */
  storing(value: unknown): void {
    this.#stores[this.current] = value;
  }

  /** Something was stored at a location: in an access of it, or before anybody else can see it. */
  stored(location: number, value: unknown): void {
    if (location !== this.#location) this.touch();
    else this.onObserve?.(value);
  }

  // ── for whoever schedules ──

  override isOpen(thread: number, announced: Access): boolean {
    if (!this.#spins.isSpinning(thread)) return super.isOpen(thread, announced);
    this.hasSpun = true;
    return false;
  }

  /** Does it wait for a location to change, in a loop that changes nothing? */
  isSpinning(thread: number): boolean {
    return this.#spins.isSpinning(thread);
  }

  /** A thread is about to do an access. */
  doing(thread: number, kind: number, location: number): void {
    this.resume(thread);
    this.#kind = kind;
    this.#location = location;
    this.#isSettled = false;
    if (kind === WRITE && this.#stores[thread] !== NO_VALUE) this.onObserve?.(this.#stores[thread]);
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
