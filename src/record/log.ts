/**
 * Logs of calls and their outcomes, in memory and in files.
 *
 * A call is logged before it starts and its end after the outcome is known. A recorded interval
 * therefore contains the real one: a violation may be missed, but there are no false alarms.
 */

import { closeSync, openSync, writeSync } from 'node:fs';
import { InputError, thrownText } from '../base/errors.js';
import { stringify } from '../base/values/json-values.js';
import { HistoryBuilder, type TimedOperation } from '../history/builder/builder.js';
import type { History } from '../history/history.js';
import type { Outcome } from '../history/model/operation.js';

/** A call that was recorded and has not ended. */
export interface RecordedCall {
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly object?: string | undefined;
}

/** Receives recorded calls. */
export interface Log {
  /** Logs a call and returns its number. */
  call(call: RecordedCall): number;
  end(call: number, outcome: Outcome): void;
}

/** The monotonic clock of this machine, shared by all threads and processes. A browser has one for each page. */
const now: () => bigint =
  globalThis.process === undefined
    ? () => BigInt(Math.round(performance.now() * 1e6))
    : process.hrtime.bigint;

interface Entry extends RecordedCall {
  readonly call: bigint;
  return: bigint | undefined;
  outcome: Outcome;
}

const OPEN: Outcome = { kind: 'pending' };

/** A log in memory, private to its thread. */
export class MemoryLog implements Log {
  readonly #entries: Entry[] = [];
  #ended = 0;

  call({ process, method, args, object }: RecordedCall): number {
    return (
      this.#entries.push({ process, method, args, object, call: now(), return: undefined, outcome: OPEN }) - 1
    );
  }

  end(call: number, outcome: Outcome): void {
    const entry = this.#entries[call];
    entry.return = now();
    entry.outcome = outcome;
    this.#ended++;
  }

  /** The number of logged calls and ends. */
  get eventCount(): number {
    return this.#entries.length + this.#ended;
  }

  /** The operations so far, for posting to another thread. Open calls are pending. */
  get operations(): readonly TimedOperation[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  history(): History {
    return mergeLogs([this.operations]);
  }
}

/**
 * Merges the logs of several threads into one history, by the clock that they share.
 *
 * @example
 * const [one, other] = [new MemoryLog(), new MemoryLog()];
 * const history = mergeLogs([one.operations, other.operations]);
 */
export function mergeLogs(logs: readonly (readonly TimedOperation[])[]): History {
  const builder = new HistoryBuilder({ keepTimes: true });
  for (const log of logs) for (const operation of log) builder.operation(operation);
  return builder.finish();
}

/** The meaning of an error: a result of the object, a call that never took effect, or an unknown outcome. */
export type ErrorMeaning = 'threw' | 'failed' | 'unknown';
export type ClassifyError = (error: unknown) => ErrorMeaning;

/** The name of an error identifies it. */
const errorName = (error: unknown): string => thrownText(error, 'name');

/** The outcome of a call that ended with an error. */
export function outcomeOfError(error: unknown, meaning: ErrorMeaning): Outcome {
  switch (meaning) {
    case 'threw':
      return { kind: 'threw', error: errorName(error) };
    case 'failed':
      return { kind: 'failed', reason: errorName(error) };
    case 'unknown':
      return { kind: 'pending', reason: errorName(error) };
  }
}

/**
 * A log that appends each call and each return to a file of JSON lines; one or several processes share it.
 *
 * The order of lines is time. `call` and `end` return after their line is written, and the system
 * serialises appends, so recorded calls may only be longer than the real ones. Open calls of a
 * killed process remain pending, as they should.
 */
export class FileLog implements Log {
  readonly #file: number;
  readonly #open = new Map<number, RecordedCall>();
  #calls = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'a');
  }

  call(call: RecordedCall): number {
    const { process, method, args, object } = call;
    this.#open.set(this.#calls, call);
    this.#write({
      type: 'call',
      process: this.#uniqueProcess(process),
      method,
      args,
      ...(object !== undefined && { object }),
    });
    return this.#calls++;
  }

  end(number: number, outcome: Outcome): void {
    const call = this.#open.get(number);
    if (!call) return;
    this.#open.delete(number);
    this.#write({ ...endFields(outcome), process: this.#uniqueProcess(call.process) });
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Distinguishes equal names in different processes of the operating system. */
  #uniqueProcess(name: string): string {
    return `${name}@${process.pid}`;
  }

  #write(event: Readonly<Record<string, unknown>>): void {
    const fields = Object.entries(event).map(([name, value]) => `"${name}":${stringify(value)}`);
    const line = Buffer.from(`{${fields.join(',')}}\n`);
    // the rest cannot be appended later: another process may have written a line in between
    if (writeSync(this.#file, line) < line.length)
      throw new InputError(
        'an event was written only in part, perhaps because the disk is full; the log cannot be checked',
      );
  }
}

function endFields(outcome: Outcome): Readonly<Record<string, unknown>> {
  switch (outcome.kind) {
    case 'returned':
      return { type: 'return', result: outcome.value };
    case 'threw':
      return { type: 'throw', threw: outcome.error };
    case 'failed':
      return { type: 'failed', ...(outcome.reason !== undefined && { failed: outcome.reason }) };
    case 'pending':
      return { type: 'unknown', ...(outcome.reason !== undefined && { unknown: outcome.reason }) };
  }
}
