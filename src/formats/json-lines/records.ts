/**
 * Records of our format become a history, wherever they come from: lines, or a module that maps foreign ones.
 *
 * Each record has a place, which errors name. Operations come with times, or events in
 * order; ids pair calls with their ends and are what `after` names. Records come as they
 * were read (`take`), or by numbers, if somebody has looked these up (`operation`, `call`,
 * `end`): the former become the latter.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import type { LinePosition } from '../../base/source-position.js';
import { JsonError } from '../../base/values/json-reader.js';
import { printable, show } from '../../base/values/show.js';
import { NumberedBuilder } from '../../history/builder/numbered-builder.js';
import { type BuilderTables, type NumberedCall, STATUS } from '../../history/builder/tables.js';
import type { History } from '../../history/history.js';
import { HistoryError } from '../../history/model/event.js';
import type { Timestamp } from '../../history/model/timestamps.js';
import { FormatError, unknownMethod } from '../common/format-error.js';
import { clockErrorIn, type ReadOptions } from '../common/reader.js';
import { RecordError } from './fields.js';
import { Ids } from './ids.js';
import type { CallFields, LineRecord } from './record.js';

/** Where the record being taken stands. */
export interface Where {
  readonly line: number;
  /** Where a character of its text stands, from 0. */
  at(position: number): LinePosition;
  /** Where the value of a field stands; undefined: the record itself. */
  placeOf(field: string | undefined): LinePosition;
}

/** Stands for an id, or an object, that a record does not have. */
export const NONE = -1;

export class Records {
  readonly #options: ReadOptions;
  readonly #builder: NumberedBuilder;
  readonly #where: Where;
  /** Entry to its line. */
  readonly #lineOf = new GrowingInts();
  /** The first line that tells whether this is a file of operations or of events. */
  #first: { readonly timed: boolean; readonly line: number; readonly what: string } | undefined;
  #stuckAt: number | undefined;
  /** Process to its open call that has no id, if there is one. */
  readonly #open: (number | undefined)[] = [];
  readonly ids: Ids = new Ids();
  readonly #after: { entry: number; ids: readonly string[]; column: number }[] = [];

