/**
 * Reads Jepsen histories in any notation. The order of events is time; with a clock error, their
 * `time` in nanoseconds is used instead.
 *
 *   invoke   a call, decoded by the adapter of the object
 *   ok       it returned
 *   fail     it never took effect
 *   info     unknown: it stays pending, and its process may continue
 *
 * Clients are integers. Events of other processes (`:nemesis`) become annotations. With
 * `independent`, each value is `[key value]`, and each key is a separate object.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import { Canonical } from '../../base/values/canonical.js';
import { JsonError } from '../../base/values/json-reader.js';
import { printable, show } from '../../base/values/show.js';
import { type CallOf, HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import { EventError, HistoryError, type Outcome } from '../../history/model/operation.js';

import type { Timestamp } from '../../history/model/timestamps.js';
import { adapterOf, type JepsenAdapter } from '../common/adapter.js';
import {
  FormatError,
  type HistoryReader,
  onCutOf,
  type ReadOptions,
  readClockError,
  withClock,
} from '../common/reader.js';
import { EdnError } from '../edn/scanner.js';
import { RecordError } from '../json-lines/fields.js';
import type { EventField, JepsenEvent, Notation } from './notations.js';

/** An open call. */
interface OpenCall {
  readonly entry: number;
  readonly line: number;
  /** The name in the file, and the name after renaming. */
  readonly f: string;
  readonly renamed: string;
  readonly args: readonly unknown[];
  readonly adapter: JepsenAdapter;
  readonly object: string | undefined;
}

/** What happens to events: they become a history, or are handed on as they arrive. */
export interface EventSink {
  /** Takes a call and returns its entry. */
  call(call: CallOf, at: Timestamp | undefined, line: number): number;
  end(entry: number, outcome: Outcome, at: Timestamp | undefined, line: number): void;
  annotate(text: string, at: Timestamp | undefined): void;
}

const TYPES = ['invoke', 'ok', 'fail', 'info'] as const;

export class JepsenReader implements HistoryReader {
  readonly #options: ReadOptions;
  readonly #notation: Notation;
  readonly #source: ReturnType<Notation['split']>;
  readonly #builder: HistoryBuilder;
  /** Receives the events. */
  readonly #sink: EventSink;
  /** Entry to its line. */
  readonly #lineOf = new GrowingInts();
  /** Process to its open call. */
  readonly #open = new Map<string, OpenCall>();
  /** With `independent`: object to the canonical form of its key. */
  readonly #keys = new Map<string, string>();
  readonly #canonical = new Canonical();
  #hasEvents = false;
  /** True if the text had content without events. */
  #hasOtherContent = false;
  /** Start of the current event. */
  #position: LinePosition = { line: 1, column: 1 };

