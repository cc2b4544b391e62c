/** A simulated history as text, in the formats that straightedge reads. */
import { type Moment, moments, type Simulated, type Subject } from './workload.js';

export type Notation =
  | 'lines'
  | 'lines-since-1970'
  | 'lines-since-1970-text'
  | 'array'
  | 'ids'
  | 'edn'
  | 'edn-time'
  | 'edn-vector'
  | 'jepsen-json'
  | 'jepsen-json-time';

/** The notation with the same records as JSON lines. */
export const SAME_AS_JSON: Readonly<Record<Notation, Notation>> = {
  lines: 'lines',
  'lines-since-1970': 'lines-since-1970',
  'lines-since-1970-text': 'lines-since-1970-text',
  array: 'lines',
  ids: 'ids',
  edn: 'jepsen-json',
  'edn-time': 'jepsen-json-time',
  'edn-vector': 'jepsen-json',
  'jepsen-json': 'jepsen-json',
  'jepsen-json-time': 'jepsen-json-time',
};

/** Texts of many records each: many small texts would be slow to write. */
const MANY = 1 << 16;

export function* textOf(
  notation: Notation,
  subject: Subject,
  operations: number,
  violating: boolean,
): Generator<string> {
  const [open, between, close] =
    { array: ['[', ',\n', ']\n'], 'edn-vector': ['[', '\n', ']\n'] }[notation as string] ?? [];
  let text = open ?? '';
  let records = 0;
  const record = RECORDS[notation]();
  for (const moment of moments(subject, { operations, processes: 8, seed: 1, violating })) {
    const own = record(moment);
    if (own === undefined) continue;
    text += records++ > 0 && between !== undefined ? between + own : own;
    if (between === undefined) text += '\n';
    if (text.length < MANY) continue;
    yield text;
    text = '';
  }
  yield text + (close ?? '');
}

type Writer = (moment: Moment) => string | undefined;

const whole: Writer = ({ isCall, operation }) => (isCall ? undefined : JSON.stringify(operation));

/** Times in nanoseconds since 1970, which exceed 2^53. */
const START = 1_767_225_600_000_000_000n;

const since1970 =
  (quote: string): Writer =>
  (moment) =>
    whole(moment)?.replace(
      /("(?:call|return)":)(\d+)/g,
      (_, name: string, time: string) => `${name}${quote}${START + 1_721n * BigInt(time)}${quote}`,
    );

/** Events of the JSON format; each call has an id. */
const event: Writer = ({ isCall, operation: { process, method, args, result, call } }) =>
  JSON.stringify(
    isCall
      ? { type: 'call', process, method, args, id: call }
      : { type: 'return', process, result, id: call },
  );

function jepsen(
  write: (process: string, type: string, operation: Simulated, value: unknown, index: number) => string,
): Writer {
  let index = 0;
  return ({ isCall, operation }) => {
    const { process, method, args, result } = operation;
    const type = isCall ? 'invoke' : method === 'cas' && result === false ? 'fail' : 'ok';
    const asked = args.length < 2 ? (args[0] ?? null) : args;
    return write(process.slice(1), type, operation, method === 'read' ? (result ?? null) : asked, index++);
  };
}

/** In nanoseconds. */
const timeOf = (index: number): number => 3_291_485_000 + 1_721 * index;

const ednValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.join(' ')}]` : value === null ? 'nil' : String(value);

const edn = (): Writer =>
  jepsen(
    (process, type, { method }, value) =>
      `{:process ${process}, :type :${type}, :f :${method}, :value ${ednValue(value)}}`,
  );

const RECORDS: Readonly<Record<Notation, () => Writer>> = {
  lines: () => whole,
  'lines-since-1970': () => since1970(''),
  'lines-since-1970-text': () => since1970('"'),
  array: () => whole,
  ids: () => event,
  edn,
  'edn-vector': edn,
  'edn-time': () =>
    jepsen(
      (process, type, { method }, value, index) =>
        `{:process ${process}, :type :${type}, :f :${method}, :value ${ednValue(value)}, :time ${timeOf(index)}, :index ${index}}`,
    ),
  'jepsen-json-time': () =>
    jepsen(
      (process, type, { method }, value, index) =>
        `{"process":${process},"type":"${type}","f":"${method}","value":${JSON.stringify(value)},"time":${timeOf(index)},"index":${index}}`,
    ),
  'jepsen-json': () =>
    jepsen(
      (process, type, { method }, value) =>
        `{"process":${process},"type":"${type}","f":"${method}","value":${JSON.stringify(value)}}`,
    ),
};