  /** `where` tells of the record that is being taken, whichever it is. */
  constructor(options: ReadOptions, where: Where) {
    this.#options = options;
    this.#where = where;
    this.#builder = new NumberedBuilder({
      fromFile: true,
      clockError: clockErrorIn('unknown', options.clockError),
      keepTimes: options.keepTimes,
    });
  }

  get names(): BuilderTables {
    return this.#builder.tables;
  }

  /** Takes what `read` gives; what goes wrong in either is a FormatError. */
  take(read: () => LineRecord): void {
    try {
      this.#add(read());
    } catch (error) {
      throw this.located(error);
    }
  }

  get bytesToFinish(): number {
    return this.#builder.bytesToFinish;
  }

  finish(): History {
    try {
      for (const { entry, ids, column } of this.#after)
        this.#builder.after(
          entry,
          ids.map((id) => this.#entryOf(id, entry, column)),
        );
      return this.#builder.finish((entry) => this.#lineOf.at(entry));
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      throw new FormatError(
        printable(error.message) + this.#lineOfEntry(error.other),
        this.#lineOf.at(error.entry),
        this.#afterBlamed(error)?.column,
      );
    }
  }

  /** What went wrong with a record, as a FormatError that names the place. */
  located(error: unknown): unknown {
    const fail = (message: string, { line, column }: LinePosition): FormatError =>
      new FormatError(printable(message), line, column);
    if (error instanceof JsonError) return fail(error.message, this.#where.at(error.position));
    if (error instanceof RecordError) return fail(error.message, this.#where.placeOf(error.field));
    if (!(error instanceof HistoryError)) return error;
    const field = error.other === undefined ? 'return' : 'process';
    return fail(error.message + this.#lineOfEntry(error.other), this.#where.placeOf(field));
  }

  #add(record: LineRecord): void {
    const { names } = this;
    switch (record.kind) {
      case 'operation': {
        this.expectOperation();
        const call = this.#numbered(record);
        const { outcome } = record;
        const result = names.internResult(outcome);
        this.operation(call, this.#idOf(record), STATUS[outcome.kind], result, record.call, record.return);
        this.#noteAfter(record);
        return;
      }
      case 'call':
        this.expectEvent();
        this.call(this.#numbered(record), this.#idOf(record));
        this.#noteAfter(record);
        return;
      case 'end': {
        this.expectEvent();
        const process = names.processes.intern(record.process);
        const object = record.object === undefined ? NONE : names.objects.intern(record.object);
        const entry = this.callOf(process, object, this.#idOf(record));
        this.end(entry, STATUS[record.outcome.kind], names.internResult(record.outcome));
        return;
      }
      case 'annotation':
        if (record.at === undefined) this.#expect(false, 'an annotation without "at", its time');
        else this.#expect(true, 'an annotation with "at", its time', 'at');
        this.#builder.annotate(record.text, record.at);
        return;
      case 'stuck':
        this.#expectMore();
        this.#stuckAt = this.#where.line;
        this.#builder.markStuck();
    }
  }

  /** An operation comes, and may. */
  expectOperation(): void {
    this.#expect(true, 'an operation');
  }

  /** An event comes, and may. */
  expectEvent(): void {
    this.#expect(false, 'an event');
  }

  operation(
    call: NumberedCall,
    id: number,
    status: number,
    result: number,
    start: Timestamp,
    end: Timestamp | undefined,
  ): void {
    this.#note(this.#builder.operation(call, status, result, start, end), id);
  }

  call(call: NumberedCall, id: number): void {
    const entry = this.#builder.call(call);
    this.#note(entry, id);
    if (id === NONE) this.#open[call.process] = entry;
  }

  end(entry: number, status: number, result: number): void {
    this.#builder.end(entry, status, result);
  }

  /** The spec's name of a method, which the spec must have. */
  methodOf(method: string, object: string | undefined): string {
    const name = this.#options.rename?.get(method) ?? method;
    const known = this.#options.methodsOf?.(object);
    if (known && !known.includes(name)) throw new RecordError(unknownMethod(name, object, known), 'method');
    return name;
  }

  #numbered(record: CallFields): NumberedCall {
    const method = this.methodOf(record.method, record.object);
    return this.names.internCall(method === record.method ? record : { ...record, method });
  }

  #idOf({ id }: { readonly id: string | undefined }): number {
    return id === undefined ? NONE : this.ids.number(id);
  }

  #expectMore(): void {
    if (this.#stuckAt !== undefined)
      throw new RecordError(`a line after {"stuck":true} (line ${this.#stuckAt}), which is the last one`);
  }

  /** A file has operations, with times, or events, whose order is time. */
  #expect(timed: boolean, what: string, field?: string): void {
    this.#expectMore();
    this.#first ??= { timed, line: this.#where.line, what };
    if (!timed && this.#options.clockError !== undefined)
      throw new RecordError(
        `${what}, but a clock error is given; expected operations, whose times it widens`,
        field,
      );
    if (this.#first.timed !== timed)
      throw new RecordError(
        `${what}, but line ${this.#first.line} is ${this.#first.what}; expected ${this.#first.timed ? 'operations, which have times' : 'events, whose order is time'}`,
        field,
      );
  }

  /** Remembers where an entry stands, and its id. */
  #note(entry: number, id: number): void {
    this.#lineOf.push(this.#where.line);
    if (id === NONE) return;
    const known = this.ids.entry(id);
    if (known >= 0)
      throw new RecordError(
        `id ${show(this.ids.name(id))} again${this.#lineOfEntry(known)}; each id is used once`,
        'id',
      );
    this.ids.give(id, entry);
  }

  /** Remembers what the last entry comes after. */
  #noteAfter({ after }: CallFields): void {
    if (!after) return;
    const entry = this.#builder.length - 1;
    this.#after.push({ entry, ids: after, column: this.#where.placeOf('after').column });
  }

  /** The open call that an event ends; it is not open any more. */
  callOf(process: number, object: number, id: number): number {
    const entry = id === NONE ? this.#takeOpen(process) : this.#takeOpenId(id, process);
    const called = this.#builder.object(entry);
    if (object !== NONE && object !== called) {
      const name = this.names.object(called);
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
        `the end of a call, but process ${show(this.names.process(process))} has no open call${this.ids.size > 0 ? ' without an id' : ''}`,
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
        `id ${name()} was called by process ${show(this.names.process(caller))}${this.#lineOfEntry(entry)}`,
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

  /** The "after" that an error tells of, if it tells of one. */
  #afterBlamed({ entry, other }: HistoryError): { column: number } | undefined {
    const names = (id: string) => this.ids.entry(this.ids.number(id)) === other;
    return this.#after.find((own) => own.entry === entry && (other === undefined || own.ids.some(names)));
  }

  #lineOfEntry(entry: number | undefined): string {
    return entry === undefined || entry >= this.#lineOf.length ? '' : ` (line ${this.#lineOf.at(entry)})`;
  }
}
