/**
 * One line of our format, as one of four kinds of record, or an error that names
 * the field: docs/history-format.md is the definition.
 *
 * A field that no record has is an error, not ignored: a misspelt "retrun" would
 * silently turn an operation that returned into one that may never have happened.
 */
import { JsonError, JsonReader, show, untag } from '../../base/index.js';
import type { Outcome, Stamp } from '../../history/index.js';

export interface CallFields {
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly object: string | undefined;
  readonly id: string | undefined;
  readonly after: readonly string[] | undefined;
  /** With an id, a process may have several calls open. */
  readonly overlapping: boolean;
}
export type LineRecord =
  | (CallFields & {
      readonly kind: 'operation';
      readonly outcome: Outcome;
      readonly call: Stamp;
      readonly return: Stamp | undefined;
    })
  | (CallFields & { readonly kind: 'call' })
  | {
      readonly kind: 'end';
      readonly process: string;
      readonly object: string | undefined;
      readonly id: string | undefined;
      readonly outcome: Outcome;
    }
  | { readonly kind: 'annotation'; readonly text: string; readonly at: Stamp | undefined }
  | { readonly kind: 'stuck' };

/** A line that is no record; `field` is where, if it is one field's fault. */
export class RecordError extends Error {
  readonly field: string | undefined;
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

type Fields = Record<string, unknown>;

const CALL_FIELDS = ['process', 'method', 'args', 'object', 'id', 'after', 'meta'];
const FIELDS = {
  operation: new Set([...CALL_FIELDS, 'result', 'threw', 'failed', 'unknown', 'call', 'return']),
  call: new Set([...CALL_FIELDS, 'type']),
  return: new Set(['type', 'process', 'object', 'id', 'result', 'meta']),
  throw: new Set(['type', 'process', 'object', 'id', 'threw', 'meta']),
  failed: new Set(['type', 'process', 'object', 'id', 'failed', 'meta']),
  unknown: new Set(['type', 'process', 'object', 'id', 'unknown', 'meta']),
  annotation: new Set(['annotation', 'at', 'meta']),
  stuck: new Set(['stuck']),
} as const;
const TIMES = new Set(['call', 'return', 'at']);
const OUTCOMES = ['result', 'threw', 'failed', 'unknown'] as const;
/** A time that `JSON.parse` may round to an integer. */
const DECIMAL_TIME = /"(?:call|return|at)"\s*:\s*-?\d+\./;
const MOST_DIGITS = 30;
const END_TYPES = ['return', 'throw', 'failed', 'unknown'] as const;
/** Fewer than the levels that a value may have. */
const MANY_BRACKETS = 900;

export function readRecord(line: string): LineRecord {
  const fields = parse(line);
  if (Object.hasOwn(fields, 'type')) return readEvent(fields);
  if (Object.hasOwn(fields, 'annotation')) return readAnnotation(fields);
  if (Object.hasOwn(fields, 'stuck')) return readStuck(fields);
  return readOperation(fields);
}

/** The fields of a line; the times among them as they are written, where a number would round them. */
function parse(line: string): Fields {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch {
    fields = parseExactly(line);
  }
  if (mayBeDeep(line) || hasRounded(fields) || (line.includes('.') && DECIMAL_TIME.test(line)))
    fields = parseExactly(line);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new RecordError(`${show(fields)} stands here; expected an object {…}`);
  return line.includes('"$"') ? withTags(fields as Fields) : (fields as Fields);
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

/** Is there an integer, at any depth, that `JSON.parse` has rounded? */
function hasRounded(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value));
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (hasRounded(value[i])) return true;
    return false;
  }
  for (const name in value)
    if (typeof (value as Fields)[name] !== 'string' && hasRounded((value as Fields)[name])) return true;
  return false;
}

