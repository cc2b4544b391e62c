/** Operations as they are added, in any order: the columns of a history before its events are ranked. */
import { GrowingInts, GrowingRows } from '../../base/collections/growing.js';
import { range } from '../../base/collections/ints.js';
import { type Columns, FAILED, type Numbering, PENDING } from '../model/columns.js';
import { HistoryError } from '../model/event.js';
import type { NumberedCall } from './tables.js';

/*
 * Which entries took effect before which others, though time does not show it.
 *
 * Pairs in the order in which they were told, 8 bytes each; sorted by operation,
 * by counting, when the entries have become operations. Most histories have none.
 */

class AfterEntries {
  readonly #later = new GrowingInts();
  readonly #earlier = new GrowingInts();

  add(entry: number, earlier: readonly number[]): void {
    for (const other of new Set(earlier)) {
      this.#later.push(entry);
      this.#earlier.push(other);
    }
  }

  /** `numberOf` maps entries to operations. */
  columns(numberOf: Int32Array): Pick<Columns, 'after'> {
    const count = this.#later.length;
    if (count === 0) return {};
    const start = new Int32Array(numberOf.length + 1);
    for (let i = 0; i < count; i++) {
      const [entry, earlier] = [this.#later.at(i), this.#earlier.at(i)];
      if (!(earlier >= 0 && earlier < numberOf.length))
        throw new HistoryError(`it comes "after" entry ${earlier}, which there is not`, entry);
      start[numberOf[entry] + 1]++;
    }
    for (let k = 0; k < numberOf.length; k++) start[k + 1] += start[k];

    const items = new Int32Array(count);
    const next = start.slice();
    for (let i = 0; i < count; i++)
      items[next[numberOf[this.#later.at(i)]]++] = numberOf[this.#earlier.at(i)];
    return { after: { start, items } };
  }
}

/** The columns of an entry. Its arguments are those from its start up to the start of the next entry. */
const [OBJECT, PROCESS, METHOD, ARGUMENT_START, RESULT, ENDING] = [0, 1, 2, 3, 4, 5];
const WIDTH = 6;

/** An ending is the status, and whether the process may have several calls open. */
const STATUS_BITS = 3;
const OVERLAPPING = 4;

export class Entries {
  readonly #rows = new GrowingRows(WIDTH);
  readonly #argument = new GrowingInts();
  /** The entries that took effect before an entry. */
  readonly #after = new AfterEntries();
  /** Larger than the number of any object. */
  #objects = 0;

  get length(): number {
    return this.#rows.length;
  }

  add(call: NumberedCall, status: number, result: number): number {
    const start = this.#rows.add();
    const { cells } = this.#rows;
    cells[start + OBJECT] = call.object;
    cells[start + PROCESS] = call.process;
    cells[start + METHOD] = call.method;
    cells[start + ARGUMENT_START] = this.#argument.length;
    cells[start + RESULT] = result;
    cells[start + ENDING] = status | (call.overlapping ? OVERLAPPING : 0);
    for (let i = 0; i < call.count; i++) this.#argument.push(call.args[i]);
    if (call.object >= this.#objects) this.#objects = call.object + 1;
    return this.#rows.length - 1;
  }

  isPending(entry: number): boolean {
    return entry >= 0 && entry < this.length && this.#status(entry) === PENDING;
  }

  setOutcome(entry: number, status: number, result: number): void {
    this.#rows.set(entry, RESULT, result);
    this.#rows.set(entry, ENDING, status | (this.#rows.at(entry, ENDING) & OVERLAPPING));
  }

  setAfter(entry: number, earlier: readonly number[]): void {
    this.#after.add(entry, earlier);
  }

  /** Did it happen, or may have? */
  happened(entry: number): boolean {
    return this.#status(entry) !== FAILED;
  }

  isOverlapping(entry: number): boolean {
    return (this.#rows.at(entry, ENDING) & OVERLAPPING) !== 0;
  }

  process(entry: number): number {
    return this.#rows.at(entry, PROCESS);
  }

  object(entry: number): number {
    return this.#rows.at(entry, OBJECT);
  }

  method(entry: number): number {
    return this.#rows.at(entry, METHOD);
  }

  /** The same number for entries of one process and one object. */
  processAndObject(entry: number): number {
    return this.process(entry) * this.#objects + this.object(entry);
  }

  #status(entry: number): number {
    return this.#rows.at(entry, ENDING) & STATUS_BITS;
  }

  /** The columns of the operations that the entries become. */
  columns({ entryOf, numberOf, call, return: returned, events }: Numbering): Columns {
    const count = entryOf.length;
    const [object, process, method] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
    const [status, result] = [new Uint8Array(count), new Int32Array(count)];
    for (let k = 0; k < count; k++) {
      const cells = this.#rows.chunk(entryOf[k]);
      const start = this.#rows.start(entryOf[k]);
      object[k] = cells[start + OBJECT];
      process[k] = cells[start + PROCESS];
      method[k] = cells[start + METHOD];
      result[k] = cells[start + RESULT];
      status[k] = cells[start + ENDING] & STATUS_BITS;
    }
    return {
      id: range(count),
      object,
      process,
      method,
      ...this.#argumentColumns(entryOf),
      status,
      result,
      call,
      return: returned,
      events,
      ...this.#after.columns(numberOf),
    };
  }

  #argumentColumns(entryOf: Int32Array): Pick<Columns, 'argumentStart' | 'argument'> {
    const given = this.#argument.toArray();
    const argumentStart = new Int32Array(entryOf.length + 1);
    const argument = new Int32Array(given.length);
    let end = 0;
    for (let k = 0; k < entryOf.length; k++) {
      const next = entryOf[k] + 1;
      const last = next === entryOf.length ? given.length : this.#rows.at(next, ARGUMENT_START);
      for (let i = this.#rows.at(entryOf[k], ARGUMENT_START); i < last; i++) argument[end++] = given[i];
      argumentStart[k + 1] = end;
    }
    return { argumentStart, argument };
  }
}
