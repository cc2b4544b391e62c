/**
 * Shared memory through which the scheduler and one thread exchange messages. They take turns, and the side without
 * the turn sleeps in the kernel. So only one of them runs at a time.
 *
 * The functions of `Atomics` are saved when this file is loaded, because serve.ts replaces them later.
 */
const { load, store, wait, notify } = Atomics;

/** Whose turn it is. */
export const SCHEDULER = 0;
export const THREAD = 1;

/** Messages of a thread, beside the kinds of access: its next action, or the outcome of its call. */
export const SLEEPS = 16;
export const RETURNED = 17;
export const THREW = 18;
export const READY = 19;
/** The thread has made more accesses than the schedule allows (gate.ts). */
export const OVERRAN = 20;
/** The scenario cannot be used in a thread; and the thread has exited. */
export const REFUSED = 21;
export const GONE = 22;

/** Flags of a message. On the previous access: it changed memory; it read a value; the value is a bigint. */
export const CHANGED = 1;
export const SAW = 2;
const IS_BIG = 4;
/** The thread has joined the wait queue of the location. */
export const QUEUED = 8;
/**
 * Of SLEEPS. LIMITED: the thread may also continue without being woken. STAYS: it then remains in the wait queue. FOREVER: no
 * thread can wake it. AT_LAST: only the wait that it started last counts.
 */
export const LIMITED = 16;
export const STAYS = 32;
export const FOREVER = 64;
export const AT_LAST = 512;
/** The announced access is plain; and the thread has sent its source position. */
export const PLAIN = 128;
export const SHOWN = 256;

/** Commands of the scheduler. */
export const ATTACH = 0;
export const CALL = 1;
export const GO = 2;
export const ABANDON = 3;

/** The words, by number. */
const TURN = 0;
const SAYS = 1;
const BUFFER = 2;
const BYTE = 3;
const WIDTH = 4;
const FLAGS = 5;
const MOST = 6;
const SPINS = 7;
const COMMAND = 8;
const GIVEN = 9;
const SITE = 10;
/** Of 64 bits each. */
const VALUE = 6;
const WORDS = 14;

export class Channel {
  readonly memory: SharedArrayBuffer;
  readonly #turn: number;
  readonly #words: Int32Array;
  readonly #floats: Float64Array;
  readonly #bigs: BigInt64Array;

  /** `turn`: the side that uses this object, SCHEDULER or THREAD. */
  constructor(turn: number, memory: SharedArrayBuffer = new SharedArrayBuffer(4 * WORDS)) {
    this.memory = memory;
    this.#turn = turn;
    this.#words = new Int32Array(memory);
    this.#floats = new Float64Array(memory);
    this.#bigs = new BigInt64Array(memory);
  }

  /** Gives the turn to the other side. */
  pass(): void {
    store(this.#words, TURN, 1 - this.#turn);
    notify(this.#words, TURN);
  }

  /** Waits for the turn. False if that takes more than `timeout` milliseconds. */
  await(timeout: number = Number.POSITIVE_INFINITY): boolean {
    while (load(this.#words, TURN) !== this.#turn)
      if (wait(this.#words, TURN, 1 - this.#turn, timeout) === 'timed-out') return false;
    return true;
  }

  // ── messages of the thread ──

  says(kind: number): void {
    this.#words[SAYS] = kind;
  }

  get said(): number {
    return this.#words[SAYS];
  }

  /** The location of the announced access. */
  saysWhere(buffer: number, byte: number, width: number): void {
    this.#words[BUFFER] = buffer;
    this.#words[BYTE] = byte;
    this.#words[WIDTH] = width;
  }

  get buffer(): number {
    return this.#words[BUFFER];
  }

  get byte(): number {
    return this.#words[BYTE];
  }

  get width(): number {
    return this.#words[WIDTH];
  }

  get flags(): number {
    return this.#words[FLAGS];
  }

  set flags(flags: number) {
    this.#words[FLAGS] = flags;
  }

  /** The value that the previous access has read. */
  set value(value: number | bigint) {
    if (typeof value === 'bigint') this.#bigs[VALUE] = value;
    else this.#floats[VALUE] = value;
    this.flags |= typeof value === 'bigint' ? SAW | IS_BIG : SAW;
  }

  get value(): number | bigint {
    return this.flags & IS_BIG ? this.#bigs[VALUE] : this.#floats[VALUE];
  }

  /** Of NOTIFY: the largest number of waiters to wake. */
  get most(): number {
    return this.#words[MOST];
  }

  set most(most: number) {
    this.#words[MOST] = most;
  }

  /** The number of last accesses that the thread repeats until one of them has another result; 0 if none. */
  get spins(): number {
    return this.#words[SPINS];
  }

  set spins(reads: number) {
    this.#words[SPINS] = reads;
  }

  /** Of a plain access: the number of its source position. */
  get site(): number {
    return this.#words[SITE];
  }

  set site(site: number) {
    this.#words[SITE] = site;
  }

  // ── commands of the scheduler ──

  sendCommand(command: number, given: number): void {
    this.#words[COMMAND] = command;
    this.#words[GIVEN] = given;
  }

  get command(): number {
    return this.#words[COMMAND];
  }

  get given(): number {
    return this.#words[GIVEN];
  }
}
