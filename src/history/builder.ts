/**
 * Gate 1: what was recorded goes in, a well-formed History comes out, or a HistoryError.
 *
 * Operations come as events (`call`, then `end`), whose order is time, or whole
 * (`operation`), with time stamps of one clock; a builder takes one kind. Each
 * is an *entry*, numbered as it was added; the history numbers them by call.
 *
 * At equal stamps calls come before returns: an interval is closed. A clock that
 * shows 10 for the end of one operation and for the start of another does not
 * tell which came first; to call them ordered could raise a false alarm.
 *
 * Where clocks may be wrong (`clockError`), events have stamps too.
 */
import { GrowingInts } from '../base/index.js';
import { checkAfter } from './after.js';
import { Clock } from './clock.js';
import { type Call, Entries } from './entries.js';
import { History } from './history.js';
import { HistoryError } from './history-error.js';
import { numberByCall } from './numbering.js';
import type { AnyObject, Methods, Outcome } from './operation.js';
import { compareStamps, type Stamp } from './stamps.js';
import type { Timeline } from './timeline.js';

/** A call of a method that the object has, with arguments that it takes. */
export type CallOf<T extends Methods<T> = AnyObject> = Omit<Call, 'method' | 'args'> &
  {
    [M in keyof T & string]: { readonly method: M; readonly args?: Readonly<Parameters<T[M]>> | undefined };
  }[keyof T & string];

/** A whole operation as it is recorded. */
export type TimedOperation<T extends Methods<T> = AnyObject> = CallOf<T> & {
  readonly outcome: Outcome;
  readonly call: Stamp;
  /** Absent: it never ended. Of a pending one: when its caller gave up. */
  readonly return?: Stamp | undefined;
};

/** Bytes an operation: its columns and its line, with an argument or two; numbering; with stamps, the order of calls too. */
const [COLUMN_BYTES, NUMBERING_BYTES, SORTING_BYTES] = [53, 8, 4];

export class HistoryBuilder<T extends Methods<T> = AnyObject> {
  readonly #entries: Entries;
  readonly #fromFile: boolean;
  readonly #annotations: { text: string; at: Stamp }[] = [];
  #stuck = false;

  readonly #clockError: Stamp | undefined;
  /** Where there are stamps: what they show. */
  #clock: Clock | undefined;
  /** Where events come without stamps: calls (entry) and ends (~entry) in order. */
  #events: GrowingInts | undefined;
  /** Process to its open calls. */
  readonly #open = new Map<string, Set<number>>();

  /**
   * `fromFile`: a missing result and `null` are one value, unless `undefined` itself occurs.
   * `clockError`: stamps come from several clocks, each wrong by at most so much.
   */
  constructor({
    fromFile = false,
    clockError,
  }: { readonly fromFile?: boolean; readonly clockError?: Stamp | undefined } = {}) {
    this.#fromFile = fromFile;
    this.#clockError = clockError;
    if (clockError !== undefined) this.#clock = new Clock(clockError);
    this.#entries = new Entries(!fromFile);
  }

  /** How many operations have been added. */
  get length(): number {
    return this.#entries.length;
  }

