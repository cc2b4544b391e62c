/**
 * What is recorded: calls, and how they ended, as they happen.
 *
 * A call is written down before it is made, its end after it is known. So what is recorded is never shorter than
 * what happened: too long hides at most a violation, too short would raise false alarms.
 */

import { HistoryBuilder, type TimedOperation } from '../history/builder/builder.js';
import type { History } from '../history/history.js';
import type { Outcome } from '../history/model/operation.js';

/* What a rejection means for a history: the object's answer, or that it did not happen, or that nobody knows. */

export type Classified = 'threw' | 'failed' | 'unknown';
export type Classify = (error: unknown) => Classified;

/** Errors are told by their names. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

export function rejection(error: unknown, classified: Classified): Outcome {
  switch (classified) {
    case 'threw':
      return { kind: 'threw', error: nameOf(error) };
    case 'failed':
      return { kind: 'failed', reason: nameOf(error) };
    case 'unknown':
      return { kind: 'pending', reason: nameOf(error) };
  }
}

export interface RecordedCall {
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly object?: string | undefined;
}

/** Where recorded calls go. */
export interface Log {
  /** Gives a number for the call. */
  call(call: RecordedCall): number;
  end(call: number, outcome: Outcome): void;
}

/** The clock of the machine that never goes back: the same for all threads and processes on it. */
const now = process.hrtime.bigint;

interface Entry extends RecordedCall {
  readonly call: bigint;
  return: bigint | undefined;
  outcome: Outcome;
}

const OPEN: Outcome = { kind: 'pending' };

/** In memory, private to its thread. */
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

  /** How many calls and ends have been written. */
  get moved(): number {
    return this.#entries.length + this.#ended;
  }

  /** What is there so far, to be posted to another thread. Calls that are open are pending. */
  get operations(): readonly TimedOperation[] {
    return this.#entries.map((entry) => ({ ...entry }));
  }

  history(): History {
    return merged([this.operations]);
  }
}

/** The logs of several threads as one history, by the clock that they share. */
export function merged(logs: readonly (readonly TimedOperation[])[]): History {
  const builder = new HistoryBuilder();
  for (const log of logs) for (const operation of log) builder.operation(operation);
  return builder.finish();
}
