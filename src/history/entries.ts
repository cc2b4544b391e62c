/** Operations as they are added, in any order: the columns of a history before its events are ranked. */
import { copyOf, GrowingBytes, GrowingInts, Interner, range, show } from '../base/index.js';
import { AfterEntries } from './after-entries.js';
import { type Columns, FAILED, PENDING, RETURNED, type Tables, THREW } from './columns.js';
import type { Numbering } from './numbering.js';
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
  readonly #status = new GrowingBytes();
  readonly #result = new GrowingInts();
  /** … whether its process may have several calls open. */
  readonly #overlapping = new GrowingBytes();
  /** … the entries that took effect before it. */
  readonly #after = new AfterEntries();

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
    this.#overlapping.push(call.overlapping ? 1 : 0);
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
    this.#after.add(entry, earlier);
  }

  /** Did it happen, or may have? */
  happened(entry: number): boolean {
    return this.#status.at(entry) !== FAILED;
  }

  isOverlapping(entry: number): boolean {
    return this.#overlapping.at(entry) === 1;
  }

  /** The same number for entries of one process and one object. */
  processAndObject(entry: number): number {
    return this.#process.at(entry) * this.#objects.values.length + this.#object.at(entry);
  }

  method(entry: number): string {
    return this.#methods.values[this.#method.at(entry)] as string;
  }

  process(entry: number): string {
    return this.#processes.values[this.processNumber(entry)] as string;
  }

  /** The same number for entries of one process. */
  processNumber(entry: number): number {
    return this.#process.at(entry);
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

  /** The columns of the operations that the entries become. */
  columns({ entryOf, numberOf, call, return: returned, events }: Numbering): Columns {
    return {
      id: range(entryOf.length),
      object: this.#object.pick(entryOf),
      process: this.#process.pick(entryOf),
      method: this.#method.pick(entryOf),
      ...this.#argumentColumns(entryOf),
      status: this.#status.pick(entryOf),
      result: this.#result.pick(entryOf),
      call,
      return: returned,
      events,
      ...this.#after.columns(numberOf),
    };
  }

  #argumentColumns(entryOf: Int32Array): Pick<Columns, 'argumentStart' | 'argument'> {
    const argumentStart = new Int32Array(entryOf.length + 1);
    const argument = new Int32Array(this.#argument.length);
    let end = 0;
    for (let k = 0; k < entryOf.length; k++) {
      const last = this.#argumentEnd.at(entryOf[k] + 1);
      for (let i = this.#argumentEnd.at(entryOf[k]); i < last; i++) argument[end++] = this.#argument.at(i);
      argumentStart[k + 1] = end;
    }
    return { argumentStart, argument };
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
