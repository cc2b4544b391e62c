/**
 * Events appended to a file, a line each, by one process or several at once.
 *
 * The order of lines is time. It is that of the writes, since each is done when `call` and `end` return, and the system appends
 * one after another; so it may only make calls longer than they were. A process that is killed leaves its
 * open calls behind as pending, as they should be.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { stringify } from '../base/values/json-values.js';
import type { Outcome } from '../history/model/operation.js';
import type { Log, RecordedCall } from './log.js';

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
      process: this.#processOf(process),
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
    this.#write({ ...endOf(outcome), process: this.#processOf(call.process) });
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Other processes of the system may give the same name. */
  #processOf(name: string): string {
    return `${name}@${process.pid}`;
  }

  #write(event: Readonly<Record<string, unknown>>): void {
    const fields = Object.entries(event).map(([name, value]) => `"${name}":${stringify(value)}`);
    writeSync(this.#file, `{${fields.join(',')}}\n`);
  }
}

function endOf(outcome: Outcome): Readonly<Record<string, unknown>> {
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
