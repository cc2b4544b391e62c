/** Our own format, read as a stream: one operation a line, or one event a line. */
import { GrowingInts, JsonError, printable, show } from '../../base/index.js';
import { type History, HistoryBuilder, HistoryError } from '../../history/index.js';
import { FormatError } from '../format-error.js';
import { Lines } from '../lines.js';
import type { HistoryReader, ReadOptions } from '../reader.js';
import { type CallFields, columnOf, type LineRecord, RecordError, readRecord } from './record.js';

type EndRecord = Extract<LineRecord, { kind: 'end' }>;

/** A call among events, as its end needs it. */
interface OpenCall {
  readonly entry: number;
  readonly process: string;
  readonly object: string | undefined;
  open: boolean;
}

export class JsonLinesReader implements HistoryReader {
  readonly #options: ReadOptions;
  readonly #builder = new HistoryBuilder({ fromFile: true });
  readonly #lines = new Lines((line) => this.#readLine(line));
  /** Entry to its line. */
  readonly #lineOf = new GrowingInts();
  #kind: 'operations' | 'events' | undefined;
  #stuckAt: number | undefined;
  /** Process to its open call that has no id. */
  readonly #open = new Map<string, OpenCall>();
  /** Id to its call, open or not. */
  readonly #ids = new Map<string, OpenCall>();
  readonly #after: { entry: number; ids: readonly string[] }[] = [];

  constructor(options: ReadOptions = {}) {
    this.#options = options;
  }

  write(bytes: Uint8Array): void {
    this.#lines.write(bytes);
  }

  end(): History {
    this.#lines.end();
    try {
      for (const { entry, ids } of this.#after)
        this.#builder.after(
          entry,
          ids.map((id) => this.#entryOf(id, entry)),
        );
      return this.#builder.finish();
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      const other = error.other === undefined ? '' : ` (line ${this.#lineOf.at(error.other)})`;
      throw new FormatError(`${printable(error.message)}${other}`, this.#lineOf.at(error.entry));
    }
  }

  #readLine(line: string): void {
    try {
      this.#take(readRecord(line));
    } catch (error) {
      const { number } = this.#lines;
      if (error instanceof JsonError) throw new FormatError(error.message, number, error.position + 1);
      if (error instanceof RecordError)
        throw new FormatError(error.message, number, columnOf(line, error.field) + 1);
      if (error instanceof HistoryError)
        throw new FormatError(
          printable(error.message) + this.#place(error.other),
          number,
          columnOf(line, 'return') + 1,
        );
      if (error instanceof RangeError)
        throw new FormatError(error.message, number, columnOf(line, 'call') + 1);
      throw error;
    }
  }

  #take(record: LineRecord): void {
    if (this.#stuckAt !== undefined)
      throw new RecordError(`a line after {"stuck":true} (line ${this.#stuckAt}), which is the last one`);
    switch (record.kind) {
      case 'operation': {
        this.#checkKind('operations');
        this.#note(record, this.#builder.operation(this.#renamed(record)));
        return;
      }
      case 'call': {
        this.#checkKind('events');
        const call = this.#note(record, this.#builder.call(this.#renamed(record)));
        if (record.id === undefined) this.#open.set(record.process, call);
        return;
      }
      case 'end':
        this.#checkKind('events');
        this.#builder.end(this.#callOf(record), record.outcome);
        return;
      case 'annotation':
        if (record.at === undefined && this.#kind === 'operations')
          throw new RecordError('an annotation without "at", its time');
        if (record.at !== undefined && this.#kind === 'events')
          throw new RecordError('"at" among events, whose order is time', 'at');
        this.#builder.annotate(record.text, record.at);
        return;
      case 'stuck':
        this.#stuckAt = this.#lines.number;
        this.#builder.markStuck();
    }
  }

  #checkKind(kind: 'operations' | 'events'): void {
    this.#kind ??= kind;
    if (this.#kind !== kind)
      throw new RecordError(
        kind === 'events'
          ? 'an event in a file of operations'
          : 'an operation in a file of events; is its "type" missing?',
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
  #note({ id, process, object, after }: CallFields, entry: number): OpenCall {
    const call = { entry, process, object, open: true };
    this.#lineOf.push(this.#lines.number);
    if (after) this.#after.push({ entry, ids: after });
    if (id === undefined) return call;
    const known = this.#ids.get(id);
    if (known)
      throw new RecordError(`id ${show(id)} again${this.#place(known.entry)}; each id is used once`, 'id');
    this.#ids.set(id, call);
    return call;
  }

  /** The open call that an event ends. */
  #callOf({ process, object, id }: EndRecord): number {
    const call = id === undefined ? this.#open.get(process) : this.#ids.get(id);
    if (!call) {
      const who = id === undefined ? `process ${show(process)}` : `id ${show(id)}`;
      throw new RecordError(
        `the end of a call, but ${who} has no open call`,
        id === undefined ? 'process' : 'id',
      );
    }
    if (!call.open) throw new RecordError(`id ${show(id)} has ended before`, 'id');
    if (call.process !== process)
      throw new RecordError(
        `id ${show(id)} was called by process ${show(call.process)}${this.#place(call.entry)}`,
        'process',
      );
    call.open = false;
    if (id === undefined) this.#open.delete(process);
    if (object !== undefined && object !== call.object)
      throw new RecordError(
        `the call was of object ${show(call.object)}${this.#place(call.entry)}`,
        'object',
      );
    return call.entry;
  }

  #entryOf(id: string, entry: number): number {
    const earlier = this.#ids.get(id);
    if (!earlier)
      throw new FormatError(`"after" names id ${show(id)}, which no operation has`, this.#lineOf.at(entry));
    return earlier.entry;
  }

  #place(entry: number | undefined): string {
    return entry === undefined || entry >= this.#lineOf.length ? '' : ` (line ${this.#lineOf.at(entry)})`;
  }
}
