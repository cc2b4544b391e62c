/**
 * A log in a file, one line per event, shared by one or several processes.
 *
 * The order of lines is time. `call` and `end` return after their line is written, and the system
 * serialises appends, so recorded calls may only be longer than the real ones. Open calls of a
 * killed process remain pending, as they should.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { InputError } from '../base/errors.js';
import { stringify } from '../base/values/json-values.js';
import type { Outcome } from '../history/model/operation.js';
import type { Log, RecordedCall } from './log.js';

/** A log that appends each call and each return to a file of JSON lines. */
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
      throw new InputError('an event was written only in part: is the disk full? The log cannot be checked');
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
