/**
 * Reads a stream of events in our format and delivers each one when its line is complete.
 *
 * The handler checks that an event can follow the previous ones; its EventError becomes a
 * FormatError with the position of the faulty field.
 */
import { JsonError } from '../../base/values/json-reader.js';
import { printable } from '../../base/values/show.js';
import { EventError, type HistoryEvent } from '../../history/model/event.js';
import { FormatError } from '../common/reader.js';
import { Lines } from '../text/lines.js';
import { type Fields, offsetOfField, RecordError, readFields } from './fields.js';
import { type LineRecord, toRecord } from './record.js';

/** Handles an event; returns true to stop reading. */
export type TakeEvent = (event: HistoryEvent) => boolean;

/** Reads events from JSON lines as they arrive. */
export class EventReader {
  readonly #take: TakeEvent;
  readonly #rename: ReadonlyMap<string, string> | undefined;
  readonly #lines: Lines;
  #isStopped = false;

  /** `rename`: method names of the file to those of the spec. */
  constructor(take: TakeEvent, rename?: ReadonlyMap<string, string>) {
    this.#take = take;
    this.#rename = rename;
    this.#lines = new Lines((line) => this.#read(line));
  }

  /** The last line read, from 1. */
  get line(): number {
    return this.#lines.number;
  }

  write(bytes: Uint8Array): void {
    if (!this.#isStopped) this.#lines.write(bytes);
  }

  end(): void {
    if (!this.#isStopped) this.#lines.end();
  }

  #read(text: string): void {
    if (this.#isStopped) return;
    try {
      const event = this.#eventOf(toRecord(fieldsOf(text)));
      if (event) this.#isStopped = this.#take(event);
    } catch (error) {
      throw toFormatError(error, text, this.line);
    }
  }

  #eventOf(record: LineRecord): HistoryEvent | undefined {
    const { line } = this;
    switch (record.kind) {
      case 'call': {
        const { process, method, args, object, id, after } = record;
        if (after) throw new RecordError(`"after" is not supported in a stream. ${CHECK} it`, 'after');
        return { type: 'call', process, method: this.#rename?.get(method) ?? method, args, object, id, line };
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
  if (JEPSEN.includes(type))
    throw new RecordError(`a Jepsen event; expected ${EVENTS}. ${CHECK} Jepsen histories`, 'type');
  if (KINDS.some((name) => Object.hasOwn(fields, name))) return fields;
  throw new RecordError(`missing "type"; expected ${EVENTS}`);
}

/** Types of events that only Jepsen has. */
const JEPSEN: readonly unknown[] = ['invoke', 'ok', 'fail', 'info'];
/** Fields that identify a kind of record; `call`, a time, identifies operations. */
const KINDS = ['type', 'annotation', 'stuck', 'call'];

function toEndEvent(
  { process, object, id, outcome }: Extract<LineRecord, { kind: 'end' }>,
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

function toFormatError(error: unknown, text: string, line: number): unknown {
  if (error instanceof JsonError) return new FormatError(printable(error.message), line, error.position + 1);
  if (error instanceof RecordError || error instanceof EventError)
    return new FormatError(printable(error.message), line, 1 + offsetOfField(text, error.field));
  return error;
}