/** `JSON.parse` reads values of any depth; only the exact reader says where one is too deep. */
const mayBeDeep = (line: string): boolean =>
  line.length > 2 * MANY_BRACKETS && line.split(/[[{]/, MANY_BRACKETS + 1).length > MANY_BRACKETS;

function parseExactly(line: string): unknown {
  const reader = new JsonReader(line);
  reader.skipSpace();
  if (line[reader.position] !== '{') return reader.document();
  const fields = reader.fields((name) => {
    const isTime = TIMES.has(name) && /[-\d]/.test(line[reader.position] ?? '');
    return isTime ? exactTime(reader.number()) : reader.value();
  });
  reader.skipSpace();
  if (reader.position < line.length) reader.fail('the end of the line');
  return Object.fromEntries(fields);
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
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const exactTime = (text: string): number | ExactTime =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : new ExactTime(text);

function readOperation(fields: Fields): LineRecord {
  checkNames(fields, 'operation');
  const call = readCall(fields);
  const start = readTime(fields, 'call');
  if (start === undefined) throw new RecordError('an operation without "call", the time of its call');
  const end = readTime(fields, 'return');
  const outcome = readOutcome(fields, end !== undefined);
  if (end === undefined && (outcome.kind === 'returned' || outcome.kind === 'threw')) {
    const field = outcome.kind === 'threw' ? 'threw' : 'result';
    throw new RecordError(`"${field}" without "return", the time of the return`, field);
  }
  return { kind: 'operation', ...call, outcome, call: start, return: end };
}

function readOutcome(fields: Fields, returned: boolean): Outcome {
  let given: (typeof OUTCOMES)[number] | undefined;
  for (const name of OUTCOMES) {
    if (!Object.hasOwn(fields, name)) continue;
    if (given) throw new RecordError(`both "${given}" and "${name}"; an operation ends in one way`, name);
    given = name;
  }
  switch (given) {
    case 'threw':
      return { kind: 'threw', error: readText(fields, 'threw') };
    case 'failed':
      return { kind: 'failed', ...reasonOf(fields.failed === true ? undefined : readText(fields, 'failed')) };
    case 'unknown':
      return { kind: 'pending', reason: readText(fields, 'unknown') };
    case 'result':
      return { kind: 'returned', value: fields.result };
    default:
      return returned ? { kind: 'returned', value: null } : { kind: 'pending' };
  }
}

function readEvent(fields: Fields): LineRecord {
  const { type } = fields;
  if (type === 'call') {
    checkNames(fields, 'call');
    return { kind: 'call', ...readCall(fields) };
  }
  const end = END_TYPES.find((name) => name === type);
  if (!end)
    throw new RecordError(
      `${show(type)} is no type of event; expected "call", "return", "throw", "failed" or "unknown"`,
      'type',
    );
  checkNames(fields, end);
  const place = { process: readProcess(fields), object: optionalText(fields, 'object'), id: readId(fields) };
  const outcome: Outcome =
    end === 'return'
      ? { kind: 'returned', value: Object.hasOwn(fields, 'result') ? fields.result : null }
      : end === 'throw'
        ? { kind: 'threw', error: readText(fields, 'threw') }
        : { kind: end === 'failed' ? 'failed' : 'pending', ...reasonOf(optionalText(fields, end)) };
  return { kind: 'end', ...place, outcome };
}

function readCall(fields: Fields): CallFields {
  const { after } = fields;
  const args = Object.hasOwn(fields, 'args') ? fields.args : [];
  if (!Array.isArray(args)) throw new RecordError(`${show(args)} as "args"; expected a list [ … ]`, 'args');
  if (after !== undefined && !(Array.isArray(after) && after.every(isId)))
    throw new RecordError(`${show(after)} as "after"; expected a list of ids`, 'after');
  const id = readId(fields);
  return {
    process: readProcess(fields),
    method: readText(fields, 'method'),
    args,
    object: optionalText(fields, 'object'),
    id,
    after: after?.map(String),
    overlapping: id !== undefined,
  };
}

function readAnnotation(fields: Fields): LineRecord {
  checkNames(fields, 'annotation');
  return { kind: 'annotation', text: readText(fields, 'annotation'), at: readTime(fields, 'at') };
}

function readStuck(fields: Fields): LineRecord {
  checkNames(fields, 'stuck');
  if (fields.stuck !== true)
    throw new RecordError(`${show(fields.stuck)} as "stuck"; expected true`, 'stuck');
  return { kind: 'stuck' };
}

function checkNames(fields: Fields, kind: keyof typeof FIELDS): void {
  const known: ReadonlySet<string> = FIELDS[kind];
  for (const name in fields)
    if (!known.has(name))
      throw new RecordError(
        `${show(name)} is no field of ${kindName(kind)}; expected ${[...known].join(', ')}`,
        name,
      );
}

const kindName = (kind: keyof typeof FIELDS): string =>
  kind === 'operation' || kind === 'annotation' ? `an ${kind}` : `a "${kind}" line`;

function readProcess(fields: Fields): string {
  const { process } = fields;
  if (process === undefined) throw new RecordError('no "process"; expected who calls');
  if (!isId(process))
    throw new RecordError(`${show(process)} as "process"; expected a name or a whole number`, 'process');
  return String(process);
}

function readText(fields: Fields, name: string): string {
  const text = optionalText(fields, name);
  if (text === undefined) throw new RecordError(`no "${name}"; expected a text`);
  return text;
}

function optionalText(fields: Fields, name: string): string | undefined {
  const text = fields[name];
  if (text !== undefined && typeof text !== 'string')
    throw new RecordError(`${show(text)} as "${name}"; expected a text`, name);
  return text;
}

function readTime(fields: Fields, name: string): Stamp | undefined {
  const time = fields[name];
  if (time === undefined || Number.isInteger(time)) return time as number | undefined;
  // a decimal stays as it is written: its nearest number may be later than 1.1000000000000000001 is
  if (typeof time === 'number') return String(time);
  if (!(time instanceof ExactTime))
    throw new RecordError(`${show(time)} as "${name}"; expected a number, the time of one clock`, name);
  const { text } = time;
  const digits = text.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length;
  if (digits > MOST_DIGITS)
    throw new RecordError(`a time of ${digits} digits as "${name}"; expected at most ${MOST_DIGITS}`, name);
  if (!Number.isFinite(Number(text)))
    throw new RecordError(`${text} as "${name}"; expected a finite time`, name);
  return text;
}

function readId({ id }: Fields): string | undefined {
  if (id !== undefined && !isId(id))
    throw new RecordError(`${show(id)} as "id"; expected a text or a whole number`, 'id');
  return id === undefined ? undefined : String(id);
}

const isId = (id: unknown): boolean =>
  typeof id === 'string' || typeof id === 'bigint' || Number.isInteger(id);

const reasonOf = (reason: string | undefined): { reason?: string } =>
  reason === undefined ? {} : { reason };
