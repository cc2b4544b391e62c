/**
 * The trust boundary between recordings and checkers: builds a well-formed History, or throws a
 * HistoryError.
 *
 * Operations arrive as events (`call`, then `end`), whose order is their time, or complete
 * (`operation`), with times of one clock. A builder accepts one of the two kinds. Each operation is
 * an *entry*, numbered in order of arrival; the history numbers operations by call. Names and
 * values are indices that `tables` assigned.
 *
 * At equal times calls come before returns: intervals are closed. If a clock shows 10 for the end
 * of one operation and for the start of another, their order is unknown; to treat them as ordered
 * could cause a false alarm. Operations of one process are ordered all the same, as the process made
 * them: by time, and at equal times by entry.
 *
 * With a clock error, events need times too.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { show } from '../../base/values/show.js';
import { History } from '../history.js';
import { checkAfterOrder } from '../model/after.js';
import { PENDING, RETURNED, THREW } from '../model/columns.js';
import { HistoryError } from '../model/operation.js';
import {
  compareTimestamps,
  type LongTime,
  RecordedTimesBuilder,
  type Timestamp,
} from '../model/timestamps.js';
import { Clock } from './clock.js';
import { BuilderTables, Entries, type NumberedCall } from './entries.js';
import type { Timeline } from './timeline.js';

/**
 * Bytes per operation: columns and line with one or two arguments; numbering; with times, the
 * sorted calls.
 */
const COLUMN_BYTES = 53;
const NUMBERING_BYTES = 8;
const SORTING_BYTES = 4;

export interface BuilderOptions {
  /** A missing result equals `null`, unless `undefined` itself occurs. */
  readonly fromFile?: boolean;
  /** The maximum error of each clock, if times come from several clocks. */
  readonly clockError?: Timestamp | undefined;
  /** Process to the number of its clock; by default each process has its own. */
  readonly clockOf?: ((process: number) => number) | undefined;
  /** Whether the history keeps the times in addition to the order. */
  readonly keepTimes?: boolean | undefined;
}

export class NumberedBuilder {
  readonly tables: BuilderTables;
  readonly #entries = new Entries();
  readonly #fromFile: boolean;
  readonly #annotations: { text: string; at: Timestamp; until: Timestamp | undefined }[] = [];
  #stuck = false;
  #recordsAfter = false;
  readonly #times: RecordedTimesBuilder | undefined;

  readonly #clockError: Timestamp | undefined;
  readonly #clockOf: (process: number) => number;
  /** Present if entries have times. */
  #clock: Clock | undefined;
  /** Present if events have no times: calls (entry) and ends (~entry) in order. */
  #events: GrowingInts | undefined;
  readonly #open = new OpenCalls();

  constructor({ fromFile = false, clockError, clockOf, keepTimes = false }: BuilderOptions) {
    this.#fromFile = fromFile;
    this.#clockError = clockError;
    this.#clockOf = clockOf ?? ((process) => process);
    // inexact clocks are corrected by the times
    this.#times = keepTimes || clockError !== undefined ? new RecordedTimesBuilder() : undefined;
    if (clockError !== undefined) this.#clock = new Clock(clockError);
    this.tables = new BuilderTables(!fromFile);
  }

  get length(): number {
    return this.#entries.length;
  }

