/**
 * The private log of one thread, in shared memory: whoever started it can read it even if the thread never comes back.
 *
 * Lines of JSON, a call or an end each, with the time. A line is there when its bytes are counted.
 */
import { parseJson, stringify, untag } from '../../base/index.js';
import type { Outcome, TimedOperation } from '../../history/index.js';
import type { Log, RecordedCall } from '../../record/index.js';
import { ScenarioError } from '../scenario-error.js';

const HEADER = 8;
const SIZE = 2 ** 22;

export const newSharedLog = (): SharedArrayBuffer => new SharedArrayBuffer(SIZE);

/** How much has been written. */
export const writtenOf = (buffer: SharedArrayBuffer): number => Atomics.load(new Int32Array(buffer, 0, 1), 0);

type Line =
  | { readonly call: RecordedCall; readonly at: bigint | number }
  | { readonly end: number; readonly outcome: Outcome; readonly at: bigint | number };

export class SharedLog implements Log {
  readonly #written: Int32Array;
  readonly #bytes: Uint8Array;
  #calls = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#written = new Int32Array(buffer, 0, 1);
    this.#bytes = new Uint8Array(buffer, HEADER);
  }

  call(call: RecordedCall): number {
    // written down before the clock is looked at: what takes time is not part of the call
    const line = stringify(call);
    this.#append(`{"call":${line},"at":${process.hrtime.bigint()}}\n`);
    return this.#calls++;
  }

  end(call: number, outcome: Outcome): void {
    const at = process.hrtime.bigint();
    this.#append(`{"end":${call},"outcome":${stringify(outcome)},"at":${at}}\n`);
  }

  #append(line: string): void {
    const bytes = new TextEncoder().encode(line);
    const begin = this.#written[0];
    if (begin + bytes.length > this.#bytes.length)
      throw new ScenarioError(
        `a thread has logged more than ${SIZE >> 20} MB in one round: make fewer calls`,
      );
    this.#bytes.set(bytes, begin);
    Atomics.store(this.#written, 0, begin + bytes.length);
  }
}

export function operationsIn(buffer: SharedArrayBuffer): TimedOperation[] {
  // a decoder takes no shared memory
  const bytes = new Uint8Array(buffer, HEADER, writtenOf(buffer)).slice();
  const text = new TextDecoder().decode(bytes);
  const operations: { -readonly [F in keyof TimedOperation]: TimedOperation[F] }[] = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const read = untag(parseJson(line)) as Line;
    if ('call' in read) operations.push({ ...read.call, call: read.at, outcome: { kind: 'pending' } });
    else Object.assign(operations[read.end], { outcome: read.outcome, return: read.at });
  }
  return operations;
}