  /** How much memory `finish` takes beside what there is, estimated. */
  get bytesToFinish(): number {
    return this.length * (COLUMN_BYTES + NUMBERING_BYTES + (this.#clock ? SORTING_BYTES : 0));
  }

  /** An event: a process calls a method. Gives the entry. `at` matters only where clocks may be wrong. */
  call(call: CallOf<T>, at?: Stamp): number {
    const open = this.#open.get(call.process) ?? new Set();
    for (const other of open)
      if (!(call.overlapping && this.#entries.isOverlapping(other)))
        throw this.#overlap(call.process, call.method, this.length, other);
    if (this.#clockError !== undefined) this.#clock?.call(this.length, this.#given(at, this.length));
    const entry = this.#entries.add(call, { kind: 'pending' });
    if (this.#clockError === undefined) {
      this.#events ??= new GrowingInts();
      this.#events.push(entry);
    }
    this.#open.set(call.process, open.add(entry));
    return entry;
  }

  /** An event: a call ends. */
  end(entry: number, outcome: Outcome, at?: Stamp): void {
    if (!this.#entries.isPending(entry)) throw new HistoryError('it ends, but is not open', entry);
    this.#entries.setOutcome(entry, outcome);
    if (outcome.kind !== 'pending') {
      this.#events?.push(~entry);
      if (this.#clockError !== undefined) this.#clock?.end(entry, this.#given(at, entry));
    }
    this.#open.get(this.#entries.process(entry))?.delete(entry);
  }

  /** A whole operation. Gives the entry. */
  operation(operation: TimedOperation<T>): number {
    this.#clock ??= new Clock(undefined);
    const { call, return: end, outcome } = operation;
    const entry = this.length;
    if (end === undefined && (outcome.kind === 'returned' || outcome.kind === 'threw'))
      throw new HistoryError(`it ${outcome.kind}, but has no time of return`, entry);
    if (end !== undefined && compareStamps(call, end) > 0)
      throw new HistoryError(`the return at ${end} comes before the call at ${call}`, entry);
    this.#clock.call(entry, call);
    if (end !== undefined && outcome.kind !== 'pending') this.#clock.end(entry, end);
    return this.#entries.add(operation, outcome);
  }

  /** The `earlier` entries took effect before this one, though time does not show it. */
  after(entry: number, earlier: readonly number[]): void {
    this.#entries.setAfter(entry, earlier);
  }

  /** Something else that happened; among events it happens now. */
  annotate(text: string, at: Stamp = this.#events?.length ?? 0): void {
    this.#annotations.push({ text, at });
  }

  /** Nothing will ever return again. */
  markStuck(): void {
    this.#stuck = true;
  }

  /** `lineOf` tells, for histories from files, where an entry stands. */
  finish(lineOf?: (entry: number) => number): History<T> {
    if (this.#clock && this.#events)
      throw new TypeError('a history is built from events or from operations, not from both');
    const timeline = this.#clock?.timeline;
    const events = timeline?.events() ?? this.#events?.toArray() ?? new Int32Array();
    if (this.#clock) this.#checkProcesses(this.#clock.recorded);
    this.#clock?.keepProcessOrder(this.#entries);
    const annotations = this.#annotations.map(({ text, at }) => ({
      text,
      moment: timeline?.momentOf(at, events) ?? Math.min(Number(at), events.length),
    }));
    const numbering = numberByCall(events, this.length);
    const columns = this.#entries.columns(numbering);
    checkAfter(columns, numbering.entryOf);
    const tables = this.#entries.tables(this.#fromFile);
    const lines = lineOf && numbering.entryOf.map(lineOf);
    return new History<T>(columns, { ...tables, ...(lines && { lines }) }, annotations, this.#stuck);
  }

  #given(at: Stamp | undefined, entry: number): Stamp {
    if (at === undefined) throw new HistoryError('an event without a time, where clocks may be wrong', entry);
    return at;
  }

  /** A process calls one method after another, unless its entries say otherwise. */
  #checkProcesses(timeline: Timeline): void {
    // process to the entry that returns last so far
    const last: (number | undefined)[] = [];
    for (const entry of timeline.callOrder()) {
      const process = this.#entries.processNumber(entry);
      const before = last[process];
      if (
        before !== undefined &&
        timeline.callsBeforeReturn(entry, before) &&
        !(this.#entries.isOverlapping(entry) && this.#entries.isOverlapping(before))
      )
        throw this.#overlap(this.#entries.process(entry), this.#entries.method(entry), entry, before);
      if (timeline.returnsAfter(entry, before)) last[process] = entry;
    }
  }

  #overlap(process: string, method: string, entry: number, open: number): HistoryError {
    return new HistoryError(
      `process ${process} calls ${method} while its call of ${this.#entries.method(open)} is open`,
      entry,
      open,
    );
  }
}
