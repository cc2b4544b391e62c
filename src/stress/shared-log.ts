/**
 * The private log of one thread, in shared memory: the thread that started it can read the log even if the other one never returns.
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

const { add, load } = Atomics;

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
