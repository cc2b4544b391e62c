/**
 * The fields of one record, and how to read each of them, or an error that names the field.
 *
 * Times stay as they are written where a number would round them.
 */
import { JsonError, JsonReader, parseJson } from '../../base/values/json-reader.js';
import { untag } from '../../base/values/json-values.js';
import { show } from '../../base/values/show.js';
import type { Timestamp } from '../../history/model/timestamps.js';

export type Fields = Record<string, unknown>;

/** A line that is no record; `field` is where, if it is one field's fault. */
export class RecordError extends Error {
  readonly field: string | undefined;
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

const TIMES = new Set(['call', 'return', 'at']);
/** A time that `JSON.parse` may round to an integer. */
const DECIMAL_TIME = /"(?:call|return|at)"\s*:\s*-?\d+\./;
const MOST_DIGITS = 30;

/** The fields of a line; the times among them as they are written, where a number would round them. */
export function readFields(line: string): Fields {
  const hasDecimalTime = line.includes('.') && DECIMAL_TIME.test(line);
  const fields = hasDecimalTime ? parseExactly(line) : parseJson(line, parseExactly);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new RecordError(`${show(fields)} stands here; expected an object {…}`);
  return line.includes('$') && line.includes('"$"') ? withTags(fields as Fields) : (fields as Fields);
}

/** Numbers that are too large to hold are not taken for infinity. */
function checkFinite(fields: Fields): void {
  for (const name in fields)
    if (!TIMES.has(name) && hasInfinity(fields[name]))
      throw new RecordError('a number too large to hold; expected one below 1.8e308', name);
}

export function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** The fields, with the values that tags in their args and result stand for. */
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

/** What does not go on to its end may do so in the next line, or nowhere. */
function parseExactly(line: string): unknown {
  try {
    return exactFields(line);
  } catch (error) {
    if (!(error instanceof JsonError) || error.position < line.length) throw error;
    throw new JsonError(`${error.message}: ${NOT_WHOLE}`, error.position);
  }
}

const NOT_WHOLE =
  'the line is cut off, or its record goes on in the next one; write each record in one line, or leave this one out';

function exactFields(line: string): unknown {
  const reader = new JsonReader(line);
  reader.skipSpace();
  if (line[reader.position] !== '{') return reader.document();
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

/** Where a field's value stands in a line, from 0; the start where it is not to be found. */
export function columnOf(line: string, field: string | undefined): number {
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

/** A time that a number would round, marked so that no other field can be taken for one. */
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
  if (process === undefined) throw new RecordError('no "process"; expected who calls');
  if (!isId(process))
    throw new RecordError(`${show(process)} as "process"; expected a name or a whole number`, 'process');
  return String(process);
}

export function readText(fields: Fields, name: string): string {
  const text = optionalText(fields, name);
  if (text === undefined) throw new RecordError(`no "${name}"; expected a text`);
  return text;
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const text = fields[name];
  if (text !== undefined && typeof text !== 'string')
    throw new RecordError(`${show(text)} as "${name}"; expected a text`, name);
  return text;
}

export function readTime(fields: Fields, name: string): Timestamp | undefined {
  const time = fields[name];
  if (time === undefined || Number.isInteger(time)) return time as number | undefined;
  // a decimal stays as it is written: its nearest number may be later than 1.1000000000000000001 is
  if (typeof time === 'number' && Number.isFinite(time)) return String(time);
  if (!(time instanceof ExactTime || typeof time === 'bigint'))
    throw new RecordError(`${show(time)} as "${name}"; expected a number, the time of one clock`, name);
  const text = String(time);
  const digits = text.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length;
  if (digits > MOST_DIGITS)
    throw new RecordError(`a time of ${digits} digits as "${name}"; expected at most ${MOST_DIGITS}`, name);
  if (!Number.isFinite(Number(text)))
    throw new RecordError(`${text} as "${name}"; expected a finite time`, name);
  return text;
}

export function readId({ id }: Fields): string | undefined {
  if (id !== undefined && !isId(id))
    throw new RecordError(`${show(id)} as "id"; expected a text or a whole number`, 'id');
  return id === undefined ? undefined : String(id);
}

export const isId = (id: unknown): boolean =>
  typeof id === 'string' || typeof id === 'bigint' || Number.isInteger(id);
