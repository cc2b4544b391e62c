/**
 * A history in Jepsen's notations: EDN, JSON, its text log, and EDN with keys.
 *
 *   {:process 0, :type :invoke, :f :write, :value 1}
 *   {"process":0,"type":"invoke","f":"write","value":1}          all of them in one array
 *   INFO  jepsen.util - 0 :invoke :write 1                       with tabs
 *   {:process 0, :type :invoke, :f :put, :key "x", :value "1"}
 *
 * Text comes an event at a time; what a notation has no form for is an error that
 * names the operation.
 */

import { isPrimitive } from '../../base/values/interner.js';
import { stringify } from '../../base/values/json-values.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import { jepsenAdapter } from '../common/adapter.js';
import { unwritable, WriteError } from '../common/format-error.js';
import { writeEdn, writeWord } from '../edn/writer.js';
import { type JepsenWriteOptions, Spelling, type SpeltEvent } from './spelling.js';

/*
 * A history as the events that Jepsen would have recorded.
 *
 *   returned   invoke … ok
 *   failed     invoke … fail
 *   pending    invoke, and info if there is a reason or the process goes on
 *
 * Jepsen knows no more than that. What it can not say is an error that names the
 * operation: several open calls of one process, stuck, and what spelling.ts adds.
 */

/** The event, and the operation that it is of, if any. */
type Told = readonly [event: SpeltEvent, k: number | undefined];

function* jepsenEvents(history: History, options: JepsenWriteOptions = {}): Generator<Told> {
  if (history.stuck) throw new WriteError('the history is stuck, which Jepsen has no word for');
  const { events, process, return: returned } = history.columns;
  const spelling = new Spelling(history, options);
  const annotations = [...history.annotations].sort((a, b) => a.moment - b.moment);
  let told = 0;
  /** Process to its call that no event ends. */
  const open = new Map<number, number>();

  for (let m = 0; m <= events.length; m++) {
    for (; told < annotations.length && annotations[told].moment <= m; told++)
      yield [annotationEvent(annotations[told].text), undefined];
    if (m === events.length) break;
    const k = events[m] >= 0 ? events[m] : ~events[m];
    if (events[m] < 0) {
      yield [spelling.end(k), k];
      open.delete(process[k]);
      continue;
    }
    // a process that goes on has given up what it waited for
    const before = open.get(process[k]);
    if (before !== undefined) {
      if (returned[before] !== NEVER)
        throw unwritable(history, k, 'it is called while another call of its process is open');
      yield [spelling.end(before), before];
    }
    yield [spelling.call(k), k];
    open.set(process[k], k);
  }
  for (const k of open.values()) if (spelling.hasMore(k)) yield [spelling.end(k), k];
}

/** What others than clients do is read as their name and what they did. */
function annotationEvent(text: string): SpeltEvent {
  const space = text.indexOf(' ');
  if (space < 0)
    throw new WriteError(
      `the annotation ${show(text)} is one word; Jepsen writes who did it and what: "nemesis ${text}"`,
    );
  const [process, f] = [text.slice(0, space), text.slice(space + 1)];
  return { isClient: false, process, type: 'info', f, value: null };
}

/** One event a line, as EDN. */
export function writeJepsenEdn(history: History, options: JepsenWriteOptions = {}): Generator<string> {
  return texts(history, options, ({ isClient, process, type, f, key, value, error }) => {
    const who = isClient ? process : writeWord(process);
    const about = key === undefined ? '' : `, :key ${writeEdn(key)}`;
    const why = error === undefined ? '' : `, :error ${writeWord(error)}`;
    return `{:process ${who}, :type :${type}, :f ${writeWord(f)}${about}, :value ${writeEdn(value)}${why}}\n`;
  });
}

/** One array, one event a line, as JSON. */
export function* writeJepsenJson(history: History, options: JepsenWriteOptions = {}): Generator<string> {
  let before = '[\n';
  for (const text of texts(history, options, ({ isClient, process, type, f, key, value, error }) => {
    const who = isClient ? process : JSON.stringify(process);
    const about = key === undefined ? '' : `,"key":${plainJson(key)}`;
    const why = error === undefined ? '' : `,"error":${JSON.stringify(error)}`;
    return `{"process":${who},"type":"${type}","f":${JSON.stringify(f)}${about},"value":${plainJson(value)}${why}}`;
  })) {
    yield before + text;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** One event a line, as Jepsen logs them. */
export function writeJepsenLog(history: History, options: JepsenWriteOptions = {}): Generator<string> {
  return texts(history, options, ({ isClient, process, type, f, key, value, error }) => {
    if (!isClient && !/^[A-Za-z][\w-]*$/.test(process))
      throw new TypeError(
        `the annotation by ${JSON.stringify(process)} has no form in a log; expected one word of letters`,
      );
    if (key !== undefined) throw new TypeError('its key has no form in a log');
    if (error !== undefined && !/^\S(?:.*\S)?$/.test(error))
      throw new TypeError(`the reason ${JSON.stringify(error)} has no form in a log; expected one line`);
    const columns = [
      isClient ? process : `:${process}`,
      `:${type}`,
      writeWord(f),
      writeEdn(value),
      ...(error === undefined ? [] : [error]),
    ];
    return `INFO  jepsen.util - ${columns.join('\t')}\n`;
  });
}

/** One event a line, as EDN whose events have a key: get, put and append of a map. */
export const writeKeyValueEdn = (history: History, options: JepsenWriteOptions = {}): Generator<string> =>
  writeJepsenEdn(history, { ...options, jepsen: () => keyValue });

const keyValue = jepsenAdapter([
  { f: 'get', takes: 'nothing', key: 'field', answers: 'value' },
  { f: 'put', takes: 'value', key: 'field', answers: 'nothing' },
  { f: 'append', takes: 'value', key: 'field', answers: 'nothing' },
]);

function* texts(
  history: History,
  options: JepsenWriteOptions,
  textOf: (event: SpeltEvent) => string,
): Generator<string> {
  for (const [event, k] of jepsenEvents(history, options)) {
    let text: string;
    try {
      text = textOf(event);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw k === undefined ? new WriteError(error.message) : unwritable(history, k, error.message);
    }
    yield text;
  }
}

/** JSON of a value, without the tags of our own format, which Jepsen does not know. */
function plainJson(value: unknown): string {
  if (Array.isArray(value)) return `[${Array.from(value, plainJson).join(',')}]`;
  const prototype: unknown = isPrimitive(value) ? undefined : Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return `{${Object.entries(value as object)
      .map(([name, field]) => `${JSON.stringify(name)}:${plainJson(field)}`)
      .join(',')}}`;
  const text = stringify(value);
  if (text.startsWith('{')) throw new TypeError(`${show(value)} has no form in plain JSON`);
  return text;
}
