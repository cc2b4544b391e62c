/**
 * Writes a history as Jepsen would have recorded it: EDN, one event a line.
 *
 *   {:process 0, :type :invoke, :f :write, :value 1}
 *   {:process 0, :type :invoke, :f :put, :key "x", :value "1"}      if the adapter of the object has keys
 *
 *   returned   invoke … ok
 *   failed     invoke … fail
 *   pending    invoke, then info if a reason is known or the process continues
 *
 * An operation that Jepsen's format cannot hold is an error that names it: a call that overlaps another call of its
 * process, a stuck history, and the cases of `JepsenEncoder`.
 */
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { NEVER, PENDING } from '../../history/model/columns.js';
import { adapterOf, type JepsenAdapter, type JepsenNames } from '../common/adapter.js';
import { createWriteError, WriteError } from '../common/reader.js';

interface EncodedEvent {
  /** True if the process is an integer; others have names, such as `nemesis`. */
  readonly isClient: boolean;
  readonly process: string;
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly f: string;
  readonly value: unknown;
  readonly key?: unknown;
  readonly error?: string;
}

export interface JepsenWriteOptions {
  /** The adapter of an object; undefined for the default adapter. */
  readonly jepsen?: ((object: string | undefined) => JepsenNames | undefined) | undefined;
  /** Write each value as `[object value]`: each object is a key. */
  readonly independent?: boolean | undefined;
}

/**
 * Encodes operations as Jepsen events: the invocation and the completion.
 *
 * The adapter determines the encoding, and each event is decoded again to verify that it means the
 * same call and result. Operations without an encoding are errors that name the operation: one that
 * threw, a process that is not an integer, `after` edges.
 */
class JepsenEncoder {
  readonly #history: History;
  readonly #options: JepsenWriteOptions;

  constructor(history: History, options: JepsenWriteOptions) {
    this.#history = history;
    this.#options = options;
  }

  call(k: number): EncodedEvent {
    const { after, process } = this.#history.columns;
    const name = this.#history.tables.processes[process[k]];
    if (!/^(0|-?[1-9]\d*)$/.test(name))
      throw this.#error(k, `process ${show(name)} is not an integer, which Jepsen requires`);
    if (after && after.start[k] < after.start[k + 1])
      throw this.#error(k, 'it has "after", which Jepsen cannot express');
    return this.#event(k, 'invoke', undefined);
  }

  end(k: number): EncodedEvent {
    const { return: returned } = this.#history.columns;
    const outcome = this.#history.outcome(k);
    if (outcome.kind === 'failed' || outcome.kind === 'pending') {
      const type = outcome.kind === 'failed' ? 'fail' : 'info';
      return {
        ...this.#event(k, type, undefined),
        ...(outcome.reason !== undefined && { error: outcome.reason }),
      };
    }
    if (returned[k] === NEVER) return { ...this.#event(k, 'info', undefined), error: 'it returned later' };
    if (outcome.kind === 'threw')
      throw this.#error(k, `it threw ${show(outcome.error)}, which Jepsen cannot express`);
    return this.#event(k, 'ok', { result: outcome.value });
  }

  /** True if a call without a return still has an outcome or a reason to write. */
  hasUnwrittenEnd(k: number): boolean {
    const { status, result } = this.#history.columns;
    return status[k] !== PENDING || result[k] >= 0;
  }

  #event(
    k: number,
    type: EncodedEvent['type'],
    outcome: { readonly result: unknown } | undefined,
  ): EncodedEvent {
    const { columns, tables } = this.#history;
    const object = tables.objects[columns.object[k]];
    const adapter = adapterOf(this.#options.jepsen?.(object));
    const { method, args, process } = this.#history.at(k);
    const encoded = adapter.event(method, args, outcome);
    if (!encoded || !this.#decodesTo(k, adapter, encoded, outcome !== undefined))
      throw this.#error(
        k,
        `${outcome ? `the result ${show(outcome.result)}` : 'the call'} cannot be expressed in a Jepsen history`,
      );
    const { independent } = this.#options;
    if (independent !== true && object !== undefined)
      throw this.#error(
        k,
        `it calls object ${show(object)}; write objects as independent keys (--independent)`,
      );
    if (independent && object === undefined)
      throw this.#error(k, 'it has no object, which independent keys require');
    return {
      isClient: true,
      process,
      type,
      ...encoded,
      ...(independent && { value: [object, encoded.value] }),
    };
  }

