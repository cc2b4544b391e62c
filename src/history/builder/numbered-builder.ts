/**
 * Gate 1: what was recorded goes in, a well-formed History comes out, or a HistoryError.
 *
 * Operations come as events (`call`, then `end`), whose order is time, or whole
 * (`operation`), with time stamps of one clock; a builder takes one kind. Each
 * is an *entry*, numbered as it was added; the history numbers them by call.
 * Names and values are numbers already, which `names` has given out.
 *
 * At equal stamps calls come before returns: an interval is closed. A clock that
 * shows 10 for the end of one operation and for the start of another does not
 * tell which came first; to call them ordered could raise a false alarm.
 *
 * Where clocks may be wrong (`clockError`), events have stamps too.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { History } from '../history.js';
import { checkAfter } from '../model/after.js';
import { numberByCall, PENDING, RETURNED, THREW } from '../model/columns.js';
import { HistoryError } from '../model/event.js';
import { compareStamps, type Stamp } from '../model/stamps.js';
import { KeptTimes } from '../model/times.js';
import { Clock } from './clock.js';
import { Entries } from './entries.js';
import { Names, type NumberedCall } from './tables.js';
import type { Timeline } from './timeline.js';

/**
 * The open calls of each process among events: one, or several where all may overlap.
 *
 * Cost: O(open calls of the process) a call.
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
    const place = open.indexOf(entry);
    if (place < 0) return;
    // by hand: `splice` would make a list each time
    for (let i = place + 1; i < open.length; i++) open[i - 1] = open[i];
    open.pop();
  }
}

const NONE: readonly number[] = [];

/** Bytes an operation: its columns and its line, with an argument or two; numbering; with stamps, the order of calls too. */
const [COLUMN_BYTES, NUMBERING_BYTES, SORTING_BYTES] = [53, 8, 4];

export interface BuilderOptions {
  /** A missing result and `null` are one value, unless `undefined` itself occurs. */
  readonly fromFile?: boolean;
  /** Stamps come from several clocks, each wrong by at most so much. */
  readonly clockError?: Stamp | undefined;
  /** The history tells not only the order, but also the times. */
  readonly keepTimes?: boolean | undefined;
}

export class NumberedBuilder {
  readonly names: Names;
  readonly #entries = new Entries();
  readonly #fromFile: boolean;
  readonly #annotations: { text: string; at: Stamp }[] = [];
  #stuck = false;
  readonly #times: KeptTimes | undefined;

  readonly #clockError: Stamp | undefined;
  /** Where there are stamps: what they show. */
  #clock: Clock | undefined;
  /** Where events come without stamps: calls (entry) and ends (~entry) in order. */
  #events: GrowingInts | undefined;
  readonly #open = new OpenCalls();

  constructor({ fromFile = false, clockError, keepTimes = false }: BuilderOptions) {
    this.#fromFile = fromFile;
    this.#clockError = clockError;
    this.#times = keepTimes ? new KeptTimes() : undefined;
    if (clockError !== undefined) this.#clock = new Clock(clockError);
    this.names = new Names(!fromFile);
  }

  get length(): number {
    return this.#entries.length;
  }

