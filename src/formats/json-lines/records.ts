/**
 * Builds a history from records of our format, from lines or from a record map.
 *
 * Each record has a position for errors. Operations have times, events have an order. Ids pair
 * calls with their ends and are referenced by `after`. Records arrive parsed (`take`) or as table
 * indices (`operation`, `call`, `end`), to which parsed records are converted.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import type { LinePosition } from '../../base/source-position.js';
import { JsonError } from '../../base/values/json-reader.js';
import { printable, show } from '../../base/values/show.js';
import { type BuilderTables, type NumberedCall, STATUS } from '../../history/builder/entries.js';
import { NumberedBuilder } from '../../history/builder/numbered-builder.js';
import type { History } from '../../history/history.js';
import { HistoryError } from '../../history/model/operation.js';
import type { LongTime, Timestamp } from '../../history/model/timestamps.js';
import type { ReadOptions } from '../common/reader.js';
import { FormatError, readClockError, unknownMethodMessage, withClock } from '../common/reader.js';
import { RecordError } from './fields.js';
import { type CallFields, Ids, type LineRecord, RecordedFiles } from './record.js';

/** The position of the current record. */
export interface RecordPosition {
  readonly line: number;
  /** The position of an offset in its text. */
  positionAt(position: number): LinePosition;
  /** The position of the value of a field, or of the record if undefined. */
  positionOf(field: string | undefined): LinePosition;
}

/** A missing id or object. */
export const NONE = -1;

export class Records {
  readonly #options: ReadOptions;
  readonly #builder: NumberedBuilder;
  #where: RecordPosition;
  /** The files, if several are one history. */
  readonly #files: RecordedFiles | undefined;
  /** Entry to its line. */
  readonly #lineOf = new GrowingInts();
  /** The first line, which determines whether the file has operations or events. */
  #first: { readonly timed: boolean; readonly place: string; readonly what: string } | undefined;
  /** Whether times are dates, and the first place that shows it. */
  #unit: { readonly isDated: boolean; readonly place: string } | undefined;
  #stuckAt: number | undefined;
  /** Process to its open call without an id. */
  readonly #open: (number | undefined)[] = [];
  /** The ids of the current file. */
  ids: Ids = new Ids();
  #after: { entry: number; ids: readonly string[]; column: number }[] = [];

