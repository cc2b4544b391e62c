/** The notations of Jepsen events: EDN, JSON and lines of its log. Unused fields are ignored. */

import type { LinePosition } from '../../base/source-position.js';
import { parseJson } from '../../base/values/json-reader.js';
import { show } from '../../base/values/show.js';
import type { OnCut } from '../common/reader.js';
import { EdnReader } from '../edn/reader.js';
import { EdnError } from '../edn/scanner.js';
import { type Fields, hasInfinity, offsetOfField, RecordError } from '../json-lines/fields.js';
import { EDN_ELEMENTS, Elements, JSON_ELEMENTS } from '../text/elements.js';
import { Lines } from '../text/lines.js';

/** The fields of an event; undefined if absent. */
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
  /** Splits bytes into the texts of events. */
  split(take: (text: string, start: LinePosition) => void): {
    write(bytes: Uint8Array): void;
    end(onCut?: OnCut): void;
  };
  /** Reads the event of a text; undefined if it has none. */
  read(text: string): JepsenEvent | undefined;
  /** The offset of a field's value in a text; 0 if the field is absent. */
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
    while (!reader.leaveMapIfEnded()) {
      const at = reader.position;
      const name = reader.value();
      const value = reader.value();
      if (typeof name !== 'string' || !Object.hasOwn(event, name)) continue;
      if (event[name as EventField] !== undefined) throw new EdnError(`duplicate :${name} in one map`, at);
      event[name as EventField] = value;
    }
    if (reader.hasNext()) reader.fail('the end of the map');
    return event;
  },
  positionOf: (text, field) => {
    const reader = new EdnReader(text);
    let position = 0;
    reader.enterMap();
    while (!reader.leaveMapIfEnded()) {
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
      throw new RecordError(`expected an object {…}, found ${show(fields)}`);
    const { process, type, f, value, key, error, time } = fields as Fields;
    if (hasInfinity(value))
      throw new RecordError('the number is too large; expected one below 1.8e308', 'value');
    return { process, type, f, value, key, error, time };
  },
  positionOf: offsetOfField,
};

/** The prefix of an event in a line of Jepsen's log; history.txt has none. */
const LOGGER = /(?:^|\s)jepsen\.util(?: -|:)\s+/;
const EVENT = /^(?:-?\d+|:[\w-]+)(?:\s|$)/;
const BARE_EVENT = /^(?:-?\d+|:[\w-]+)\s+:(?:invoke|ok|fail|info)\s/;
const LOGGED_FIELDS = ['process', 'type', 'f', 'value'] as const;

/** True if a text starts like a Jepsen log. */
export const isJepsenLog = (start: string): boolean =>
  BARE_EVENT.test(start) ||
  /^[^\n]*(?:^|\s)(?:INFO|WARN|DEBUG|ERROR)\s[^\n]*jepsen/.test(start) ||
  start.split('\n').some((line) => eventStart(line) !== undefined);

/** The start of the event of a line; undefined for other log messages. */
function eventStart(line: string): number | undefined {
  if (BARE_EVENT.test(line)) return 0;
  const logger = LOGGER.exec(line);
  const start = logger ? logger.index + logger[0].length : 0;
  return logger && EVENT.test(line.slice(start)) ? start : undefined;
}

/** `PROCESS :type :f VALUE`, followed by an error message if something failed. */
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
