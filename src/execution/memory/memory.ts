/**
 * The shared memory of a running program, which reports accesses, observed values and loops to the engine. Names of locations and
 * blocking are in locations.ts. One memory serves all executions of an exploration.
 *
 * Observations. The local state of a coroutine is a function of the values that it has observed in this call (`observe`) and of the number
 * of its accesses. So searches of states distinguish threads by them. A *run* is a run of a loop, or of the body of a function. At the back
 * edge of a loop, and between statements (`live`), all observations of the run are replaced by a *summary*: the place in the code and the
 * values of the variables that code can still read, among those that the run has assigned. What was assigned before the run follows from
 * the observations before it. So equal observations mean the same place and the same live variables. After an iteration that changed
 * nothing (spins.ts), a thread waits until a location that the loop has read changes.
 *
 * An object is a thread's *own* while no other thread can reach it. All observations stay after a run that changed or shared an own
 * object, or if a value of the summary is one. A summary cannot say which variables hold the object.
 *
 * An iteration without observations adds no summary, because the local state follows from what is kept. So local loops cost nothing. If the
 * loop has no summary yet, one is added before the next observation or inner loop: later iterations may lead to the same state.
 */
import { type Access, LOCK, NO_DATA, NOTHING, READ, UPDATE, WRITE } from './access.js';
import type { Frames } from './call-frames.js';
import { Locations } from './locations.js';
import { Spins } from './spins.js';

const NO_VALUE = Symbol('no value');

/** Site of a loop, and number of values, to the symbol that starts a summary. */
const summaries: symbol[][] = [];

/** The symbol that starts a summary. Unlike the two numbers, it differs from every value that was read. */
function summaryOf(site: number, values: number): symbol {
  summaries[site] ??= [];
  summaries[site][values] ??= Symbol(`${site} ${values}`);
  return summaries[site][values];
}

/** A run of a loop, with the state at its last back edge, or of a function: the observations of its thread before it. */
interface Run {
  start: number;
  /** The end of the summary of its back edge among the observations; -1: there is none. */
  end: number;
  /** The number of times that the thread had changed or shared an own object. */
  changes: number;
  site: number;
  locals: readonly unknown[];
}

/** The memory of the current execution. One exists outside of any exploration too, so that primitives can be used. */
let active: Memory | undefined;

/** The number of uses of primitives, `currentThread` and `yieldNow`. Code that uses them is written for threads. */
let uses = 0;
export const primitiveUses = (): number => uses;

export function activeMemory(): Memory {
  uses++;
  active ??= new Memory(0);
  return active;
}

export class Memory extends Locations {
  /** The number of executions so far. Names of earlier executions are not valid in this one. */
  execution = 0;
  /** The site of the access that is announced next. */
  site = 0;
  /** How that access touches data (access.ts). */
  data: number = NO_DATA;
  /** The call frames of threads, if they are recorded. */
  frames: Frames | undefined;
  /** Has a thread ever observed its own number, or a value that no other thread would get? */
  isThreadObserved = false;
  /** Has a thread ever had state that is neither in the object nor in its call, such as its clock? */
  hasThreadState = false;
  /** Was a thread ever not scheduled because it spins? */
  hasSpun = false;
  /** Is a spinning thread not scheduled until a location that it reads changes? */
  suspendsSpinning = true;
  /** Are observed values kept? */
  keepsObservations = false;
  /** Returns a snapshot of a value that the thread can change later. Set by the instrumentation. */
  freeze: (value: unknown) => unknown = (value) => value;
  /** Is a value an own object of its thread? Set by the instrumentation. */
  isOwn: (value: unknown) => boolean = () => false;
  /** Shares a value that a primitive stores. Set by the instrumentation. */
  share: ((value: unknown) => void) | undefined;
  /** Called with each value that is observed or stored in an access, for traces. */
  onObserve: ((value: unknown, isStored?: boolean) => void) | undefined;
  /** What the current step has read last. */
  lastObserved: unknown;
  /** The location and kind of the current access. It is settled when its final kind is known. */
  #location = -1;
  #kind = NOTHING;
  #isSettled = true;
  /** Is it a store of the value that was there? */
  #isSilent = false;
  /** The location of the access that was settled last; -1: none. */
  settledLocation = -1;

