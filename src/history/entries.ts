/** Operations as they are added, in any order: the columns of a history before its events are ranked. */
import { copyOf, GrowingInts, Interner, range, show } from '../base/index.js';
import { type Columns, FAILED, PENDING, RETURNED, type Tables, THREW, withColumns } from './columns.js';
import { cut } from './cut.js';
import { HistoryError } from './history-error.js';
import type { Outcome } from './operation.js';

/** A call as it is recorded. */
export interface Call {
  readonly process: string;
  readonly method: string;
  readonly args?: readonly unknown[] | undefined;
  /** Which object is called, where there are several. */
  readonly object?: string | undefined;
  /** The process may have other calls open at the same time. */
  readonly overlapping?: boolean | undefined;
}

const STATUS = { pending: PENDING, returned: RETURNED, threw: THREW, failed: FAILED } as const;

export class Entries {
  readonly #objects = new Interner();
  readonly #processes = new Interner();
  readonly #methods = new Interner();
  readonly #values = new Interner();
  readonly #valueOf: (value: unknown) => unknown;

  // entry to …
  readonly #object = new GrowingInts();
  readonly #process = new GrowingInts();
  readonly #method = new GrowingInts();
  readonly #argument = new GrowingInts();
  /** … the end of its arguments: entry e has those from position e to position e + 1 of this list. */
  readonly #argumentEnd = new GrowingInts();
  readonly #status = new GrowingInts();
  readonly #result = new GrowingInts();
  /** … the entries that took effect before it; empty for most histories. */
  readonly #after = new Map<number, readonly number[]>();

  /** `copies`: values are the caller's own, who may go on to change them. */
  constructor(copies: boolean) {
    this.#valueOf = copies ? copyOf : (value) => value;
    this.#argumentEnd.push(0);
  }

  get length(): number {
    return this.#process.length;
  }

  add(call: Call, outcome: Outcome): number {
    this.#object.push(this.#objects.intern(call.object));
    this.#process.push(this.#processes.intern(call.process));
    this.#method.push(this.#methods.intern(call.method));
    if (call.args)
      for (const argument of call.args) this.#argument.push(this.#values.intern(this.#valueOf(argument)));
    this.#argumentEnd.push(this.#argument.length);
    this.#result.push(this.#resultOf(outcome));
    this.#status.push(STATUS[outcome.kind]);
    return this.length - 1;
  }

  isPending(entry: number): boolean {
    return entry >= 0 && entry < this.length && this.#status.at(entry) === PENDING;
  }

  setOutcome(entry: number, outcome: Outcome): void {
    this.#result.set(entry, this.#resultOf(outcome));
    this.#status.set(entry, STATUS[outcome.kind]);
  }

  setAfter(entry: number, earlier: readonly number[]): void {
    this.#after.set(entry, [...(this.#after.get(entry) ?? []), ...earlier]);
  }

  /** Did it happen, or may have? */
  happened(entry: number): boolean {
    return this.#status.at(entry) !== FAILED;
  }

  /** The same number for entries of one process and one object. */
  processAndObject(entry: number): number {
    return this.#process.at(entry) * this.#objects.values.length + this.#object.at(entry);
  }

  method(entry: number): string {
    return this.#methods.values[this.#method.at(entry)] as string;
  }

  process(entry: number): string {
    return this.#processes.values[this.#process.at(entry)] as string;
  }

  tables(undefinedIsNull: boolean): Tables {
    return {
      objects: this.#objects.values as (string | undefined)[],
      processes: this.#processes.values as string[],
      methods: this.#methods.values as string[],
      values: this.#values,
      undefinedIsNull: undefinedIsNull && this.#values.find(undefined) === undefined,
    };
  }

  /** The columns, operations numbered by call, where `events` lists all calls (entry) and ends (~entry) in order. */
  columns(events: Int32Array): Columns {
    const byCall = range(this.length);
    const raw: Columns = {
      id: byCall,
      object: this.#object.toArray(),
      process: this.#process.toArray(),
      method: this.#method.toArray(),
      argumentStart: this.#argumentEnd.toArray(),
      argument: this.#argument.toArray(),
      status: new Uint8Array(this.#status.toArray()),
      result: this.#result.toArray(),
      call: byCall,
      return: byCall,
      events,
      ...this.#afterColumns(),
    };
    // all of it, numbered anew: the order of calls need not be the order of entries
    return withColumns(cut(raw, events), { id: byCall });
  }

  #afterColumns(): Pick<Columns, 'after'> {
    if (this.#after.size === 0) return {};
    const start = new Int32Array(this.length + 1);
    const items = new GrowingInts();
    for (let entry = 0; entry < this.length; entry++) {
      for (const earlier of this.#after.get(entry) ?? []) {
        if (!(earlier >= 0 && earlier < this.length))
          throw new HistoryError(`it comes "after" entry ${earlier}, which there is not`, entry);
        items.push(earlier);
      }
      start[entry + 1] = items.length;
    }
    return { after: { start, items: items.toArray() } };
  }

  /** Callers without types may hand over anything; a result that is not seen would be a silent miss. */
  #resultOf(outcome: Outcome): number {
    if (!isOutcome(outcome))
      throw new TypeError(
        `${show(outcome)} is no outcome; expected { kind: 'returned', value }, { kind: 'threw', error: 'Name' }, { kind: 'pending' } or { kind: 'failed' }`,
      );
    if (outcome.kind === 'returned') return this.#values.intern(this.#valueOf(outcome.value));
    const text = outcome.kind === 'threw' ? outcome.error : outcome.reason;
    return text === undefined ? -1 : this.#values.intern(text);
  }
}

function isOutcome(outcome: Outcome | undefined): boolean {
  if (outcome?.kind === 'returned') return Object.hasOwn(outcome, 'value');
  if (outcome?.kind === 'threw') return typeof outcome.error === 'string';
  return outcome?.kind === 'pending' || outcome?.kind === 'failed';
}
