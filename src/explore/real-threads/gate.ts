/**
 * The gate of a thread before each access to shared memory. The thread announces the access, waits until the scheduler grants
 * it, and then performs it. Memory that the scenario does not share is private to the thread and needs no gate. Loops that only
 * read are detected here (`Repeats`).
 */
import type { MessagePort } from 'node:worker_threads';
import type { SourcePosition } from '../../base/source-position.js';
import { type Caller, callers } from '../../execution/callers.js';
import { CHANGED, type Channel, FOREVER, GO, OVERRAN, PLAIN, QUEUED, SHOWN, SLEEPS } from './channel.js';

export type View = Int32Array | BigInt64Array;

/** The location of an access. */
export type Spot = readonly [buffer: number, byte: number, width: number];

export interface Access {
  readonly kind: number;
  /** The function, location and arguments, as text. */
  readonly request: string;
  readonly spot: Spot;
  readonly view: View | DataView;
  readonly index: number;
  /** The value that is stored, for reports. */
  readonly stores?: unknown;
  readonly isPlain?: boolean;
  /** Of an access to data: its source position, and the number of that position. */
  readonly at?: Numbered | undefined;
}

/** A source position and its number in this thread. */
export interface Numbered {
  readonly site: number;
  readonly place: SourcePosition;
}

/** The source position of an access and the name of its location, for reports. */
export interface Sight extends SourcePosition {
  /** The call stack, innermost first; empty unless the execution is traced. */
  readonly callers: readonly Caller[];
  readonly name: string;
  readonly stores: unknown;
}

const NOWHERE: SourcePosition = { file: '', line: 0, column: 0 };

/** Thrown in a call that is abandoned, because another execution starts. */
export class Abandoned extends Error {}

export class Gate {
  readonly repeats: Repeats = new Repeats();
  /** Does a call run? Only then are accesses announced. */
  isClosed = false;
  isAbandoned = false;
  readonly #channel: Channel;
  readonly #port: MessagePort;
  #buffers: readonly SharedArrayBuffer[] = [];
  #isTraced = false;
  /** Numbers of the source positions that were sent. */
  readonly #shown = new Set<number>();

  constructor(channel: Channel, port: MessagePort) {
    this.#channel = channel;
    this.#port = port;
  }

  /** Starts another execution over this memory. */
  reset(buffers: readonly SharedArrayBuffer[], isTraced: boolean): void {
    this.#buffers = buffers;
    this.#isTraced = isTraced;
    this.isAbandoned = false;
    this.repeats.reset();
  }

  /** The location of an element. Undefined if its memory is private, no call runs, or there is no such element. */
  spotOf(view: View, index: number): Spot | undefined {
    if (!this.isClosed || !ArrayBuffer.isView(view) || !(index >= 0 && index < view.length)) return undefined;
    const width = view.BYTES_PER_ELEMENT;
    return this.bytesOf(view, index * width, width);
  }

  /** The location of some bytes of a view. Undefined if its memory is private, no call runs, or there are no such bytes. */
  bytesOf(view: View | DataView, from: number, width: number): Spot | undefined {
    if (!this.isClosed || !(from >= 0 && from + width <= view.byteLength)) return undefined;
    const buffer = this.#buffers.indexOf(view.buffer as SharedArrayBuffer);
    return buffer < 0 ? undefined : [buffer, view.byteOffset + from, width];
  }

  /** Announces an access and waits until it is granted. Returns the number that the scheduler gives. `most`: the limit of NOTIFY. */
  come(access: Access, most = 0): number {
    if (this.isAbandoned) throw new Abandoned();
    const course = this.repeats.courseOf(access.request);
    if (course === 'proceed') return 0;
    if (course === 'overran') return this.#say(OVERRAN);
    this.#channel.spins = this.repeats.spins;
    this.#channel.most = most;
    this.#channel.saysWhere(...access.spot);
    if (access.isPlain) this.#channel.flags |= PLAIN;
    this.#channel.site = access.at?.site ?? -1;
    this.#show(access);
    return this.#say(access.kind);
  }

  /** Reports a performed access. `isCurrent`: does memory still hold the value that it left? */
  did({ request }: Access, result: unknown, hasChanged: boolean, isCurrent: () => boolean): void {
    if (hasChanged) this.#channel.flags |= CHANGED;
    if (typeof result === 'number' || typeof result === 'bigint') this.#channel.value = result;
    this.repeats.did({ request, result, isCurrent }, hasChanged);
  }

  /** Reports that the thread has joined the wait queue at its last access. */
  queue(): void {
    this.#channel.flags |= QUEUED;
  }

  /** Sleeps until woken; with LIMITED, the scheduler may end the sleep at any time. Returns the index of the woken wait, or -1. */
  sleep(flags: number): number {
    this.#channel.flags |= flags;
    const woken = this.#say(SLEEPS) - 1;
    this.repeats.did({ request: 'sleep', result: woken, isCurrent: () => true }, true);
    return woken;
  }

  sleepForever(): never {
    this.#channel.flags |= FOREVER;
    this.#say(SLEEPS);
    throw new Abandoned();
  }

  #say(kind: number): number {
    this.#channel.says(kind);
    this.#channel.pass();
    this.#channel.await();
    this.#channel.flags = 0;
    this.#channel.spins = 0;
    if (this.#channel.command === GO) return this.#channel.given;
    this.isAbandoned = true;
    throw new Abandoned();
  }

