/**
 * Reads a stream of events and delivers each one when its text is complete.
 *
 * The first line determines the format: JSON lines of our own, or events of Jepsen in JSON, EDN or a log. A record map
 * converts other JSON. The handler checks that an event can follow the previous ones; its EventError becomes a FormatError
 * with the position of the faulty field.
 */
import { Buffer } from 'node:buffer';
import { JsonError } from '../base/values/json-reader.js';
import { printable } from '../base/values/show.js';
import { EventError, type HistoryEvent, type Outcome } from '../history/model/operation.js';

import type { Timestamp } from '../history/model/timestamps.js';
import { FormatError, type ReadOptions } from './common/reader.js';
import { jepsenNotationOf } from './detect.js';
import { type EventSink, JepsenReader } from './jepsen/reader.js';
import { type Fields, offsetOfField, RecordError, readFields } from './json-lines/fields.js';
import { type LineRecord, readRecord, toRecord } from './json-lines/record.js';
import { MappedRecords } from './mapped.js';
import { Lines } from './text/lines.js';

/** Handles an event; returns true to stop reading. */
export type TakeEvent = (event: HistoryEvent) => boolean;

/** What `EventReader` needs to know of a stream. */
export type EventOptions = Pick<
  ReadOptions,
  'rename' | 'recordMap' | 'jepsen' | 'independent' | 'extraFields'
>;

/** A reader of one format. */
interface Source {
  write(bytes: Uint8Array): void;
  end(): unknown;
}

/** Reads events as they arrive. */
export class EventReader {
  readonly #take: TakeEvent;
  readonly #options: EventOptions;
  /** The bytes before the format is known. */
  #start: Buffer = Buffer.alloc(0);
  #source: Source | undefined;
  #isStopped = false;
  /** The line of the last event, from 1. */
  line = 0;

