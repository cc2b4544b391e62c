/** Operations as they are added, in any order: the columns of a history before its events are ranked. */
import { GrowingBytes, GrowingInts, pick, range } from '../base/index.js';
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

  add(call: NumberedCall, status: number, result: number): number {
    const { object, process, method, args, count, overlapping } = call;
    if (object >= this.#objects) this.#objects = object + 1;
    this.#object.push(object);
    this.#process.push(process);
    this.#method.push(method);
    for (let i = 0; i < count; i++) this.#argument.push(args[i]);
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
      object: pick(this.#object.toArray(), entryOf),
      process: pick(this.#process.toArray(), entryOf),
      method: pick(this.#method.toArray(), entryOf),
      ...this.#argumentColumns(entryOf),
      status: this.#statusColumn(entryOf),
      result: pick(this.#result.toArray(), entryOf),
      call,
      return: returned,
      events,
      ...this.#after.columns(numberOf),
    };
  }

  #statusColumn(entryOf: Int32Array): Uint8Array {
    const given = this.#status.toArray();
    const status = new Uint8Array(entryOf.length);
    for (let k = 0; k < entryOf.length; k++) status[k] = given[entryOf[k]];
    return status;
  }

  #argumentColumns(entryOf: Int32Array): Pick<Columns, 'argumentStart' | 'argument'> {
    const [given, ends] = [this.#argument.toArray(), this.#argumentEnd.toArray()];
    const argumentStart = new Int32Array(entryOf.length + 1);
    const argument = new Int32Array(given.length);
    let end = 0;
    for (let k = 0; k < entryOf.length; k++) {
      const last = ends[entryOf[k] + 1];
      for (let i = ends[entryOf[k]]; i < last; i++) argument[end++] = given[i];
      argumentStart[k + 1] = end;
    }
    return { argumentStart, argument };
  }
}
