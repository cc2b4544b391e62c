/**
 * One controlled run of a program: an engine determines which thread takes the next step.
 *
 * A *step* of a thread is the access that it has announced, and its local code up to the next announcement. The first step of an
 * operation carries its call, and the last one its return. This is sound: to call later or to return earlier only adds order between
 * operations, and a linearization with more order is one with less. An operation without accesses gets one empty step, because its place
 * in the order matters.
 *
 * A coroutine that announces CHOOSE is resumed before any other thread runs: the choice is local, so its place does not matter.
 *
 * Operations are numbered: those before the threads, then thread by thread, then those after.
 */
import { isInstance } from '../base/errors.js';
import { AtomicBlockLock, type Blocks } from './atomic-blocks.js';
import { type Access, access, CHOOSE, kindOf, LOCK, locationOf, NO_DATA, NOTHING } from './memory/access.js';
import { Frames } from './memory/call-frames.js';
import { Memory } from './memory/memory.js';
import { ProgramError } from './memory/program-error.js';
import { OPEN, Outcomes } from './outcomes.js';
import { type Call, type Coroutine, checkSize, type Program, type StepRecorder } from './program.js';

const LOCAL: Access = access(NOTHING, 0);
/** The announcement of a thread that has finished. */
const ENDED = -1;
const NONE = -1;
const MOST_CHOICES = 30;

export class Execution {
  readonly program: Program;
  readonly memory: Memory;
  readonly outcomes: Outcomes;
  /** Operation to its call and its thread. */
  readonly calls: readonly Call[];
  readonly threadOf: Int32Array;
  /** The number of threads, with `main` if there are calls before or after. */
  readonly threads: number;
  readonly hasMain: boolean;
  /** Thread to one before it that makes the same calls, or -1; empty where no two do. */
  readonly symmetricThreads: readonly number[];
  /** The object under test. */
  object: unknown;

  /** Operation to the number of its outcome, or OPEN. */
  readonly outcome: Int32Array;
  /** Operation to the error that it threw last, in whichever run. */
  readonly thrown: unknown[] = [];
  /** Thread to its announced access, or ENDED; the site of that; and its current or next operation. */
  readonly announced: Int32Array;
  readonly sites: Int32Array;
  /** The sites of threads inside a call when a run was abandoned, of all runs. */
  readonly abandonedAt: Set<number> = new Set();
  /** Thread to how its announced access touches data (access.ts). */
  readonly data: Uint8Array;
  readonly operation: Int32Array;
  /** Called after each step, with what was announced: the thread, the access, its site and its data. `kind` is the final kind. */
  onStep: ((thread: number, announced: Access, site: number, data: number) => void) | undefined;
  /** Thread to whether it has taken the first step of its operation. */
  readonly isInside: Uint8Array;
  /** The thread that has to choose, or -1. */
  choosing = -1;

  /** Of the last step: its final kind, its location (-1: none), whether it carried the call and the return of its operation. */
  kind: number = NOTHING;
  location = -1;
  isFirst = false;
  isLast = false;
  /** Its operation, and the alternative if it was a choice. */
  stepped = 0;
  alternative = 0;
  /** The permits that there were at its location, and how many it needed if it was a LOCK. */
  permits = 0;
  needed = 0;
  recorder: StepRecorder | undefined;
  /** What threads announced at the start of the first execution. */
  #start: Int32Array | undefined;
  /** The thread in an atomic block, if there are atomic blocks. */
  readonly #holder: AtomicBlockLock | undefined;
  readonly #coroutines: Coroutine[] = [];
  /** Thread to the outcome of a call that has ended without any access, or OPEN. */
  readonly #held: Int32Array;
  /** Thread to its first operation, and operation to the next of its thread; or NONE. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  /** The operations from here on come after all threads. */
  readonly #afterFrom: number;

  constructor(program: Program, blocks?: Blocks) {
    const { threads, before = [], after = [], symmetricThreads = [] } = program;
    this.program = program;
    this.outcomes = new Outcomes(program.hasErrorsByName);
    this.calls = [...before, ...threads.flat(), ...after];
    this.hasMain = before.length + after.length > 0;
    this.threads = threads.length + (this.hasMain ? 1 : 0);
    checkSize(threads.length, this.calls.length);
    this.symmetricThreads = symmetricThreads.some((thread) => thread >= 0) ? symmetricThreads : [];
    this.memory = new Memory(threads.length);
    this.memory.isSpurious = program.spuriousWakeups ?? false;
    if (blocks) {
      this.memory.frames = new Frames();
      this.#holder = new AtomicBlockLock(blocks, this.memory.frames);
    }
    this.outcome = new Int32Array(this.calls.length);
    this.announced = new Int32Array(this.threads);
    this.sites = new Int32Array(this.threads);
    this.data = new Uint8Array(this.threads);
    this.operation = new Int32Array(this.threads);
    this.isInside = new Uint8Array(this.threads);
    this.#held = new Int32Array(this.threads);
    this.#afterFrom = this.calls.length - after.length;
    const main = threads.length;
    this.threadOf = Int32Array.from([
      ...before.map(() => main),
      ...threads.flatMap((calls, thread) => calls.map(() => thread)),
      ...after.map(() => main),
    ]);
    this.#first = new Int32Array(this.threads).fill(NONE);
    this.#next = new Int32Array(this.calls.length).fill(NONE);
    for (let k = this.calls.length - 1; k >= 0; k--) {
      this.#next[k] = this.#first[this.threadOf[k]];
      this.#first[this.threadOf[k]] = k;
    }
  }

