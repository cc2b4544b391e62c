/**
 * The words through which a thread and whoever schedules it talk. They take turns: whose turn it is not sleeps in the kernel,
 * so there is never more than one that runs.
 *
 * What `Atomics` was when this file was loaded is what is used here: later it is replaced (gate.ts).
 */
const { load, store, wait, notify } = Atomics;

/** Whose turn it is. */
export const SCHEDULER = 0;
export const THREAD = 1;

/** What a thread says beside the kinds of access: what it does next, or what has become of its call. */
export const SLEEPS = 16;
export const RETURNED = 17;
export const THREW = 18;
export const READY = 19;
/** It has done more than it was let to (repeats.ts). */
export const OVERRAN = 20;
/** Its scenario can not be used in a thread; or it has ended by itself. */
export const REFUSED = 21;
export const GONE = 22;

/** What it says of the access before, as bits. */
export const CHANGED = 1;
export const SAW = 2;
const IS_BIG = 4;
/** It waits from now on. */
export const QUEUED = 8;
/** Of SLEEPS: it may go on at any moment, and then waits no longer, or still; or nobody can wake it; or only where it began to wait last. */
export const LIMITED = 16;
export const STAYS = 32;
export const FOR_EVER = 64;
export const AT_LAST = 512;
/** The access that it announces is a plain one; and it has sent where that stands. */
export const PLAIN = 128;
export const SHOWN = 256;

/** What a thread is told to do. */
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

  /** `turn`: who talks here. */
  constructor(turn: number, memory: SharedArrayBuffer = new SharedArrayBuffer(4 * WORDS)) {
    this.memory = memory;
    this.#turn = turn;
    this.#words = new Int32Array(memory);
    this.#floats = new Float64Array(memory);
    this.#bigs = new BigInt64Array(memory);
  }

  /** The other one goes on. */
  pass(): void {
    store(this.#words, TURN, 1 - this.#turn);
    notify(this.#words, TURN);
  }

  /** False where it takes more milliseconds than there is patience for. */
  await(patience: number = Number.POSITIVE_INFINITY): boolean {
    while (load(this.#words, TURN) !== this.#turn)
      if (wait(this.#words, TURN, 1 - this.#turn, patience) === 'timed-out') return false;
    return true;
  }

  // ── what the thread says ──

  says(kind: number): void {
    this.#words[SAYS] = kind;
  }

  get said(): number {
    return this.#words[SAYS];
  }

  /** Where it does that. */
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

  /** What was seen. */
  set value(value: number | bigint) {
    if (typeof value === 'bigint') this.#bigs[VALUE] = value;
    else this.#floats[VALUE] = value;
    this.flags |= typeof value === 'bigint' ? SAW | IS_BIG : SAW;
  }

  get value(): number | bigint {
    return this.flags & IS_BIG ? this.#bigs[VALUE] : this.#floats[VALUE];
  }

  /** Of NOTIFY: how many it would wake. */
  get most(): number {
    return this.#words[MOST];
  }

  set most(most: number) {
    this.#words[MOST] = most;
  }

  /** The last so many accesses will be done again and again, until one differs. */
  get spins(): number {
    return this.#words[SPINS];
  }

  set spins(reads: number) {
    this.#words[SPINS] = reads;
  }

  /** Of a plain access: the number of its place. */
  get site(): number {
    return this.#words[SITE];
  }

  set site(site: number) {
    this.#words[SITE] = site;
  }

  // ── what it is told ──

  tell(command: number, given: number): void {
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