  /** Thread to the value that its next WRITE stores, or NO_VALUE if that is unknown. */
  readonly #stores: unknown[];
  /** Thread to the values that it has observed in its call, and their number; if they are not kept, that of its loops. */
  readonly #observed: unknown[][];
  readonly #observedCount: Int32Array;
  /** Thread to the loops that it has run in its call, and the one whose summary is not kept yet. */
  readonly #runs: Run[][];
  readonly #unkept: (Run | undefined)[];
  /** Thread to the number of times that it has changed or shared an own object. */
  readonly #changes: Int32Array;
  readonly #spins: Spins;

  constructor(threads: number) {
    super(threads);
    this.#stores = Array.from({ length: threads + 1 }, () => NO_VALUE);
    this.#observed = Array.from({ length: threads + 1 }, () => []);
    this.#observedCount = new Int32Array(threads + 1);
    this.#runs = Array.from({ length: threads + 1 }, () => []);
    this.#changes = new Int32Array(threads + 1);
    this.#unkept = Array.from({ length: threads + 1 }, () => undefined);
    this.#spins = new Spins(threads + 1, this);
  }

  override reset(): void {
    super.reset();
    active = this;
    this.execution++;
    this.#observedCount.fill(0);
    this.#unkept.fill(undefined);
    this.#spins.reset();
  }

