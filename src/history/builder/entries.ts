/**
 * Operations in the order in which they are added: the columns of a history before its events are sorted, and its tables of
 * names and values.
 */
import { GrowingInts, GrowingRows } from '../../base/collections/growing.js';
import { copyOf } from '../../base/values/canonical.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import { type Columns, FAILED, NEVER, PENDING, RETURNED, type Tables, THREW } from '../model/columns.js';
import { HistoryError, type Outcome } from '../model/operation.js';

/** The cells of an entry. */
const OBJECT = 0;
const PROCESS = 1;
const METHOD = 2;
const ARGUMENT_START = 3;
const RESULT = 4;
const STATUS_AND_FLAGS = 5;
const WIDTH = 6;

/** Two bits of status; whether the process may have several open calls; and the number of arguments. */
const STATUS_BITS = 3;
const OVERLAPPING = 4;
const COUNT_SHIFT = 3;

export class Entries {
  readonly #rows = new GrowingRows(WIDTH);
  readonly #argument = new GrowingInts();
  readonly #after = new AfterEdges();
  /** Processes with calls that overlap. */
  readonly #concurrent = new Set<number>();
  /** Upper bound of the object indices. */
  #objectCount = 0;

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
    cells[start + STATUS_AND_FLAGS] =
      status | (call.overlapping ? OVERLAPPING : 0) | (call.count << COUNT_SHIFT);
    for (let i = 0; i < call.count; i++) this.#argument.push(call.args[i]);
    if (call.object >= this.#objectCount) this.#objectCount = call.object + 1;
    return this.#rows.length - 1;
  }

  isPending(entry: number): boolean {
    return entry >= 0 && entry < this.length && this.#status(entry) === PENDING;
  }

  setOutcome(entry: number, status: number, result: number): void {
    this.#rows.set(entry, RESULT, result);
    this.#rows.set(entry, STATUS_AND_FLAGS, status | (this.#rows.at(entry, STATUS_AND_FLAGS) & ~STATUS_BITS));
  }

  setAfter(entry: number, earlier: readonly number[]): void {
    this.#after.add(entry, earlier);
  }

  /** False if the entry is known never to have taken effect. */
  mayHaveHappened(entry: number): boolean {
    return this.#status(entry) !== FAILED;
  }