  /** `where` is the position of the current record. `areSeveral`: several files are one history; each starts with `startFile`. */
  constructor(options: ReadOptions, where: RecordPosition, areSeveral = false) {
    this.#options = options;
    this.#where = where;
    this.#files = areSeveral ? new RecordedFiles() : undefined;
    this.#builder = new NumberedBuilder({
      fromFile: true,
      clockOf: this.#files && ((process) => this.#files?.clockOf(this.tables.process(process)) ?? -1),
      // if it has a unit, the times must be dates, which become nanoseconds: see `#expectUnit`
      clockError: readClockError('nanoseconds', options.clockError),
      keepTimes: options.keepTimes,
    });
  }

  /** The next of several files. Its processes and ids are its own. */
  startFile(name: string): void {
    this.#files?.start(name);
    this.#stuckAt = undefined;
    this.ids = new Ids();
  }

  /** Reads the records of the current file from this position. */
  readFrom(where: RecordPosition): void {
    this.#where = where;
  }

  /** The name of a process in the history. */
  processName(name: string): string {
    return this.#files?.processName(name) ?? name;
  }

  get tables(): BuilderTables {
    return this.#builder.tables;
  }

  /** Adds the record that `read` returns; errors become FormatErrors. */
  take(read: () => LineRecord): void {
    try {
      this.#add(read());
    } catch (error) {
      throw this.toFormatError(error);
    }
  }

  /** Whether the records are events, whose order is time. */
  get hasEvents(): boolean {
    return this.#first?.timed === false;
  }

  get bytesToFinish(): number {
    return this.#builder.bytesToFinish;
  }

  /** Ends the current file: its ids are complete. */
  endFile(): void {
    for (const { entry, ids, column } of this.#after)
      this.#builder.after(
        entry,
        ids.map((id) => this.#entryOf(id, entry, column)),
      );
    if (this.#files) this.#after = [];
  }

  finish(): History {
    const files = this.#files;
    if (files?.areAllStuck ?? this.#stuckAt !== undefined) this.#builder.markStuck();
    try {
      if (!files) this.endFile();
      const history = this.#builder.finish((entry) => this.#lineOf.at(entry), files);
      return this.#unit?.isDated ? withClock(history, 'dates') : history;
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      const detail = printable(error.message) + this.#lineOfEntry(error.other);
      const line = this.#lineOf.at(error.entry);
      const column = files ? 1 : this.#faultyAfter(error)?.column;
      throw new FormatError(detail, line, column, files?.nameOf(error.entry));
    }
  }

  /** Converts an error of a record to a FormatError with its position. */
  toFormatError(error: unknown): unknown {
    const fail = (message: string, { line, column }: LinePosition): FormatError =>
      new FormatError(printable(message), line, column);
    if (error instanceof JsonError) return fail(error.message, this.#where.positionAt(error.position));
    if (error instanceof RecordError) return fail(error.message, this.#where.positionOf(error.field));
    if (!(error instanceof HistoryError)) return error;
    const field = error.other === undefined ? 'return' : 'process';
    return fail(error.message + this.#lineOfEntry(error.other), this.#where.positionOf(field));
  }

  #add(record: LineRecord): void {
    const { tables } = this;
    switch (record.kind) {
      case 'operation': {
        this.expectOperation(record.isDated);
        const call = this.#numbered(record);
        const { outcome } = record;
        const result = tables.internResult(outcome);
        this.operation(call, this.#idOf(record), STATUS[outcome.kind], result, record.call, record.return);
        this.#addAfter(record);
        return;
      }
      case 'call':
        this.expectEvent();
        this.call(this.#numbered(record), this.#idOf(record));
        this.#addAfter(record);
        return;
      case 'end': {
        this.expectEvent();
        const process = tables.processes.intern(this.processName(record.process));
        const object = record.object === undefined ? NONE : tables.objects.intern(record.object);
        const entry = this.takeOpenCall(process, object, this.#idOf(record));
        this.end(entry, STATUS[record.outcome.kind], tables.internResult(record.outcome));
        return;
      }
      case 'annotation':
        if (record.at === undefined) this.#expect(false, 'an annotation without "at", its time');
        else {
          this.#expect(true, 'an annotation with "at", its time', 'at');
          this.#expectUnit(record.isDated, 'at');
        }
        this.#builder.annotate(record.text, record.at, record.until);
        return;
      case 'stuck':
        this.#expectMore();
        this.#stuckAt = this.#where.line;
        this.#files?.markStuck();
    }
  }

  /** Checks that an operation may follow. Are its times dates? */
  expectOperation(isDated = false): void {
    this.#expect(true, 'an operation');
    if (isDated !== this.#unit?.isDated) this.#expectUnit(isDated, 'call');
  }

  /** Checks that all times are dates, or none is. A clock error with a unit needs dates. */
  #expectUnit(isDated: boolean, field: string): void {
    if (!this.#unit && !isDated) readClockError('unknown', this.#options.clockError);
    this.#unit ??= { isDated, place: this.#place() };
    if (this.#unit.isDated !== isDated)
      throw new RecordError(
        `the time is a ${isDated ? 'date' : 'number'}, but on ${this.#unit.place} it is a ${isDated ? 'number' : 'date'}; expected one clock`,
        field,
      );
  }

  /** Checks that an event may follow. */
  expectEvent(): void {
    this.#expect(false, 'an event');
  }

  operation(
    call: NumberedCall,
    id: number,
    status: number,
    result: number,
    start: Timestamp | LongTime,
    end: Timestamp | LongTime | undefined,
  ): void {
    this.#addEntry(this.#builder.operation(call, status, result, start, end), id);
  }

  call(call: NumberedCall, id: number): void {
    const entry = this.#builder.call(call);
    this.#addEntry(entry, id);
    if (id === NONE) this.#open[call.process] = entry;
  }

  end(entry: number, status: number, result: number): void {
    this.#builder.end(entry, status, result);
  }

  /** The spec's name of a method, which the spec must define. */
  methodOf(method: string, object: string | undefined): string {
    const name = this.#options.rename?.get(method) ?? method;
    const known = this.#options.methodsOf?.(object);
    if (known && !known.includes(name))
      throw new RecordError(unknownMethodMessage(name, object, known), 'method');
    return name;
  }

  #numbered(record: CallFields): NumberedCall {
    const method = this.methodOf(record.method, record.object);
    const process = this.processName(record.process);
    const isSame = method === record.method && process === record.process;
    return this.tables.internCall(isSame ? record : { ...record, method, process });
  }

  #idOf({ id }: { readonly id: string | undefined }): number {
    return id === undefined ? NONE : this.ids.number(id);
  }

  #expectMore(): void {
    if (this.#stuckAt !== undefined)
      throw new RecordError(`a line after {"stuck":true} (line ${this.#stuckAt}), which must be the last`);
  }

  /** Checks that a file has only operations, which have times, or only events, whose order is time. */
  #expect(timed: boolean, what: string, field?: string): void {
    this.#expectMore();
    if (!timed && this.#files)
      throw new RecordError(`${what}, which has no time; only operations with times can be joined`, field);
    this.#first ??= { timed, place: this.#place(), what };
    if (!timed && this.#options.clockError !== undefined)
      throw new RecordError(`${what}, but a clock error requires operations with times`, field);
    if (this.#first.timed !== timed)
      throw new RecordError(
        `${what}, but ${this.#first.place} is ${this.#first.what}; expected ${this.#first.timed ? 'operations, which have times' : 'events, whose order is time'}`,
        field,
      );
  }

  /** The place of the current record: `line 7`, or `line 7 of b.jsonl` if there are several files. */
  #place(): string {
    return `line ${this.#where.line}${this.#files ? ` of ${this.#files.names.at(-1)}` : ''}`;
  }

  /** Records the line and the id of an entry. */
  #addEntry(entry: number, id: number): void {
    this.#lineOf.push(this.#where.line);
    this.#files?.add();
    if (id === NONE) return;
    const known = this.ids.entry(id);
    if (known >= 0)
      throw new RecordError(`duplicate id ${show(this.ids.name(id))}${this.#lineOfEntry(known)}`, 'id');
    this.ids.assign(id, entry);
  }

  /** Records the `after` ids of the last entry. */
  #addAfter({ after }: CallFields): void {
    if (!after) return;
    const entry = this.#builder.length - 1;
    this.#after.push({ entry, ids: after, column: this.#where.positionOf('after').column });
  }

  /** Removes and returns the open call that an event ends. */
  takeOpenCall(process: number, object: number, id: number): number {
    const entry = id === NONE ? this.#takeOpen(process) : this.#takeOpenId(id, process);
    const called = this.#builder.object(entry);
    if (object !== NONE && object !== called) {
      const name = this.tables.object(called);
      throw new RecordError(
        `the call was of ${name === undefined ? 'no object' : `object ${show(name)}`}${this.#lineOfEntry(entry)}`,
        'object',
      );
    }
    return entry;
  }

  #takeOpen(process: number): number {
    const entry = this.#open[process];
    if (entry === undefined)
      throw new RecordError(
        `the end of a call, but process ${show(this.tables.process(process))} has no open call${this.ids.size > 0 ? ' without an id' : ''}`,
        'process',
      );
    this.#open[process] = undefined;
    return entry;
  }

  #takeOpenId(id: number, process: number): number {
    const entry = this.ids.entry(id);
    const name = () => show(this.ids.name(id));
    if (entry < 0) throw new RecordError(`the end of a call, but no call has id ${name()}`, 'id');
    if (this.ids.hasEnded(id)) throw new RecordError(`id ${name()} has ended before`, 'id');
    const caller = this.#builder.process(entry);
    if (caller !== process)
      throw new RecordError(
        `id ${name()} was called by process ${show(this.tables.process(caller))}${this.#lineOfEntry(entry)}`,
        'process',
      );
    this.ids.end(id);
    return entry;
  }

  #entryOf(id: string, entry: number, column: number): number {
    const earlier = this.ids.entry(this.ids.number(id));
    if (earlier < 0)
      throw new FormatError(
        `"after" names id ${show(id)}, which no operation has`,
        this.#lineOf.at(entry),
        column,
      );
    return earlier;
  }

  /** The `after` list that an error concerns, if any. */
  #faultyAfter({ entry, other }: HistoryError): { column: number } | undefined {
    const isFaulty = (id: string) => this.ids.entry(this.ids.number(id)) === other;
    return this.#after.find((own) => own.entry === entry && (other === undefined || own.ids.some(isFaulty)));
  }

  #lineOfEntry(entry: number | undefined): string {
    if (entry === undefined || entry >= this.#lineOf.length) return '';
    return ` (line ${this.#lineOf.at(entry)}${this.#files ? ` of ${this.#files.nameOf(entry)}` : ''})`;
  }
}