  override begin(thread: number): void {
    super.begin(thread);
    this.lastObserved = undefined;
    this.#observedCount[thread] = 0;
    this.#unkept[thread] = undefined;
    if (this.#runs[thread].length > 0) this.#runs[thread] = [];
    this.#spins.begin(thread);
    this.frames?.begin(thread);
  }

  // ── during an access ──

  /** Extends the current access beyond the announced location: to an object as a whole, or to everything. */
  widen(location: number): void {
    this.#location = location;
    if (this.#kind === NOTHING) this.#kind = UPDATE;
  }

  /**
   * The current access, if it is at this location, changed nothing. A failed compare-and-set counts as a READ. A store of the
   * same value remains a WRITE, since it races with plain reads; but no loop makes progress by it.
   */
  unchanged(location: number): void {
    if (location !== this.#location) return;
    if (this.#kind === WRITE) this.#isSilent = true;
    else this.#kind = READ;
  }

  override take(location: number, permits = 1): void {
    super.take(location, permits);
    if (location !== this.#location) return;
    this.need(1);
    this.#kind = LOCK;
  }

  // ── observations and loops ──

  /** The current coroutine has read a value. */
  observe(value: unknown): void {
    this.lastObserved = value;
    this.#keep(value);
    this.onObserve?.(value);
  }

  /** The current coroutine is resumed with an alternative. Traces may show a value computed from it instead. */
  observeChoice(alternative: number): void {
    this.lastObserved = alternative;
    this.#keep(alternative);
  }

  #keep(value: unknown): void {
    if (!this.keepsObservations) return;
    const thread = this.current;
    const unkept = this.#unkept[thread];
    if (unkept !== undefined) this.#summarise(thread, unkept);
    this.#add(thread, value);
  }

  #add(thread: number, value: unknown): void {
    if (this.keepsObservations) this.#observed[thread][this.#observedCount[thread]++] = this.freeze(value);
  }

  /** The values that a thread has observed in its call. */
  observedBy(thread: number): readonly unknown[] {
    const observed = this.#observed[thread];
    observed.length = this.#observedCount[thread];
    return observed;
  }

  /** The current coroutine is about to enter a loop. Returns the number of this run of the loop. */
  mark(): number {
    this.settle();
    const thread = this.current;
    this.#spins.enter(thread);
    return this.keepsObservations ? this.#begun(thread) : this.#observedCount[thread]++;
  }

  /** The current coroutine has entered a function. Returns the number of this run of the function. */
  enter(): number {
    return this.keepsObservations ? this.#begun(this.current) : 0;
  }

  #begun(thread: number): number {
    const unkept = this.#unkept[thread];
    if (unkept !== undefined) this.#summarise(thread, unkept);
    const [start, changes] = [this.#observedCount[thread], this.#changes[thread]];
    return this.#runs[thread].push({ start, end: -1, changes, site: 0, locals: [] }) - 1;
  }

  /**
   * Between two statements of a function or a loop (identified by `site`), with all that the statements after it can read of what was
   * assigned in this run: replaces the observations of the run by these values, unless they are needed to know an own object.
   */
  live(mark: number, site: number, ...locals: readonly unknown[]): void {
    if (!this.keepsObservations) return;
    this.settle();
    const thread = this.current;
    const run = this.#runs[thread][mark];
    if (this.#observedCount[thread] === run.start) return;
    if (run.changes !== this.#changes[thread] || locals.some(this.isOwn)) return;
    this.#summarise(thread, run, site, locals);
    run.end = -1;
  }

  /**
   * The back edge of a loop (identified by `site`; the site after it is that of its body), with the variables that the loop assigns and
   * that outlive the iteration.
   */
  again(mark: number, site: number, ...locals: readonly unknown[]): void {
    const thread = this.current;
    this.settle();
    this.#spins.again(thread, mark, site, locals);
    this.frames?.again(thread, site, site + 1);
    if (!this.keepsObservations) return;
    const loop = this.#runs[thread][mark];
    const count = this.#observedCount[thread];
    this.#unkept[thread] = undefined;
    loop.site = site;
    loop.locals = locals;
    const hasOwn = loop.changes !== this.#changes[thread] || locals.some(this.isOwn);
    loop.changes = this.#changes[thread];
    if (hasOwn) loop.start = count;
    else if (count === loop.start) this.#unkept[thread] = loop;
    else if (count !== loop.end) this.#summarise(thread, loop);
  }

  /** Replaces all observations of a run by the state at a place of it: of a loop, its back edge. */
  #summarise(thread: number, run: Run, site = run.site, locals = run.locals): void {
    this.#unkept[thread] = undefined;
    this.#observedCount[thread] = run.start;
    this.#add(thread, summaryOf(site, locals.length));
    for (let i = 0; i < locals.length; i++) this.#add(thread, locals[i]);
    run.end = this.#observedCount[thread];
  }

  /** The last accesses of the current coroutine, all of them reads, are repeated until one differs. */
  spins(reads: number): void {
    this.settle();
    this.#spins.spins(this.current, reads);
  }

  /** The current coroutine has changed an object that no other thread can see yet. */
  touch(): void {
    this.#noteChange();
    this.#spins.changed(this.current);
  }

  /** The current coroutine has shared an own object. Other threads may store it elsewhere from now on. */
  noteShared(object: object): void {
    this.#noteChange();
    this.#add(this.current, object);
  }

  #noteChange(): void {
    this.#unkept[this.current] = undefined;
    this.#changes[this.current]++;
  }

  /** The current coroutine got a random value at a site where it had got one before. The next value there differs. */
  repeatRandomChoice(value: unknown): void {
    this.#keep(value);
    this.#spins.repeatRandomChoice(this.current);
  }

  /** Sets the value that the next WRITE of the current thread stores, before it is announced. */
  storing(value: unknown): void {
    this.#stores[this.current] = value;
  }

  /** A value was stored at a location, by an access to it or before the location is shared. */
  stored(location: number, value: unknown): void {
    if (location === this.#location) this.onObserve?.(value, true);
    else this.#spins.changed(this.current);
    if (this.share !== undefined) {
      this.#noteChange();
      this.share(value);
    } else if (value !== null && typeof value === 'object') this.#keep(value);
  }

  // ── for the engine ──

  override isOpen(thread: number, announced: Access): boolean {
    if (!this.suspendsSpinning || !this.#spins.isSpinning(thread)) return super.isOpen(thread, announced);
    this.hasSpun = true;
    return false;
  }

  /** Does a thread wait for a location to change, in a loop that changes nothing? */
  isSpinning(thread: number): boolean {
    return this.#spins.isSpinning(thread);
  }

  /** A thread is about to do an access. */
  doing(thread: number, kind: number, location: number): void {
    this.resume(thread);
    this.lastObserved = undefined;
    this.#kind = kind;
    this.#location = location;
    this.#isSettled = false;
    this.#isSilent = false;
    if (kind === WRITE && this.#stores[thread] !== NO_VALUE) this.onObserve?.(this.#stores[thread], true);
    this.#stores[thread] = NO_VALUE;
  }

  /** The location of the current access, or of the last one. */
  get accessed(): number {
    return this.#isSettled ? this.settledLocation : this.#location;
  }

  /** Ends the current access. Returns its final kind. */
  settle(): number {
    if (!this.#isSettled) {
      this.#spins.done(this.current, this.#isSilent ? READ : this.#kind, this.#location);
      // counts the access: the local state depends on the number of accesses too
      this.#keep(undefined);
      this.settledLocation = this.#location;
    }
    this.#isSettled = true;
    this.#location = -1;
    return this.#kind;
  }
}
