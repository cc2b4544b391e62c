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
import { unwritable, WriteError } from '../common/write-error.js';
import { writeEdn, writeWord } from '../edn/writer.js';
import { jepsenEvents } from './events.js';
import type { JepsenWriteOptions, SpeltEvent } from './spelling.js';
import { jepsenAdapter } from './vocabulary.js';

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