  get bytesToFinish(): number {
    return this.length * (COLUMN_BYTES + NUMBERING_BYTES + (this.#clock ? SORTING_BYTES : 0));
  }

  /** The numbers of an entry's process and object. */
  process(entry: number): number {
    return this.#entries.process(entry);
  }

  object(entry: number): number {
    return this.#entries.object(entry);
  }

  call(call: NumberedCall, at?: Stamp): number {
    const { process } = call;
    const open = this.#open.of(process);
    for (let i = 0; i < open.length; i++)
      if (!(call.overlapping && this.#entries.isOverlapping(open[i])))
        throw this.#overlap(process, call.method, this.length, open[i]);
    if (this.#clockError !== undefined) this.#clock?.call(this.length, this.#given(at, this.length));
    const entry = this.#entries.add(call, PENDING, -1);
    this.#times?.add(at);
    if (this.#clockError === undefined) {
      this.#events ??= new GrowingInts();
      this.#events.push(entry);
    }
    this.#open.add(process, entry);
    return entry;
  }

  end(entry: number, status: number, result: number, at?: Stamp): void {
    if (!this.#entries.isPending(entry)) throw new HistoryError('it ends, but is not open', entry);
    this.#entries.setOutcome(entry, status, result);
    if (status !== PENDING) {
      this.#times?.end(entry, at);
      this.#events?.push(~entry);
      if (this.#clockError !== undefined) this.#clock?.end(entry, this.#given(at, entry));
    }
    this.#open.delete(this.#entries.process(entry), entry);
  }

  operation(call: NumberedCall, status: number, result: number, start: Stamp, end?: Stamp): number {
    this.#clock ??= new Clock(undefined);
    const entry = this.length;
    if (end === undefined && (status === RETURNED || status === THREW))
      throw new HistoryError(
        `it ${status === THREW ? 'threw' : 'returned'}, but has no time of return`,
        entry,
      );
    if (end !== undefined && compareStamps(start, end) > 0)
      throw new HistoryError(`the return at ${end} comes before the call at ${start}`, entry);
    if (end === undefined || status === PENDING) this.#clock.call(entry, start);
    else this.#clock.add(entry, start, end);
    this.#times?.add(start);
    if (status !== PENDING) this.#times?.end(entry, end);
    return this.#entries.add(call, status, result);
  }

  after(entry: number, earlier: readonly number[]): void {
    this.#entries.setAfter(entry, earlier);
  }

  annotate(text: string, at: Stamp = this.#events?.length ?? 0): void {
    this.#annotations.push({ text, at });
  }

  markStuck(): void {
    this.#stuck = true;
  }

  finish(lineOf?: (entry: number) => number): History {
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
    const tables = this.names.tables(this.#fromFile);
    const lines = lineOf && linesOf(numbering.entryOf, lineOf);
    const times = this.#times?.finish(numbering.entryOf);
    const kept = { ...(lines && { lines }), ...(times && { times }) };
    return new History(columns, { ...tables, ...kept }, annotations, this.#stuck);
  }

  #given(at: Stamp | undefined, entry: number): Stamp {
    if (at === undefined) throw new HistoryError('an event without a time, where clocks may be wrong', entry);
    return at;
  }

  /** A process calls one method after another, unless its entries say otherwise. */
  #checkProcesses(timeline: Timeline): void {
    const { callsBefore, returnsAfter } = timeline.comparisons();
    // process to the entry that returns last so far, or -1
    const last = new Int32Array(this.names.processes.values.length).fill(-1);
    const order = timeline.callOrder();
    for (let place = 0; place < order.length; place++) {
      const entry = order[place];
      const process = this.#entries.process(entry);
      const before = last[process];
      if (
        before >= 0 &&
        callsBefore(entry, before) &&
        !(this.#entries.isOverlapping(entry) && this.#entries.isOverlapping(before))
      )
        throw this.#overlap(process, this.#entries.method(entry), entry, before);
      if (timeline.returns(entry) && (before < 0 || returnsAfter(entry, before))) last[process] = entry;
    }
  }

  #overlap(process: number, method: number, entry: number, open: number): HistoryError {
    const [calls, isOpen] = [this.names.method(method), this.names.method(this.#entries.method(open))];
    return new HistoryError(
      `process ${this.names.process(process)} calls ${calls} while its call of ${isOpen} is open`,
      entry,
      open,
    );
  }
}

function linesOf(entryOf: Int32Array, lineOf: (entry: number) => number): Int32Array {
  const lines = new Int32Array(entryOf.length);
  for (let k = 0; k < lines.length; k++) lines[k] = lineOf(entryOf[k]);
  return lines;
}