  isOverlapping(entry: number): boolean {
    return (this.#rows.at(entry, STATUS_AND_FLAGS) & OVERLAPPING) !== 0;
  }

  /** Notes that calls of a process overlap, or may do so. */
  markConcurrent(process: number): void {
    this.#concurrent.add(process);
  }

  /** May other calls of its process overlap it? */
  isConcurrent(entry: number): boolean {
    return this.isOverlapping(entry) && this.#concurrent.has(this.process(entry));
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

  /** A number that is equal for equal numbers and entries of the same object. */
  withObject(number: number, entry: number): number {
    return number * this.#objectCount + this.object(entry);
  }

  #status(entry: number): number {
    return this.#rows.at(entry, STATUS_AND_FLAGS) & STATUS_BITS;
  }

  /** Columns to be filled by the events in order. */
  numbering(): CallNumbering {
    return new CallNumbering(this.#rows, this.#argument.toArray());
  }

  /** The columns of all operations, once the events are numbered. */
  columns({ columns, numberOf, events }: CallNumbering): Columns {
    return { ...columns, events, ...this.#after.columns(numberOf) };
  }
}

/** Takes the events in order: calls (entry) and returns (~entry). */
export interface EventSink {
  add(event: number): void;
}

/**
 * Numbers entries by their calls, and copies them in this order.
 *
 * Cost: O(1) per event and argument, in one pass; 8 bytes per entry beside the columns.
 */
export class CallNumbering implements EventSink {
  /** Operation to entry, and entry to operation. */
  readonly entryOf: Int32Array;
  readonly numberOf: Int32Array;
  readonly columns: Omit<Columns, 'events'>;
  readonly #events: Int32Array;
  readonly #rows: GrowingRows;
  readonly #argument: Int32Array;
  #count = 0;
  #moment = 0;

  /** `argument`: the arguments of all entries. */
  constructor(rows: GrowingRows, argument: Int32Array) {
    const ints = (): Int32Array => new Int32Array(rows.length);
    this.#rows = rows;
    this.#argument = argument;
    this.entryOf = ints();
    this.numberOf = ints();
    this.#events = new Int32Array(2 * rows.length);
    this.columns = {
      id: ints(),
      object: ints(),
      process: ints(),
      method: ints(),
      argumentStart: new Int32Array(rows.length + 1),
      argument: new Int32Array(argument.length),
      status: new Uint8Array(rows.length),
      result: ints(),
      call: ints(),
      return: ints(),
    };
  }

  /** Adds the call of an entry, or the return of ~event. */
  add(event: number): void {
    const moment = this.#moment++;
    const { columns } = this;
    if (event < 0) {
      const k = this.numberOf[~event];
      columns.return[k] = moment;
      this.#events[moment] = ~k;
      return;
    }
    const k = this.#count++;
    this.entryOf[k] = event;
    this.numberOf[event] = k;
    this.#events[moment] = k;
    const cells = this.#rows.chunk(event);
    const start = this.#rows.start(event);
    columns.id[k] = k;
    columns.object[k] = cells[start + OBJECT];
    columns.process[k] = cells[start + PROCESS];
    columns.method[k] = cells[start + METHOD];
    columns.result[k] = cells[start + RESULT];
    columns.status[k] = cells[start + STATUS_AND_FLAGS] & STATUS_BITS;
    columns.call[k] = moment;
    columns.return[k] = NEVER;
    const from = cells[start + ARGUMENT_START];
    const count = cells[start + STATUS_AND_FLAGS] >>> COUNT_SHIFT;
    const to = columns.argumentStart[k];
    for (let i = 0; i < count; i++) columns.argument[to + i] = this.#argument[from + i];
    columns.argumentStart[k + 1] = to + count;
  }

  /** Moment to event, by operations. */
  get events(): Int32Array {
    return this.#events.subarray(0, this.#moment);
  }
}

/**
 * `after` edges between entries: the earlier entry took effect first, although times do not show
 * it.
 *
 * Edges are stored in order of arrival, 8 bytes each, and sorted by operation with a counting sort
 * once entries have become operations. Most histories have none.
 */
class AfterEdges {
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
        throw new HistoryError(`it comes "after" entry ${earlier}, which does not exist`, entry);
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

/** A recorded call. */
export interface Call {
  readonly process: string;
  readonly method: string;
  readonly args?: readonly unknown[] | undefined;
  /** The object that is called, if there are several. */
  readonly object?: string | undefined;
  /** Whether the process may have other open calls at the same time. */
  readonly overlapping?: boolean | undefined;
}

/** A call as indices of the tables. One instance is reused for all calls; copy it to keep it. */
export interface NumberedCall {
  object: number;
  process: number;
  method: number;
  /** The arguments are the first `count` items. The list never shrinks, which would be slow. */
  readonly args: number[];
  count: number;
  overlapping: boolean;
}

export const STATUS: Readonly<Record<Outcome['kind'], number>> = {
  pending: PENDING,
  returned: RETURNED,
  threw: THREW,
  failed: FAILED,
};

/** The tables of a history under construction: objects, processes, methods and values become indices. */
export class BuilderTables {
  readonly objects: Interner = new Interner();
  readonly processes: Interner = new Interner();
  readonly methods: Interner = new Interner();
  readonly values: Interner = new Interner();
  readonly #valueOf: (value: unknown) => unknown;
  readonly #call: NumberedCall = { object: 0, process: 0, method: 0, args: [], count: 0, overlapping: false };

  /** `copies`: copy values, because the caller may mutate them later. */
  constructor(copies: boolean) {
    this.#valueOf = copies ? copyOf : (value) => value;
  }

  /** Interns a call. The result is valid until the next call. */
  internCall({ object, process, method, args, overlapping }: Call): NumberedCall {
    const call = this.#call;
    call.object = this.objects.intern(object);
    call.process = this.processes.intern(process);
    call.method = this.methods.intern(method);
    call.count = 0;
    if (args)
      for (const argument of args) call.args[call.count++] = this.values.intern(this.#valueOf(argument));
    call.overlapping = overlapping ?? false;
    return call;
  }

  /**
   * Interns an outcome. Untyped callers may pass anything, and an ignored result would be a missed
   * violation.
   */
  internResult(outcome: Outcome): number {
    if (!isOutcome(outcome))
      throw new TypeError(
        `invalid outcome ${show(outcome)}; expected { kind: 'returned', value }, { kind: 'threw', error: 'Name' }, { kind: 'pending' } or { kind: 'failed' }`,
      );
    if (outcome.kind === 'returned') return this.values.intern(this.#valueOf(outcome.value));
    const text = outcome.kind === 'threw' ? outcome.error : outcome.reason;
    return text === undefined ? -1 : this.values.intern(text);
  }

  process(number: number): string {
    return this.processes.values[number] as string;
  }

  object(number: number): string | undefined {
    return this.objects.values[number] as string | undefined;
  }

  method(number: number): string {
    return this.methods.values[number] as string;
  }

  tables(undefinedIsNull: boolean): Tables {
    return {
      objects: this.objects.values as (string | undefined)[],
      processes: this.processes.values as string[],
      methods: this.methods.values as string[],
      values: this.values,
      undefinedIsNull: undefinedIsNull && this.values.find(undefined) === undefined,
    };
  }
}

function isOutcome(outcome: Outcome | undefined): boolean {
  if (outcome?.kind === 'returned') return Object.hasOwn(outcome, 'value');
  if (outcome?.kind === 'threw') return typeof outcome.error === 'string';
  return outcome?.kind === 'pending' || outcome?.kind === 'failed';
}