  /** Starts anew, with a fresh object. `keepsObservations`: observed values are kept. */
  reset(keepsObservations = false): void {
    this.memory.reset();
    this.memory.keepsObservations = keepsObservations;
    this.outcome.fill(OPEN);
    this.choosing = -1;
    this.#holder?.reset();
    this.recorder?.reset();
    this.object = this.program.create(this.memory);
    for (let thread = 0; thread < this.threads; thread++) this.#enter(thread, this.#first[thread]);
    this.#compareStart();
  }

  /** Before the first step, all executions are equal. Where names of objects differ, engines would miss conflicts. */
  #compareStart(): void {
    this.#start ??= Int32Array.from(this.announced);
    const thread = this.announced.findIndex((announced, i) => announced !== this.#start![i]);
    if (thread >= 0)
      throw new ProgramError(
        `${this.calls[this.operation[thread]]?.method ?? 'a call'} starts with another access than in the first execution. \`create\`, or code before the first access, may depend on the time, on random numbers, or on state that an earlier execution has left`,
      );
  }

  /** The object under test. */
  get #subject(): unknown {
    return this.program.objectOf ? this.program.objectOf(this.object) : this.object;
  }

  /** The enabled threads, as bits. Only to be called while no thread has to choose. */
  enabled(): number {
    let enabled = 0;
    for (let thread = 0; thread < this.threads; thread++) {
      const announced = this.announced[thread];
      if (announced !== ENDED && this.memory.isOpen(thread, announced)) enabled |= 1 << thread;
    }
    if (this.blockOwner >= 0) enabled &= 1 << this.blockOwner;
    else if (this.hasMain) enabled = this.#besideMain(enabled);
    return enabled;
  }

  /** May an object have state that cannot be read? */
  isOpaqueObject(object: object): boolean {
    return this.program.isOpaqueObject?.(object) ?? false;
  }

  /** Does an object stay as it is, and the same, in all executions? */
  isFixed(object: object): boolean {
    return this.program.isFixed?.(object) ?? false;
  }

  /** Are prototypes part of the state? */
  get hasPrototypes(): boolean {
    return this.program.isFixed !== undefined;
  }

  /** Has a thread taken a step? */
  hasBegun(thread: number): boolean {
    return this.isInside[thread] === 1 || this.operation[thread] !== this.#first[thread];
  }

  /** The thread inside an atomic block, or -1. */
  get blockOwner(): number {
    return this.#holder?.thread ?? -1;
  }

  get hasBlocks(): boolean {
    return this.#holder !== undefined;
  }

  /**
   * Does a thread that is not enabled wait for another call? In a monitor it does. Where it spins or waits by `Atomics`, it may wait
   * for a lock of the program; but not if no other thread is inside a call, since then no call holds one.
   */
  waitsForCall(thread: number): boolean {
    const { memory, announced } = this;
    if (memory.isAsleep(thread) && kindOf(announced[thread]) === LOCK) return true;
    if (!memory.isAsleep(thread) && !memory.isSpinning(thread)) return false;
    return this.isInside.every((isInside, other) => isInside === 0 || other === thread);
  }

  /** If no thread is enabled: the operations that are pending or would be called next, as bits. */
  pending(): number {
    let pending = 0;
    for (let thread = 0; thread < this.threads; thread++)
      if (this.announced[thread] !== ENDED && !this.isHeldBack(thread))
        pending |= 1 << this.operation[thread];
    return pending;
  }

  /** A thread does what it has announced. */
  step(thread: number): void {
    const announced = this.announced[thread];
    const kind = kindOf(announced);
    const site = this.sites[thread];
    const data = this.data[thread];
    this.stepped = this.operation[thread];
    this.location = kind === NOTHING ? -1 : locationOf(announced);
    this.isFirst = this.isInside[thread] === 0;
    this.isInside[thread] = 1;
    this.permits = this.location < 0 ? 0 : this.memory.permits(this.location);
    this.needed = this.memory.needsOf(thread);
    this.memory.doing(thread, kind, this.location);
    this.recorder?.take(thread);
    if (this.#held[thread] !== OPEN) this.#end(thread, this.#held[thread]);
    else this.#resume(thread, 0, site);
    this.kind = this.memory.settle();
    this.location = this.memory.settledLocation;
    this.onStep?.(thread, announced, site, data);
    if (this.isLast) this.#enter(thread, this.#next[this.stepped]);
  }

  /** The thread that has to choose takes an alternative. */
  choose(alternative: number): void {
    const thread = this.choosing;
    this.stepped = this.operation[thread];
    this.location = -1;
    this.isFirst = false;
    this.alternative = alternative;
    this.memory.doing(thread, CHOOSE, -1);
    this.memory.settle();
    this.memory.observeChoice(alternative);
    this.recorder?.take(alternative);
    this.#resume(thread, alternative, this.sites[thread]);
    this.memory.onObserve?.(alternative);
    this.kind = CHOOSE;
    if (this.isLast) this.#enter(thread, this.#next[this.stepped]);
    this.choosing = this.announced.findIndex(
      (announced) => announced !== ENDED && kindOf(announced) === CHOOSE,
    );
  }

  /** The run is not continued. Records where its threads are, so that a report can name the place. */
  abandon(): void {
    for (let thread = 0; thread < this.threads; thread++)
      if (this.announced[thread] !== ENDED && this.isInside[thread] === 1)
        this.abandonedAt.add(this.sites[thread]);
  }

  /** How many alternatives there are. */
  get alternatives(): number {
    return locationOf(this.announced[this.choosing]);
  }

  #resume(thread: number, sent: number, from: number): void {
    this.isLast = false;
    try {
      const { done, value } = this.resume(this.#coroutines[thread], sent);
      if (!done) this.#announce(thread, value);
      else this.#ended(thread, this.outcomes.returned(value, this.#subject));
    } catch (error) {
      if (isInstance(error, ProgramError)) throw error;
      this.thrown[this.operation[thread]] = error;
      this.#ended(thread, this.outcomes.threw(error));
    }
    this.recorder?.step(from, this.isLast ? NONE : this.sites[thread], this.memory.lastObserved);
  }

  /** Runs code of the program, up to its next announcement. */
  protected resume(coroutine: Coroutine, sent: number): IteratorResult<Access> {
    return coroutine.next(sent);
  }

  #announce(thread: number, announced: Access): void {
    if (!(announced >= 0)) throw this.#problem(thread, `announced ${announced}; expected an access`);
    this.announced[thread] = announced;
    this.sites[thread] = this.memory.site;
    this.data[thread] = this.memory.data;
    this.memory.data = NO_DATA;
    const isChoice = kindOf(announced) === CHOOSE;
    if (!isChoice) this.#holder?.announced(thread, this.memory.site);
    const alternatives = isChoice ? locationOf(announced) : 1;
    if (alternatives === 0 || alternatives > MOST_CHOICES)
      throw this.#problem(thread, `has to choose one of ${alternatives}; expected 1 to ${MOST_CHOICES}`);
    if (isChoice && this.choosing < 0) this.choosing = thread;
  }

  #problem(thread: number, text: string): ProgramError {
    return new ProgramError(`${this.calls[this.operation[thread]].method} ${text}`);
  }

  #ended(thread: number, outcome: number): void {
    if (this.isInside[thread] === 1) this.#end(thread, outcome);
    else {
      this.#held[thread] = outcome;
      this.announced[thread] = LOCAL;
    }
  }

  #end(thread: number, outcome: number): void {
    this.outcome[this.operation[thread]] = outcome;
    this.isLast = true;
  }

  /** Starts an operation of a thread: runs it up to its first announcement. */
  #enter(thread: number, operation: number): void {
    const { isLast } = this;
    this.isInside[thread] = 0;
    this.#held[thread] = OPEN;
    this.operation[thread] = operation;
    if (this.#holder) this.#holder.thread = -1;
    this.data[thread] = NO_DATA;
    if (operation === NONE) this.announced[thread] = ENDED;
    else {
      this.memory.begin(thread);
      this.#coroutines[thread] = this.calls[operation].run(this.object, this.memory);
      this.#resume(thread, 0, this.recorder?.siteOf(this.calls[operation], this.#subject) ?? 0);
    }
    this.isLast = isLast;
  }

  /** Calls before come before all threads, and calls after when all have ended. */
  #besideMain(enabled: number): number {
    const main = this.threads - 1;
    if (this.announced[main] === ENDED) return enabled;
    if (this.operation[main] < this.#afterFrom) return enabled & (1 << main);
    return this.isHeldBack(main) ? enabled & ~(1 << main) : enabled;
  }

  /** Does a thread wait for the calls before or after the threads? */
  isHeldBack(thread: number): boolean {
    if (!this.hasMain) return false;
    const main = this.threads - 1;
    if (thread !== main) return this.announced[main] !== ENDED && this.operation[main] < this.#afterFrom;
    if (this.operation[main] < this.#afterFrom) return false;
    return this.announced.some((announced, other) => other !== main && announced !== ENDED);
  }
}
