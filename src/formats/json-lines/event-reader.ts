/**
 * Events of our own format, handed on one by one as their lines come: for who can not wait for the end.
 *
 * What an event means beside those before it is the taker's business; its EventError becomes a
 * FormatError with the place of the field at fault.
 */
import { JsonError } from '../../base/values/json-reader.js';
import { printable } from '../../base/values/show.js';
import { EventError, type HistoryEvent } from '../../history/model/event.js';
import { FormatError } from '../common/format-error.js';
import { Lines } from '../text/lines.js';
import { columnOf, type Fields, RecordError, readFields } from './fields.js';
import { type LineRecord, recordOf } from './record.js';

/** Takes an event; true: that is enough, nothing more is read. */
export type TakeEvent = (event: HistoryEvent) => boolean;

export class EventReader {
  readonly #take: TakeEvent;
  readonly #rename: ReadonlyMap<string, string> | undefined;
  readonly #lines: Lines;
  #hasEnough = false;

  /** `rename`: method names of the file to those of the spec. */
  constructor(take: TakeEvent, rename?: ReadonlyMap<string, string>) {
    this.#take = take;
    this.#rename = rename;
    this.#lines = new Lines((line) => this.#read(line));
  }

  /** The line that was read last, from 1. */
  get line(): number {
    return this.#lines.number;
  }

  write(bytes: Uint8Array): void {
    if (!this.#hasEnough) this.#lines.write(bytes);
  }

  end(): void {
    if (!this.#hasEnough) this.#lines.end();
  }

  #read(text: string): void {
    if (this.#hasEnough) return;
    try {
      const event = this.#eventOf(recordOf(fieldsOf(text)));
      if (event) this.#hasEnough = this.#take(event);
    } catch (error) {
      throw located(error, text, this.line);
    }
  }

  #eventOf(record: LineRecord): HistoryEvent | undefined {
    const { line } = this;
    switch (record.kind) {
      case 'call': {
        const { process, method, args, object, id, after } = record;
        if (after) throw new RecordError(`"after", order that time does not show. ${CHECK} that`, 'after');
        return { type: 'call', process, method: this.#rename?.get(method) ?? method, args, object, id, line };
      }
      case 'end':
        return endOf(record, line);
      case 'annotation':
        if (record.at === undefined) return undefined;
        throw new RecordError(
          `an annotation with "at", its time; expected events, whose order is time`,
          'at',
        );
      case 'operation':
        throw new RecordError(`an operation with its times; expected ${EVENTS}. ${CHECK} operations`);
      case 'stuck':
        throw new RecordError(`{"stuck":true}; expected events. ${CHECK} stuck histories`);
    }
  }
}

/** What reads what a stream can not have. */
const CHECK = 'straightedge check is for';
const EVENTS =
  'events, one a line: {"type":"call",…} when a call begins, {"type":"return",…} when it returns';

/** The fields of what may be an event; most are, and are asked no more than that. */
function fieldsOf(text: string): Fields {
  if (!text.startsWith('{') && /^\s*\[/.test(text))
    throw new RecordError(`a list; expected ${EVENTS}. ${CHECK} records in one list`);
  const fields = readFields(text);
  const { type } = fields;
  if (type === 'call' || type === 'return') return fields;
  if (JEPSEN.includes(type))
    throw new RecordError(`an event of Jepsen; expected ${EVENTS}. ${CHECK} histories of Jepsen`, 'type');
  if (KINDS.some((name) => Object.hasOwn(fields, name))) return fields;
  throw new RecordError(`no "type"; expected ${EVENTS}`);
}

/** Types that Jepsen has, and we have not. */
const JEPSEN: readonly unknown[] = ['invoke', 'ok', 'fail', 'info'];
/** Each tells a kind of record; `call`, a time, is of operations. */
const KINDS = ['type', 'annotation', 'stuck', 'call'];

function endOf(
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

function located(error: unknown, text: string, line: number): unknown {
  if (error instanceof JsonError) return new FormatError(printable(error.message), line, error.position + 1);
  if (error instanceof RecordError || error instanceof EventError)
    return new FormatError(printable(error.message), line, 1 + columnOf(text, error.field));
  return error;
}
