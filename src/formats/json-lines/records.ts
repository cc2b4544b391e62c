/**
 * Records of our format become a history, wherever they come from: lines, or a module that maps foreign ones.
 *
 * Each record has a place, which errors name. Operations come with times, or events in
 * order; ids pair calls with their ends and are what `after` names.
 */
import { GrowingInts, JsonError, printable, show } from '../../base/index.js';
import { type History, HistoryBuilder, HistoryError } from '../../history/index.js';
import { clockErrorIn } from '../clock-error.js';
import { FormatError } from '../format-error.js';
import type { Place } from '../place.js';
import type { ReadOptions } from '../reader.js';
import { RecordError } from './fields.js';
import { Ids } from './ids.js';
import type { CallFields, LineRecord } from './record.js';

/** Where the record being taken stands. */
export interface Where {
  readonly start: Place;
  /** Where a character of its text stands, from 0. */
  at(position: number): Place;
  /** Where the value of a field stands; undefined: the record itself. */
  placeOf(field: string | undefined): Place;
}

type EndRecord = Extract<LineRecord, { kind: 'end' }>;

/** A call among events, as its end needs it. */
interface OpenCall {
  readonly entry: number;
  readonly process: string;
  readonly object: string | undefined;
}

export class Records {
  readonly #options: ReadOptions;
  readonly #builder: HistoryBuilder;
  readonly #where: Where;
  /** Entry to its line. */
  readonly #lineOf = new GrowingInts();
  /** The first line that tells whether this is a file of operations or of events. */
  #first: { readonly timed: boolean; readonly line: number; readonly what: string } | undefined;
  #stuckAt: number | undefined;
  /** Process to its open call that has no id, and id to its open call. */
  readonly #open = new Map<string, OpenCall>();
  readonly #openIds = new Map<string, OpenCall>();
  /** Those of all calls, open or not. */
  readonly #ids = new Ids();
  readonly #after: { entry: number; ids: readonly string[]; column: number }[] = [];

  /** `where` tells of the record that is being taken, whichever it is. */
  constructor(options: ReadOptions, where: Where) {
    this.#options = options;
    this.#where = where;
    this.#builder = new HistoryBuilder({
      fromFile: true,
      clockError: clockErrorIn('unknown', options.clockError),
    });
  }

  /** Takes what `read` gives; what goes wrong in either is a FormatError. */
  take(read: () => LineRecord): void {
    try {
      this.#add(read());
    } catch (error) {
      throw this.#located(error);
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

  #located(error: unknown): unknown {
    const fail = (message: string, { line, column }: Place): FormatError =>
      new FormatError(printable(message), line, column);
    if (error instanceof JsonError) return fail(error.message, this.#where.at(error.position));
    if (error instanceof RecordError) return fail(error.message, this.#where.placeOf(error.field));
    if (!(error instanceof HistoryError)) return error;
    const field = error.other === undefined ? 'return' : 'process';
    return fail(error.message + this.#lineOfEntry(error.other), this.#where.placeOf(field));
  }

  #add(record: LineRecord): void {
    if (this.#stuckAt !== undefined)
      throw new RecordError(`a line after {"stuck":true} (line ${this.#stuckAt}), which is the last one`);
    switch (record.kind) {
      case 'operation': {
        this.#checkKind(true, 'an operation');
        this.#note(record, this.#builder.operation(this.#renamed(record)));
        return;
      }
      case 'call': {
        this.#checkKind(false, 'an event');
        const { process, object, id } = record;
        const entry = this.#note(record, this.#builder.call(this.#renamed(record)));
        if (id === undefined) this.#open.set(process, { entry, process, object });
        else this.#openIds.set(id, { entry, process, object });
        return;
      }
      case 'end':
        this.#checkKind(false, 'an event');
        this.#builder.end(this.#callOf(record), record.outcome);
        return;
      case 'annotation':
        if (record.at === undefined) this.#checkKind(false, 'an annotation without "at", its time');
        else this.#checkKind(true, 'an annotation with "at", its time', 'at');
        this.#builder.annotate(record.text, record.at);
        return;
      case 'stuck':
        this.#stuckAt = this.#where.start.line;
        this.#builder.markStuck();
    }
  }

  /** A file has operations, with times, or events, whose order is time. */
  #checkKind(timed: boolean, what: string, field?: string): void {
    this.#first ??= { timed, line: this.#where.start.line, what };
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

  /** The record with the spec's name of its method, which the spec must have. */
  #renamed<R extends CallFields>(record: R): R {
    const method = this.#options.rename?.get(record.method) ?? record.method;
    const known = this.#options.methodsOf?.(record.object);
    if (known && !known.includes(method))
      throw new RecordError(`unknown method ${show(method)}; expected ${known.join(', ')}`, 'method');
    return method === record.method ? record : { ...record, method };
  }

  /** Remembers where an entry stands, its id, and what it comes after. */
  #note({ id, after }: CallFields, entry: number): number {
    this.#lineOf.push(this.#where.start.line);
    if (after) this.#after.push({ entry, ids: after, column: this.#where.placeOf('after').column });
    if (id === undefined) return entry;
    const known = this.#ids.entryOf(id);
    if (known !== undefined)
      throw new RecordError(`id ${show(id)} again${this.#lineOfEntry(known)}; each id is used once`, 'id');
    this.#ids.add(id, entry);
    return entry;
  }

  /** The open call that an event ends. */
  #callOf({ process, object, id }: EndRecord): number {
    const call = id === undefined ? this.#open.get(process) : this.#openIds.get(id);
    if (!call && id === undefined)
      throw new RecordError(
        `the end of a call, but process ${show(process)} has no open call${this.#ids.size > 0 ? ' without an id' : ''}`,
        'process',
      );
    if (!call)
      throw new RecordError(
        this.#ids.entryOf(id as string) === undefined
          ? `the end of a call, but no call has id ${show(id)}`
          : `id ${show(id)} has ended before`,
        'id',
      );
    if (call.process !== process)
      throw new RecordError(
        `id ${show(id)} was called by process ${show(call.process)}${this.#lineOfEntry(call.entry)}`,
        'process',
      );
    if (id === undefined) this.#open.delete(process);
    else this.#openIds.delete(id);
    if (object !== undefined && object !== call.object)
      throw new RecordError(
        `the call was of ${call.object === undefined ? 'no object' : `object ${show(call.object)}`}${this.#lineOfEntry(call.entry)}`,
        'object',
      );
    return call.entry;
  }

  #entryOf(id: string, entry: number, column: number): number {
    const earlier = this.#ids.entryOf(id);
    if (earlier === undefined)
      throw new FormatError(
        `"after" names id ${show(id)}, which no operation has`,
        this.#lineOf.at(entry),
        column,
      );
    return earlier;
  }

  /** The "after" that an error tells of, if it tells of one. */
  #afterBlamed({ entry, other }: HistoryError): { column: number } | undefined {
    const names = (id: string) => this.#ids.entryOf(id) === other;
    return this.#after.find((own) => own.entry === entry && (other === undefined || own.ids.some(names)));
  }

  #lineOfEntry(entry: number | undefined): string {
    return entry === undefined || entry >= this.#lineOf.length ? '' : ` (line ${this.#lineOf.at(entry)})`;
  }
}