  /** True if decoding the event gives the operation again. */
  #decodesTo(
    k: number,
    adapter: JepsenAdapter,
    { f, value, key }: NonNullable<ReturnType<JepsenAdapter['event']>>,
    isReturn: boolean,
  ): boolean {
    const { columns, tables } = this.#history;
    const args = this.#history.args(k);
    try {
      if (isReturn) return tables.values.find(adapter.result(f, value, args)) === columns.result[k];
      const call = adapter.call(f, value, key);
      const isArgument = (own: unknown, i: number) =>
        tables.values.find(own) === columns.argument[columns.argumentStart[k] + i];
      return (
        call?.method === tables.methods[columns.method[k]] &&
        call.args.length === args.length &&
        call.args.every(isArgument)
      );
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  #error(k: number, why: string): WriteError {
    return createWriteError(this.#history, k, why);
  }
}

/*
 * Writes values as EDN that is read back as the same value.
 *
 * The reader does not distinguish some EDN values (`:a` and "a", 5 and 5N, maps with keywords and
 * with strings). A few JavaScript values therefore have no EDN form and are rejected:
 *
 *   undefined, functions, typed arrays, instances of classes
 *   5n                                a bigint that a double represents: 5N is read as 5
 *   new Map([['a', 1]]), new Map()    a Map with only string keys: it is read as an object
 *
 * Strings are escaped as in JSON, whose escapes are valid in EDN.
 */

/** Strings that are unambiguous as keywords. */
const KEYWORD = /^[A-Za-z_][\w.*+!?<>=-]*$/;

/** Writes a value as EDN; throws a TypeError if it has no EDN form. */
export function writeEdn(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'number':
      return writeNumber(value);
    case 'bigint':
      if (value < Number.MIN_SAFE_INTEGER || value > Number.MAX_SAFE_INTEGER) return `${value}N`;
      throw noEdnForm(`${value}n`);
    case 'object':
      return value === null ? 'nil' : writeObject(value);
  }
  throw noEdnForm(show(value));
}

/** Writes a keyword if possible, otherwise a string; both are read as the same value. */
export const writeWord = (text: string): string => (KEYWORD.test(text) ? `:${text}` : JSON.stringify(text));

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return '##NaN';
  if (!Number.isFinite(value)) return value > 0 ? '##Inf' : '##-Inf';
  // an exponent keeps a large number a double
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function writeObject(value: object): string {
  if (Array.isArray(value)) return `[${Array.from(value, writeEdn).join(' ')}]`;
  if (value instanceof Set) return `#{${Array.from(value, writeEdn).join(' ')}}`;
  if (value instanceof Map && [...value.keys()].some((key) => typeof key !== 'string'))
    return `{${Array.from(value, ([key, own]) => `${writeEdn(key)} ${writeEdn(own)}`).join(', ')}}`;
  if (value instanceof Date && /^\d{4}-/.test(timeOf(value))) return `#inst ${JSON.stringify(timeOf(value))}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw noEdnForm(show(value));
  return `{${Object.entries(value)
    .map(([name, own]) => `${writeWord(name)} ${writeEdn(own)}`)
    .join(', ')}}`;
}

const timeOf = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

const noEdnForm = (shown: string): TypeError => new TypeError(`${shown} has no EDN form`);

/**
 * Yields a history as lines of Jepsen EDN, one per event.
 *
 * @example
 * const edn = [...writeJepsenEdn(sketch('0  |- read() -> 1 -|'))].join('');
 */
export function* writeJepsenEdn(history: History, options: JepsenWriteOptions = {}): Generator<string> {
  for (const [event, k] of jepsenEvents(history, options)) {
    let text: string;
    try {
      text = ednOf(event);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw k === undefined ? new WriteError(error.message) : createWriteError(history, k, error.message);
    }
    yield text;
  }
}

function ednOf({ isClient, process, type, f, key, value, error }: EncodedEvent): string {
  const name = isClient ? process : writeWord(process);
  const keyField = key === undefined ? '' : `, :key ${writeEdn(key)}`;
  const errorField = error === undefined ? '' : `, :error ${writeWord(error)}`;
  return `{:process ${name}, :type :${type}, :f ${writeWord(f)}${keyField}, :value ${writeEdn(value)}${errorField}}\n`;
}

/** An event and its operation; an annotation has none. */
type OperationEvent = readonly [event: EncodedEvent, k: number | undefined];

function* jepsenEvents(history: History, options: JepsenWriteOptions): Generator<OperationEvent> {
  if (history.stuck) throw new WriteError('the history is stuck, which Jepsen cannot express');
  const { events, process, return: returned } = history.columns;
  const encoder = new JepsenEncoder(history, options);
  const annotations = history.annotations
    .flatMap(({ text, moment, until }) => [
      { text, moment },
      ...(until === undefined ? [] : [{ text: `${text} over`, moment: until }]),
    ])
    .sort((a, b) => a.moment - b.moment);
  let written = 0;
  /** Process to its open call. */
  const open = new Map<number, number>();

  for (let m = 0; m <= events.length; m++) {
    for (; written < annotations.length && annotations[written].moment <= m; written++)
      yield [annotationEvent(annotations[written].text), undefined];
    if (m === events.length) break;
    const k = events[m] >= 0 ? events[m] : ~events[m];
    if (events[m] < 0) {
      yield [encoder.end(k), k];
      open.delete(process[k]);
      continue;
    }
    // a process that calls again has abandoned its open call
    const before = open.get(process[k]);
    if (before !== undefined) {
      if (returned[before] !== NEVER)
        throw createWriteError(history, k, 'it is called while another call of its process is open');
      yield [encoder.end(before), before];
    }
    yield [encoder.call(k), k];
    open.set(process[k], k);
  }
  for (const k of open.values()) if (encoder.hasUnwrittenEnd(k)) yield [encoder.end(k), k];
}

/** An annotation is an event of a process that is no client: its first word names the process. */
function annotationEvent(text: string): EncodedEvent {
  const space = text.indexOf(' ');
  if (space < 0)
    throw new WriteError(
      `the annotation ${show(text)} is one word; expected a process and an action: "nemesis ${text}"`,
    );
  const [process, f] = [text.slice(0, space), text.slice(space + 1)];
  return { isClient: false, process, type: 'info', f, value: null };
}