  /** `sink` receives the events instead of a history. */
  constructor(notation: Notation, options: ReadOptions = {}, sink?: EventSink) {
    this.#notation = notation;
    this.#options = options;
    this.#builder = new HistoryBuilder({
      fromFile: true,
      clockError: readClockError('nanoseconds', options.clockError),
      keepTimes: options.keepTimes,
    });
    this.#sink = sink ?? this.#builder;
    this.#source = notation.split((text, start) => this.#read(text, start));
  }

  write(bytes: Uint8Array): void {
    this.#source.write(bytes);
  }

  end(): History {
    this.#source.end(onCutOf(this.#options, () => true));
    if (this.#hasOtherContent && !this.#hasEvents)
      throw new FormatError('no events found; expected events of type invoke, ok, fail or info', 1);
    try {
      const history = this.#builder.finish((entry) => this.#lineOf.at(entry));
      return withClock(history, 'nanoseconds');
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      throw new FormatError(
        printable(error.message) + this.#lineOfCall(error.other),
        this.#lineOf.at(error.entry),
      );
    }
  }

  get bytesToEnd(): number {
    return this.#builder.bytesToFinish;
  }

  #read(text: string, start: LinePosition): void {
    this.#position = start;
    try {
      const event = this.#notation.read(text);
      if (event) this.#take(event);
      if (event) this.#hasEvents = true;
      else this.#hasOtherContent = true;
    } catch (error) {
      const fail = (message: string, position: number): never => {
        const { line, column } = positionIn(text, position, start);
        throw new FormatError(printable(message), line, column);
      };
      if (error instanceof EdnError || error instanceof JsonError) {
        // one without an end continues over many lines
        const isFar = positionIn(text, error.position, start).line > start.line;
        fail(`${error.message}${isFar ? `, in what begins on line ${start.line}` : ''}`, error.position);
      }
      if (error instanceof RecordError)
        fail(error.message, this.#notation.positionOf(text, error.field as EventField));
      if (error instanceof HistoryError || error instanceof EventError)
        fail(
          error.message + (error instanceof HistoryError ? this.#lineOfCall(error.other) : ''),
          this.#notation.positionOf(text, 'process'),
        );
      throw error;
    }
  }

  #take(event: JepsenEvent): void {
    const type = TYPES.find((own) => own === event.type);
    if (!type)
      throw new RecordError(
        event.type === undefined
          ? `missing type; expected ${TYPES.join(', ')}`
          : `unknown event type ${show(event.type)}; expected ${TYPES.join(', ')}`,
        'type',
      );
    const { f, process } = event;
    if (typeof f !== 'string')
      throw new RecordError(
        f === undefined ? 'missing f; expected a function name' : `invalid f ${show(f)}; expected a name`,
        'f',
      );
    if (isClient(process)) {
      if (type === 'invoke') this.#call(String(process), f, event);
      else this.#end(String(process), f, type, event);
    } else this.#annotate(type, f, event);
  }

  /** The nemesis may report anything. Any other event needs a client process, or it would not be checked. */
  #annotate(type: string, f: string, event: JepsenEvent): void {
    const { process, value } = event;
    if (typeof process !== 'string' || (process !== 'nemesis' && type !== 'info'))
      throw new RecordError(
        process === undefined
          ? 'missing process; expected an integer'
          : `invalid process ${show(process)} of an event of type ${type}; expected an integer`,
        'process',
      );
    const details =
      value === undefined || value === null ? '' : ` ${typeof value === 'string' ? value : show(value)}`;
    // without a clock error, the annotation takes the position of its event
    const at = this.#options.clockError === undefined ? undefined : this.#timeOf(event);
    this.#sink.annotate(`${process} ${f}${details}`, at);
  }

  #call(process: string, f: string, event: JepsenEvent): void {
    const { value, key } = event;
    const { independent, rename, jepsen, methodsOf } = this.#options;
    const [object, inner] = independent ? this.#objectOf(value) : [undefined, value];
    const adapter = adapterOf(jepsen?.(object));
    const renamed = rename?.get(f) ?? f;
    const call = callAdapter(() => adapter.call(renamed, inner ?? null, key));
    const known = methodsOf?.(object);
    if (!call || (known && !known.includes(call.method)))
      throw new RecordError(
        `unknown f ${show(f)}${known ? `; the object has ${known.join(', ')}` : ''}`,
        'f',
      );
    const { method, args } = call;
    const { line } = this.#position;
    const entry = this.#sink.call({ process, method, args, object }, this.#timeOf(event), line);
    if (this.#sink === this.#builder) this.#lineOf.push(line);
    this.#open.set(process, { entry, line, f, renamed, args, adapter, object });
  }

  #end(process: string, f: string, type: 'ok' | 'fail' | 'info', event: JepsenEvent): void {
    const { value, error } = event;
    const at = this.#timeOf(event);
    const { line } = this.#position;
    const call = this.#open.get(process);
    if (!call) throw new RecordError(`${type} of ${f}, but process ${process} has no open call`, 'process');
    if (call.f !== f)
      throw new RecordError(
        `${type} of ${f}, but process ${process} has called ${call.f} (line ${call.line})`,
        'f',
      );
    this.#open.delete(process);
    if (type === 'ok')
      this.#sink.end(call.entry, { kind: 'returned', value: this.#resultOf(call, value) }, at, line);
    else {
      const reason =
        error === undefined || error === null
          ? {}
          : { reason: typeof error === 'string' ? error : show(error) };
      this.#sink.end(call.entry, { kind: type === 'fail' ? 'failed' : 'pending', ...reason }, at, line);
    }
  }

  #resultOf({ adapter, renamed, args, object, line }: OpenCall, value: unknown): unknown {
    const [own, inner] = object === undefined ? [undefined, value] : this.#objectOf(value);
    if (own !== object)
      throw new RecordError(
        `an ok with key ${show(own)}, but the call has key ${show(object)} (line ${line})`,
        'value',
      );
    return callAdapter(() => adapter.result(renamed, inner ?? null, args));
  }

  /** The object that the key of `[key value]` names, and the value. */
  #objectOf(tuple: unknown): [object: string, value: unknown] {
    if (!Array.isArray(tuple) || tuple.length !== 2)
      throw new RecordError(
        `invalid value ${show(tuple ?? null)}; expected [key value] (--independent)`,
        'value',
      );
    const [key, value] = tuple as [unknown, unknown];
    const name = typeof key === 'string' ? key : show(key);
    const canonical = this.#canonical.key(key);
    const known = this.#keys.get(name);
    if (known !== undefined && known !== canonical)
      throw new RecordError(
        `two different keys are both printed as ${name}; expected keys of one type`,
        'value',
      );
    if (known === undefined) this.#keys.set(name, canonical);
    return [name, value];
  }

  /** The time of an event; used only with a clock error or to keep times. */
  #timeOf({ time }: JepsenEvent): Timestamp | undefined {
    const { clockError, keepTimes } = this.#options;
    if (clockError === undefined && !keepTimes) return undefined;
    if (typeof time === 'bigint' || (typeof time === 'number' && Number.isFinite(time))) return time;
    if (clockError === undefined) return undefined;
    throw new RecordError(
      `${time === undefined ? 'missing time' : `invalid time ${show(time)}`}; a clock error requires the time of each event in nanoseconds`,
      'time',
    );
  }

  #lineOfCall(entry: number | undefined): string {
    return entry === undefined ? '' : ` (line ${this.#lineOf.at(entry)})`;
  }
}

const isClient = (process: unknown): boolean => typeof process === 'bigint' || Number.isInteger(process);

/** Calls an adapter; its RangeError concerns the value of the event. */
function callAdapter<R>(ask: () => R): R {
  try {
    return ask();
  } catch (error) {
    throw error instanceof RangeError ? new RecordError(error.message, 'value') : error;
  }
}