  /** Sends the source position of an access if the execution is traced. That of an access to data is always sent once. */
  #show({ spot, view, index, stores, at }: Access): void {
    const isNew = at !== undefined && !this.#shown.has(at.site);
    if (!this.#isTraced && !isNew) return;
    if (at) this.#shown.add(at.site);
    const of = this.#buffers.length > 1 ? ` of buffer ${spot[0] + 1}` : '';
    const stack = this.#isTraced ? callers() : [];
    const { file, line, column } = at?.place ?? stack[0] ?? NOWHERE;
    this.#port.postMessage({
      file,
      line,
      column,
      callers: stack.map((caller, i) => (i === 0 ? { ...caller, file, line, column } : caller)),
      name: `${view.constructor.name}[${index}]${of}`,
      stores,
    } satisfies Sight);
    this.#channel.flags |= SHOWN;
  }
}

/** Accesses of a trial. */
const TRIES = 10_000;
/** Accesses of the longest loop that is detected. */
const LONGEST = 16;

interface PastAccess {
  /** The function, location and arguments, as text; and the result. */
  readonly request: string;
  readonly result: unknown;
  /** Does memory still hold the value that the access left? */
  readonly isCurrent: () => boolean;
}

/** What a thread does at an access: announce it, perform it without announcing it, or report an overrun trial. */
export type Course = 'announce' | 'proceed' | 'overran';

/**
 * Detects loops in code that is not instrumented: a thread makes the same few accesses twice in a row, with the same results,
 * and none of them changes memory.
 *
 * Such a loop may count and end by itself, so it gets a *trial*: the thread continues alone and announces no access while it
 * repeats itself. After `TRIES` accesses the loop counts as infinite, until a value that it has read changes. If it ends
 * earlier, the thread has made accesses that no schedule granted. Then the execution is repeated up to the start of the
 * trial (threads.ts). The result of a trial is stored under everything that the thread has read, so each loop has one trial.
 */
export class Repeats {
  /** All calls and accesses of this execution, and the index after the last one that changed memory. */
  readonly #accesses: PastAccess[] = [];
  #from = 0;
  /** Loop to whether it is infinite, by its trial. */
  readonly #known = new Map<string, boolean>();
  /** The loop in its trial, its length in accesses, and the accesses of the trial so far. */
  #tried: string | undefined;
  #period = 0;
  #done = 0;
  /** Has the thread read the clock? Then time may end the loop, but stands still in a trial, so there is no trial. */
  isTimed: () => boolean = () => false;
  /** After `courseOf`: the length of the infinite loop that the thread is in; 0 if there is none. */
  spins = 0;

  /** Starts another execution. */
  reset(): void {
    this.#accesses.length = 0;
    this.#from = 0;
    this.#tried = undefined;
  }

  /** Starts a call: no loop includes accesses before it. */
  begin(call: string): void {
    this.did({ request: call, result: undefined, isCurrent: () => true }, true);
  }

  /** What the thread does at its next access. */
  courseOf(request: string): Course {
    this.spins = 0;
    if (this.#tried === undefined && !this.#startTrial()) return 'announce';
    const next = this.#accesses[this.#accesses.length - this.#period + (this.#done % this.#period)];
    if (request !== next.request) return this.#endTrial() ? 'overran' : 'announce';
    if (this.#done < TRIES || this.#done % this.#period !== 0) {
      this.#done++;
      return 'proceed';
    }
    this.#known.set(this.#tried!, true);
    this.#tried = undefined;
    this.spins = this.#period;
    return 'announce';
  }

  /** Records a performed access. */
  did(access: PastAccess, hasChanged: boolean): void {
    if (this.#tried !== undefined) return;
    this.#accesses.push(access);
    if (hasChanged) this.#from = this.#accesses.length;
  }

  /** The call has ended. Did it overrun a trial? */
  hasOverrun(): boolean {
    return this.#tried !== undefined && this.#endTrial();
  }

  /** The loop has ended by itself. True if the thread made accesses in the trial. */
  #endTrial(): boolean {
    this.#known.set(this.#tried!, false);
    this.#tried = undefined;
    return this.#done > 0;
  }

  /** Starts the trial of a new loop, and returns whether there is one. An infinite loop that is known sets `spins`. */
  #startTrial(): boolean {
    const period = this.isTimed() ? 0 : this.#findPeriod();
    if (period === 0 || !this.#accesses.slice(-period).every(({ isCurrent }) => isCurrent())) return false;
    const name = this.#nameOf(period);
    const known = this.#known.get(name);
    if (known === undefined) {
      this.#tried = name;
      this.#period = period;
      this.#done = 0;
    } else if (known) this.spins = period;
    return known === undefined;
  }

  #findPeriod(): number {
    const { length } = this.#accesses;
    for (let period = 1; period <= LONGEST && length - 2 * period >= this.#from; period++) {
      let place = length - 1;
      while (place >= length - period && this.#isAgain(place, period)) place--;
      if (place < length - period) return period;
    }
    return 0;
  }

  /** Is an access equal to the one a round before? */
  #isAgain(place: number, period: number): boolean {
    const one = this.#accesses[place];
    const other = this.#accesses[place - period];
    return one.request === other.request && one.result === other.result;
  }

  /** The key of a loop: its length, and all accesses of the thread up to the end of the first round. */
  #nameOf(period: number): string {
    let begin = this.#accesses.length - 2 * period;
    while (begin > this.#from && this.#isAgain(begin - 1 + period, period)) begin--;
    const seen = this.#accesses.slice(0, begin + period);
    return `${period}: ${seen.map(({ request, result }) => `${request} ${String(result)}`).join(', ')}`;
  }
}
