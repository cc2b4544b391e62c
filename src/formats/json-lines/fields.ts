/**
 * The fields of one record, with readers that report the faulty field.
 *
 * Times are kept as text if a double would round them.
 */
import { JsonError, JsonReader, parseJson, readDocument } from '../../base/values/json-reader.js';
import { untag } from '../../base/values/json-values.js';
import { show } from '../../base/values/show.js';
import type { Timestamp } from '../../history/model/timestamps.js';
import { READ_PARTIAL } from '../common/reader.js';

export type Fields = Record<string, unknown>;

/** A line that is not a valid record; `field` is the faulty field, if there is one. */
export class RecordError extends Error {
  readonly field: string | undefined;
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

const TIMES = new Set(['call', 'return', 'at']);
/** A decimal time, which `JSON.parse` may round. */
const DECIMAL_TIME = /"(?:call|return|at)"\s*:\s*-?\d+\./;
const MAX_DIGITS = 30;

/** Reads the fields of a line; times that a double would round are kept as text. */
export function readFields(line: string): Fields {
  const hasDecimalTime = line.includes('.') && DECIMAL_TIME.test(line);
  const fields = hasDecimalTime ? parseExactly(line) : parseJson(line, parseExactly);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new RecordError(`expected an object {…}, found ${show(fields)}`);
  return line.includes('$') && line.includes('"$"') ? withTags(fields as Fields) : (fields as Fields);
}

/** Rejects numbers that are too large for a double instead of reading them as infinity. */
function checkFinite(fields: Fields): void {
  for (const name in fields)
    if (!TIMES.has(name) && hasInfinity(fields[name]))
      throw new RecordError('the number is too large; expected one below 1.8e308', name);
}

export function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** Decodes tagged values in args and result. */
function withTags(fields: Fields): Fields {
  for (const name of ['args', 'result']) {
    if (!Object.hasOwn(fields, name)) continue;
    try {
      fields[name] = untag(fields[name]);
    } catch (error) {
      throw new RecordError((error as Error).message, name);
    }
  }
  return fields;
}

/** Adds advice if the line ends inside its record. */
function parseExactly(line: string): unknown {
  try {
    return exactFields(line);
  } catch (error) {
    if (!(error instanceof JsonError) || error.position < line.length) throw error;
    throw new JsonError(`${error.message}: ${NOT_WHOLE}`, error.position);
  }
}

const NOT_WHOLE = `the line is cut off, or its record continues on the next line; write each record on one line, or remove this one; ${READ_PARTIAL}`;

function exactFields(line: string): unknown {
  const reader = new JsonReader(line);
  reader.skipSpace();
  if (line[reader.position] !== '{') return readDocument(reader);
  const fields = reader.fields((name) => {
    const isTime = TIMES.has(name) && /[-\d]/.test(line[reader.position] ?? '');
    return isTime ? exactTime(reader.number()) : reader.value();
  });
  reader.skipSpace();
  if (reader.position < line.length) reader.fail('the end of the line');
  const exact = Object.fromEntries(fields);
  checkFinite(exact);
  return exact;
}

/** The offset of a field's value in a line; 0 if it is not found. */
export function offsetOfField(line: string, field: string | undefined): number {
  const reader = new JsonReader(line);
  let column = 0;
  try {
    reader.fields((name) => {
      if (name === field) column = reader.position;
      return reader.value();
    });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return column;
}

/** A time that a double would round, as text; a class, so that other fields cannot be mistaken for it. */
class ExactTime {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}
const exactTime = (text: string): number | ExactTime =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : new ExactTime(text);

export function readProcess(fields: Fields): string {
  const { process } = fields;
  if (process === undefined) throw new RecordError('missing "process"; expected the name of the caller');
  if (!isId(process))
    throw new RecordError(`invalid "process" ${show(process)}; expected a name or an integer`, 'process');
  return String(process);
}

export function readText(fields: Fields, name: string): string {
  const text = optionalText(fields, name);
  if (text === undefined) throw new RecordError(`missing "${name}"; expected a string`);
  return text;
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const text = fields[name];
  if (text !== undefined && typeof text !== 'string')
    throw new RecordError(`invalid "${name}" ${show(text)}; expected a string`, name);
  return text;
}

export function readTime(fields: Fields, name: string): Timestamp | undefined {
  const time = fields[name];
  if (time === undefined || Number.isInteger(time)) return time as number | undefined;
  if (isDate(time)) return nanosecondsOf(time, name);
  // a decimal is kept as text: the nearest double may be later than 1.1000000000000000001
  if (typeof time === 'number' && Number.isFinite(time)) return String(time);
  const isWritten = time instanceof ExactTime || typeof time === 'bigint' || isNumberText(time);
  if (!isWritten)
    throw new RecordError(
      `invalid "${name}" ${show(time)}; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"`,
      name,
    );
  const text = String(time);
  const digits = text.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length;
  if (digits > MAX_DIGITS)
    throw new RecordError(`"${name}" has ${digits} digits; expected at most ${MAX_DIGITS}`, name);
  if (!Number.isFinite(Number(text)))
    throw new RecordError(`invalid "${name}" ${text}; expected a finite time`, name);
  // `1.50` is the time 1.5
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** Is a time written as a date (ISO 8601), not as a number? */
export const isDate = (time: unknown): time is string => typeof time === 'string' && /^\d{4}-\d/.test(time);

const DATE = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?([Zz]|[+-]\d\d:?\d\d)$/;

/** A date as nanoseconds since 1970. It needs a time zone: without one, its meaning depends on the machine that reads it. */
function nanosecondsOf(date: string, name: string): string {
  const [, day, time, fraction = '', zone] = DATE.exec(date) ?? [];
  const whole = Date.parse(`${day}T${time}Z`);
  // Date.parse accepts 30 February as 1 March, and 24:00:00
  if (Number.isNaN(whole) || new Date(whole).toISOString() !== `${day}T${time}.000Z`)
    throw new RecordError(
      `invalid "${name}" ${show(date)}; expected a date with a time zone, such as "2024-01-31T12:30:00.25Z" or "2024-01-31T13:30:00+01:00"`,
      name,
    );
  const [hours, minutes] = zone.length < 5 ? [0, 0] : [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  const offset = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return String(BigInt(whole - offset) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
}

/** A number in quotes: encoders write 64-bit integers so. */
const isNumberText = (time: unknown): boolean =>
  typeof time === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(time);

export function readId({ id }: Fields): string | undefined {
  if (id !== undefined && !isId(id))
    throw new RecordError(`invalid "id" ${show(id)}; expected a string or an integer`, 'id');
  return id === undefined ? undefined : String(id);
}

export const isId = (id: unknown): boolean =>
  typeof id === 'string' || typeof id === 'bigint' || Number.isInteger(id);
