/** An event of Jepsen's, as EDN, as JSON or as a line of its log. Fields that do not matter here are passed over. */

import type { LinePosition } from '../../base/source-position.js';
import { parseJson } from '../../base/values/json-reader.js';
import { show } from '../../base/values/show.js';
import { EdnReader } from '../edn/reader.js';
import { EdnError } from '../edn/scanner.js';
import { columnOf, type Fields, hasInfinity, RecordError } from '../json-lines/fields.js';
import { EDN_ELEMENTS, Elements, JSON_ELEMENTS } from '../text/elements.js';
import { Lines } from '../text/lines.js';

/** What stands in an event; undefined is what does not. */
export interface JepsenEvent {
  process: unknown;
  type: unknown;
  f: unknown;
  value: unknown;
  key: unknown;
  error: unknown;
  /** In nanoseconds. */
  time: unknown;
}
export type EventField = keyof JepsenEvent;

export interface Notation {
  /** Takes bytes apart into the texts of events. */
  split(take: (text: string, start: LinePosition) => void): { write(bytes: Uint8Array): void; end(): void };
  /** The event that a text tells; undefined where it tells none. */
  read(text: string): JepsenEvent | undefined;
  /** Where a field's value stands in a text that was read; the start where it has none. */
  positionOf(text: string, field: EventField | undefined): number;
}

const emptyEvent = (): JepsenEvent => ({
  process: undefined,
  type: undefined,
  f: undefined,
  value: undefined,
  key: undefined,
  error: undefined,
  time: undefined,
});

export const edn: Notation = {
  split: (take) => new Elements(EDN_ELEMENTS, take),
  read: (text) => {
    const reader = new EdnReader(text);
    if (!reader.hasNext()) return undefined;
    const event = emptyEvent();
    reader.enterMap();
    while (!reader.leavesMap()) {
      const at = reader.position;
      const name = reader.value();
      const value = reader.value();
      if (typeof name !== 'string' || !Object.hasOwn(event, name)) continue;
      if (event[name as EventField] !== undefined) throw new EdnError(`:${name} stands twice in one map`, at);
      event[name as EventField] = value;
    }
    if (reader.hasNext()) reader.fail('the end of the map');
    return event;
  },
  positionOf: (text, field) => {
    const reader = new EdnReader(text);
    let position = 0;
    reader.enterMap();
    while (!reader.leavesMap()) {
      const name = reader.value();
      reader.hasNext();
      if (name === field) position = reader.position;
      reader.value();
    }
    return position;
  },
};

export const json: Notation = {
  split: (take) => new Elements(JSON_ELEMENTS, take),
  read: (text) => {
    const fields = parseJson(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new RecordError(`${show(fields)} stands here; expected an object {…}`);
    const { process, type, f, value, key, error, time } = fields as Fields;
    if (hasInfinity(value))
      throw new RecordError('a number too large to hold; expected one below 1.8e308', 'value');
    return { process, type, f, value, key, error, time };
  },
  positionOf: columnOf,
};

/** What comes before an event in a line of Jepsen's log; its history.txt has nothing before it. */
const LOGGER = /(?:^|\s)jepsen\.util(?: -|:)\s+/;
const EVENT = /^(?:-?\d+|:[\w-]+)(?:\s|$)/;
const BARE_EVENT = /^(?:-?\d+|:[\w-]+)\s+:(?:invoke|ok|fail|info)\s/;
const LOGGED_FIELDS = ['process', 'type', 'f', 'value'] as const;

/** Does a text start as logs of Jepsen do? */
export const looksLogged = (start: string): boolean =>
  BARE_EVENT.test(start) ||
  /^[^\n]*(?:^|\s)(?:INFO|WARN|DEBUG|ERROR)\s[^\n]*jepsen/.test(start) ||
  start.split('\n').some((line) => eventStart(line) !== undefined);

/** Where the event of a line begins; undefined for what else Jepsen logs. */
function eventStart(line: string): number | undefined {
  if (BARE_EVENT.test(line)) return 0;
  const logger = LOGGER.exec(line);
  const start = logger ? logger.index + logger[0].length : 0;
  return logger && EVENT.test(line.slice(start)) ? start : undefined;
}

/** `PROCESS :type :f VALUE`, then, where something went wrong, an error in any words. */
export const log: Notation = {
  split: (take) => {
    const lines = new Lines((line) => take(line, { line: lines.number, column: 1 }));
    return lines;
  },
  read: (line) => {
    const start = eventStart(line);
    if (start === undefined) return undefined;
    const reader = new EdnReader(line);
    reader.position = start;
    const event = emptyEvent();
    for (const field of LOGGED_FIELDS) event[field] = reader.value();
    const rest = line.slice(reader.position).trim();
    if (rest !== '' && event.type !== 'fail' && event.type !== 'info') {
      reader.hasNext();
      reader.fail('the end of the line');
    }
    if (rest !== '') event.error = rest;
    return event;
  },
  positionOf: (line, field) => {
    const reader = new EdnReader(line);
    reader.position = eventStart(line) ?? 0;
    for (const own of LOGGED_FIELDS) {
      reader.hasNext();
      if (own === field) return reader.position;
      reader.value();
    }
    return 0;
  },
};