  get bytesToFinish(): number {
    return this.length * (COLUMN_BYTES + NUMBERING_BYTES + (this.#clock ? SORTING_BYTES : 0));
  }

  /** Index of the process of an entry. */
  process(entry: number): number {
    return this.#entries.process(entry);
  }

  object(entry: number): number {
    return this.#entries.object(entry);
  }

  call(call: NumberedCall, at?: Timestamp): number {
    const { process } = call;
    const open = this.#open.of(process);
    for (let i = 0; i < open.length; i++)
      if (!(call.overlapping && this.#entries.isOverlapping(open[i])))
        throw this.#overlapError(process, call.method, this.length, open[i]);
    if (this.#clockError !== undefined) this.#clock?.call(this.length, this.#requireTime(at, this.length));
    const entry = this.#entries.add(call, PENDING, -1);
    this.#times?.add(at);
    if (this.#clockError === undefined) {
      this.#events ??= new GrowingInts();
      this.#events.push(entry);
    }
    this.#open.add(process, entry);
    return entry;
  }

  end(entry: number, status: number, result: number, at?: Timestamp): void {
    if (!this.#entries.isPending(entry)) throw new HistoryError('it ends but is not open', entry);
    this.#entries.setOutcome(entry, status, result);
    if (status !== PENDING) {
      this.#times?.end(entry, at);
      this.#events?.push(~entry);
      if (this.#clockError !== undefined) this.#clock?.end(entry, this.#requireTime(at, entry));
    }
    this.#open.delete(this.#entries.process(entry), entry);
  }

  operation(
    call: NumberedCall,
    status: number,
    result: number,
    start: Timestamp | LongTime,
    end?: Timestamp | LongTime,
  ): number {
    this.#clock ??= new Clock(undefined);
    const entry = this.length;
    if (end === undefined && (status === RETURNED || status === THREW))
      throw new HistoryError(
        `it ${status === THREW ? 'threw' : 'returned'}, but has no time of return`,
        entry,
      );
    if (end !== undefined && compareTimestamps(start, end) > 0)
      throw new HistoryError(`the return at ${end} comes before the call at ${start}`, entry);
    this.#clock.add(entry, start, status === PENDING ? undefined : end);
    this.#times?.add(start);
    if (status !== PENDING) this.#times?.end(entry, end);
    return this.#entries.add(call, status, result);
  }

  after(entry: number, earlier: readonly number[]): void {
    this.#recordsAfter ||= earlier.length > 0;
    this.#entries.setAfter(entry, earlier);
  }

  annotate(text: string, at: Timestamp = this.#events?.length ?? 0, until?: Timestamp): void {
    if (until !== undefined && compareTimestamps(until, at) < 0)
      throw new RangeError(`the annotation ${show(text)} ends before it starts`);
    this.#annotations.push({ text, at, until });
  }

  markStuck(): void {
    this.#stuck = true;
  }

  /** `lineOf`: the line of an entry. `files`: the files, and that of an entry, if there are several. */
  finish(
    lineOf?: (entry: number) => number,
    files?: { readonly names: readonly string[]; readonly of: (entry: number) => number },
  ): History {
    if (this.#clock && this.#events)
      throw new TypeError('a history is built from events or from operations, not from both');
    if (this.#clock) this.#checkProcesses(this.#clock.recorded);
    const numbering = this.#entries.numbering();
    if (this.#clock) this.#clock.events(numbering, this.#entries, this.#clockOf);
    else if (this.#events) for (const event of this.#events.toArray()) numbering.add(event);
    const columns = this.#entries.columns(numbering);
    const { events } = columns;
    const momentOf = (at: Timestamp): number =>
      this.#clock?.timeline.momentOf(at, events, numbering.entryOf) ?? Math.min(Number(at), events.length);
    const annotations = this.#annotations.map(({ text, at, until }) => ({
      text,
      moment: momentOf(at),
      ...(until !== undefined && { until: momentOf(until) }),
    }));
    checkAfterOrder(columns, numbering.entryOf);
    const tables = this.tables.tables(this.#fromFile);
    const lines = lineOf && inOrder(numbering.entryOf, lineOf);
    const fileOf = files && inOrder(numbering.entryOf, files.of);
    const times = this.#times?.finish(numbering.entryOf);
    const error = this.#clockError;
    const kept = {
      ...(lines && { lines }),
      ...(files && fileOf && { files: { names: files.names, of: fileOf } }),
      ...(times && { times: { ...times, ...(error !== undefined && { error: Number(error) }) } }),
      ...(error !== undefined && { isWidened: true }),
      ...(this.#recordsAfter && { recordsAfter: true }),
    };
    return new History(columns, { ...tables, ...kept }, annotations, this.#stuck);
  }

  #requireTime(at: Timestamp | undefined, entry: number): Timestamp {
    if (at === undefined)
      throw new HistoryError('the event has no time, which a clock error requires', entry);
    return at;
  }

  /** Checks that the calls of a process do not overlap, unless their entries allow it, and notes where they do. */
  #checkProcesses(timeline: Timeline): void {
    // process to the entry that returns last so far, or -1
    const last = new Int32Array(this.tables.processes.values.length).fill(-1);
    const order = timeline.callOrder();
    for (let position = 0; position < order.length; position++) {
      const entry = order[position];
      const process = this.#entries.process(entry);
      const before = last[process];
      // in a file, an id allows calls to overlap but does not say that they do
      if (!this.#fromFile && this.#entries.isOverlapping(entry)) this.#entries.markConcurrent(process);
      if (before >= 0 && timeline.overlaps(before, entry)) {
        if (!(this.#entries.isOverlapping(entry) && this.#entries.isOverlapping(before)))
          throw this.#overlapError(process, this.#entries.method(entry), entry, before);
        this.#entries.markConcurrent(process);
      }
      if (timeline.returns(entry) && (before < 0 || timeline.returnsAfter(entry, before)))
        last[process] = entry;
    }
  }

  #overlapError(process: number, method: number, entry: number, open: number): HistoryError {
    const [calls, isOpen] = [this.tables.method(method), this.tables.method(this.#entries.method(open))];
    return new HistoryError(
      `process ${this.tables.process(process)} calls ${calls} while its call of ${isOpen} is open`,
      entry,
      open,
    );
  }
}

/** What a function gives for each entry. A loop: `map` is several times slower. */
function inOrder(entryOf: Int32Array, of: (entry: number) => number): Int32Array {
  const items = new Int32Array(entryOf.length);
  for (let k = 0; k < items.length; k++) items[k] = of(entryOf[k]);
  return items;
}

/**
 * The open calls of each process in a stream of events: one, or several if all of them may overlap.
 *
 * Cost: O(open calls of the process) per call.
 */
class OpenCalls {
  /** Process to its open entries. */
  readonly #open: number[][] = [];

  of(process: number): readonly number[] {
    return this.#open[process] ?? NONE;
  }

  add(process: number, entry: number): void {
    while (this.#open.length <= process) this.#open.push([]);
    this.#open[process].push(entry);
  }

  delete(process: number, entry: number): void {
    const open = this.#open[process];
    const position = open.indexOf(entry);
    if (position < 0) return;
    // not `splice`, which would allocate a list each time
    for (let i = position + 1; i < open.length; i++) open[i - 1] = open[i];
    open.pop();
  }
}

const NONE: readonly number[] = [];
