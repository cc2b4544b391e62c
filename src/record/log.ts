/**
 * Logs of calls and their outcomes.
 *
 * A call is logged before it starts and its end after the outcome is known. A recorded interval
 * therefore contains the real one: a violation may be missed, but there are no false alarms.
 */

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

/** The monotonic clock of this machine, shared by all threads and processes. */
const now = process.hrtime.bigint;

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
  const builder = new HistoryBuilder();
  for (const log of logs) for (const operation of log) builder.operation(operation);
  return builder.finish();
}

/** The meaning of an error: a result of the object, a call that never took effect, or an unknown outcome. */
export type ErrorMeaning = 'threw' | 'failed' | 'unknown';
export type ClassifyError = (error: unknown) => ErrorMeaning;

/** The name of an error identifies it. */
const errorName = (error: unknown): string => (error instanceof Error ? error.name : String(error));

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
