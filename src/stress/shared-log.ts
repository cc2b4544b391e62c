/**
 * What the threads of a round share with their starter: the gate, and the private log of each thread.
 *
 * A log is in shared memory: the thread that started it can read the log even if the other one never returns.
 *
 * Both know the calls, so only times and results are written: work between two calls would keep threads from overlapping. Results
 * that are not small values are JSON, in sequence. A line, a call or a return, is valid once it is counted.
 */
import { parseJson } from '../base/values/json-reader.js';
import { stringify, untag } from '../base/values/json-values.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import type { TimedOperation } from '../history/builder/builder.js';
import type { Outcome } from '../history/model/operation.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import type { Log } from '../record/log.js';

const { add, load, notify, store, wait } = Atomics;

const HEADER = 8;
/** Bytes for JSON. */
const TEXT = 2 ** 22;

/** How an answer is written; those from SMALL on with a value beside it: the number, or how long the text is. */
const UNDEFINED = 1;
const NULL = 2;
const FALSE = 3;
const TRUE = 4;
const SMALL = 5;
const JSON_TEXT = 6;

const KINDS = new Map<unknown, number>([
  [undefined, UNDEFINED],
  [null, NULL],
  [false, FALSE],
  [true, TRUE],
]);
const VALUES = new Map(Array.from(KINDS, ([value, kind]) => [kind, value]));

export const newSharedLog = (calls: readonly PlainCall[]): SharedArrayBuffer =>
  new SharedArrayBuffer(HEADER + 24 * calls.length + TEXT);

/** How much has been written. */
export const writtenOf = (buffer: SharedArrayBuffer): number => load(new Int32Array(buffer, 0, 1), 0);

class Parts {
  readonly written: Int32Array;
  /** Call to when it was called and when it has ended; and to how its answer is written, and the value beside it. */
  readonly times: BigInt64Array;
  readonly answers: Int32Array;
  readonly text: Uint8Array;

  constructor(buffer: SharedArrayBuffer, calls: number) {
    this.written = new Int32Array(buffer, 0, 1);
    this.times = new BigInt64Array(buffer, HEADER, 2 * calls);
    this.answers = new Int32Array(buffer, HEADER + 16 * calls, 2 * calls);
    this.text = new Uint8Array(buffer, HEADER + 24 * calls);
  }
}

export class SharedLog implements Log {
  readonly #parts: Parts;
  #calls = 0;
  #length = 0;

  constructor(buffer: SharedArrayBuffer, calls: readonly PlainCall[]) {
    this.#parts = new Parts(buffer, calls.length);
  }

  call(): number {
    const { times, written } = this.#parts;
    times[2 * this.#calls] = process.hrtime.bigint();
    add(written, 0, 1);
    return this.#calls++;
  }

  end(call: number, outcome: Outcome): void {
    const { times, written } = this.#parts;
    times[2 * call + 1] = process.hrtime.bigint();
    this.#answer(call, outcome);
    add(written, 0, 1);
  }

  #answer(call: number, outcome: Outcome): void {
    const { answers, text } = this.#parts;
    const value = outcome.kind === 'returned' ? outcome.value : outcome;
    const kind = KINDS.get(value);
    const isSmall = ((value as number) | 0) === value;
    if (outcome.kind === 'returned' && (kind !== undefined || isSmall)) {
      answers[2 * call] = kind ?? SMALL;
      answers[2 * call + 1] = isSmall ? (value as number) : 0;
      return;
    }
    const bytes = new TextEncoder().encode(stringify(outcome));
    if (this.#length + bytes.length > text.length)
      throw new ScenarioError(
        `a thread has logged more than ${TEXT >> 20} MB in one round: make fewer calls`,
      );
    text.set(bytes, this.#length);
    this.#length += bytes.length;
    answers[2 * call] = JSON_TEXT;
    answers[2 * call + 1] = bytes.length;
  }
}

/** What a thread has done of its calls. */
export function operationsIn(
  buffer: SharedArrayBuffer,
  calls: readonly PlainCall[],
  process: string,
): TimedOperation[] {
  const { times, answers, text } = new Parts(buffer, calls.length);
  const lines = writtenOf(buffer);
  let length = 0;
  return calls.slice(0, Math.ceil(lines / 2)).map(([method, ...args], k) => {
    const call = { process, method, args, call: times[2 * k] };
    if (2 * k + 1 >= lines) return { ...call, outcome: { kind: 'pending' } };
    const [kind, beside] = [answers[2 * k], answers[2 * k + 1]];
    const outcome: Outcome =
      kind === JSON_TEXT
        ? readOutcome(text.slice(length, length + beside))
        : { kind: 'returned', value: kind === SMALL ? beside : VALUES.get(kind) };
    if (kind === JSON_TEXT) length += beside;
    return { ...call, outcome, return: times[2 * k + 1] };
  });
}

const readOutcome = (bytes: Uint8Array): Outcome =>
  untag(parseJson(new TextDecoder().decode(bytes))) as Outcome;

const ARRIVED = 0;
const OPEN = 1;
const OVER = 2;
const BEDS = 3;

const WORD = 4;

/**
 * What the threads of a round share with their starter beside the object and the logs: which threads have arrived, whether all have,
 * whether the round is over, and where each thread sleeps. Threads start together: the last one that arrives opens the gate.
 */
export class Gate {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  static of(threads: number): Gate {
    return new Gate(new Int32Array(new SharedArrayBuffer(WORD * (BEDS + threads))));
  }

  get #threads(): number {
    return this.words.length - BEDS;
  }

  /** Waits until all are there. */
  pass(): void {
    if (add(this.words, ARRIVED, 1) + 1 < this.#threads) wait(this.words, OPEN, 0);
    store(this.words, OPEN, 1);
    notify(this.words, OPEN);
  }

  get isOpen(): boolean {
    return load(this.words, OPEN) === 1;
  }

  get isOver(): boolean {
    return load(this.words, OVER) === 1;
  }

  /** A thread is about to sleep at an address, in bytes from where its memory begins. */
  sleep(thread: number, address: number): void {
    store(this.words, BEDS + thread, address / WORD + 1);
  }

  wakeUp(thread: number): void {
    store(this.words, BEDS + thread, 0);
  }

  /** Ends the round: wakes all who sleep in memory of these. To be called again until all are awake, who may just be falling asleep. */
  end(memory: readonly SharedArrayBuffer[]): void {
    store(this.words, OVER, 1);
    for (let thread = 0; thread < this.#threads; thread++) {
      const bed = load(this.words, BEDS + thread) - 1;
      if (bed < 0) continue;
      for (const words of memory.map((buffer) => new Int32Array(buffer, 0, buffer.byteLength >> 2)))
        if (bed < words.length) notify(words, bed);
    }
  }
}