  constructor(take: TakeEvent, options: EventOptions = {}) {
    this.#take = (event) => {
      this.line = event.line ?? this.line;
      return take(event);
    };
    this.#options = options;
    if (options.recordMap)
      this.#source = new MappedRecords(options.recordMap, options.extraFields, (record, line) => {
        this.#deliver(this.#eventOf(record, line));
      });
  }

  write(bytes: Uint8Array): void {
    if (this.#isStopped) return;
    if (this.#source) this.#read(() => this.#source?.write(bytes));
    else {
      this.#start = Buffer.concat([this.#start, bytes]);
      const text = this.#start.toString();
      if (text.trimStart().includes('\n')) this.#choose(text);
    }
  }

  end(): void {
    if (!this.#source && !this.#isStopped) this.#choose(this.#start.toString());
    if (!this.#isStopped) this.#read(() => this.#source?.end());
  }

  #choose(text: string): void {
    const start = text.trimStart();
    const notation = jepsenNotationOf(start.slice(0, start.indexOf('\n') >>> 0));
    const source = notation
      ? new JepsenReader(notation, this.#options, new DeliveredEvents((event) => this.#deliver(event)))
      : this.#lines();
    this.#source = source;
    const bytes = this.#start;
    this.#start = Buffer.alloc(0);
    this.#read(() => source.write(bytes));
  }

  /** After the handler has stopped, errors of later events do not matter. */
  #read(read: () => unknown): void {
    try {
      read();
    } catch (error) {
      if (!this.#isStopped) throw error;
    }
  }

  #deliver(event: HistoryEvent | undefined): void {
    if (event && !this.#isStopped) this.#isStopped = this.#take(event);
  }

  /** Lines of our own format. */
  #lines(): Lines {
    const lines: Lines = new Lines((text) => {
      try {
        this.line = lines.number;
        this.#deliver(this.#eventOf(toRecord(fieldsOf(text), this.#options.extraFields), lines.number));
      } catch (error) {
        throw toFormatError(error, text, lines.number);
      }
    });
    return lines;
  }

  #eventOf(record: LineRecord, line: number): HistoryEvent | undefined {
    switch (record.kind) {
      case 'call': {
        const { process, method, args, object, id, after } = record;
        if (after) throw new RecordError(`"after" is not supported in a stream. ${CHECK} it`, 'after');
        return {
          type: 'call',
          process,
          method: this.#options.rename?.get(method) ?? method,
          args,
          object,
          id,
          line,
        };
      }
      case 'end':
        return toEndEvent(record, line);
      case 'annotation':
        if (record.at === undefined) return undefined;
        throw new RecordError(
          `an annotation with "at"; in a stream of events, the order of lines is time`,
          'at',
        );
      case 'operation':
        throw new RecordError(`an operation with its times; expected ${EVENTS}. ${CHECK} operations`);
      case 'stuck':
        throw new RecordError(`{"stuck":true}; expected events. ${CHECK} stuck histories`);
    }
  }
}

/** Advice for input that a stream cannot contain. */
const CHECK = 'straightedge check reads';
const EVENTS =
  'events, one per line: {"type":"call",…} when a call starts, {"type":"return",…} when it returns';

/** The fields of a line that may be an event. */
function fieldsOf(text: string): Fields {
  if (!text.startsWith('{') && /^\s*\[/.test(text))
    throw new RecordError(`a list; expected ${EVENTS}. ${CHECK} records in one list`);
  const fields = readFields(text);
  const { type } = fields;
  if (type === 'call' || type === 'return') return fields;
  if (KINDS.some((name) => Object.hasOwn(fields, name))) return fields;
  throw new RecordError(`missing "type"; expected ${EVENTS}`);
}

/** Fields that identify a kind of record; `call`, a time, identifies operations. */
const KINDS = ['type', 'annotation', 'stuck', 'call'];

/** Calls and ends as events. An end has the process and the object of its call. */
class DeliveredEvents implements EventSink {
  readonly #deliver: (event: HistoryEvent) => void;
  /** The open calls, by entry. */
  readonly #open = new Map<number, { readonly process: string; readonly object: string | undefined }>();
  #next = 0;

  constructor(deliver: (event: HistoryEvent) => void) {
    this.#deliver = deliver;
  }

  call(
    { process, method, args, object }: Parameters<EventSink['call']>[0],
    _at: unknown,
    line: number,
  ): number {
    this.#deliver({ type: 'call', process, method, args, object, line });
    this.#open.set(this.#next, { process, object });
    return this.#next++;
  }

  end(entry: number, outcome: Outcome, _at: unknown, line: number): void {
    const call = this.#open.get(entry);
    this.#open.delete(entry);
    if (call) this.#deliver(toEndEvent({ ...call, id: undefined, outcome }, line));
  }

  annotate(): void {}
}

function toEndEvent(
  { process, object, id, outcome }: Omit<Extract<LineRecord, { kind: 'end' }>, 'kind'>,
  line: number,
): HistoryEvent {
  const end = { process, object, id, line };
  switch (outcome.kind) {
    case 'returned':
      return { type: 'return', result: outcome.value, ...end };
    case 'threw':
      return { type: 'throw', threw: outcome.error, ...end };
    case 'failed':
      return { type: 'failed', failed: outcome.reason, ...end };
    case 'pending':
      return { type: 'unknown', unknown: outcome.reason, ...end };
  }
}

/** An annotation of a file that has nothing else, with its time. */
interface TimedAnnotation {
  readonly text: string;
  readonly at: Timestamp;
  readonly until: Timestamp | undefined;
  /** Its times are dates, in nanoseconds since 1970. */
  readonly isDated: boolean;
}

/** The annotations of a file of faults, one per line. */
export function readAnnotations(content: string): TimedAnnotation[] {
  return content.split('\n').flatMap((text, i) => {
    if (text.trim() === '') return [];
    try {
      const record = readRecord(text);
      if (record.kind !== 'annotation' || record.at === undefined)
        throw new RecordError('not an annotation with its time; expected {"annotation":"pause n1","at":5}');
      return [{ text: record.text, at: record.at, until: record.until, isDated: record.isDated }];
    } catch (error) {
      throw toFormatError(error, text, i + 1);
    }
  });
}

function toFormatError(error: unknown, text: string, line: number): unknown {
  if (error instanceof JsonError) return new FormatError(printable(error.message), line, error.position + 1);
  if (error instanceof RecordError || error instanceof EventError)
    return new FormatError(printable(error.message), line, 1 + offsetOfField(text, error.field));
  return error;
}
