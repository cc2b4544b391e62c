/** Operations as they are added, in any order: the columns of a history before its events are ranked. */
import { GrowingBytes, GrowingInts, range } from '../base/index.js';
import { AfterEntries } from './after-entries.js';
import { type Columns, FAILED, PENDING } from './columns.js';
import type { NumberedCall } from './names.js';
import type { Numbering } from './numbering.js';

export class Entries {
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
  /** Larger than the number of any object. */
  #objects = 0;

  constructor() {
    this.#argumentEnd.push(0);
  }

  get length(): number {
    return this.#process.length;
  }

  add({ object, process, method, args, overlapping }: NumberedCall, status: number, result: number): number {
    if (object >= this.#objects) this.#objects = object + 1;
    this.#object.push(object);
    this.#process.push(process);
    this.#method.push(method);
    for (let i = 0; i < args.length; i++) this.#argument.push(args[i]);
    this.#argumentEnd.push(this.#argument.length);
    this.#result.push(result);
    this.#status.push(status);
    this.#overlapping.push(overlapping ? 1 : 0);
    return this.length - 1;
  }

  isPending(entry: number): boolean {
    return entry >= 0 && entry < this.length && this.#status.at(entry) === PENDING;
  }

  setOutcome(entry: number, status: number, result: number): void {
    this.#result.set(entry, result);
    this.#status.set(entry, status);
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

  process(entry: number): number {
    return this.#process.at(entry);
  }

  object(entry: number): number {
    return this.#object.at(entry);
  }

  /** The same number for entries of one process and one object. */
  processAndObject(entry: number): number {
    return this.process(entry) * this.#objects + this.object(entry);
  }

  method(entry: number): number {
    return this.#method.at(entry);
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
}
