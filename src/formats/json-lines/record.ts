/**
 * Validates one line of our format as one of five kinds of record; docs/reference/history-format.md
 * is the definition.
 *
 * Unknown fields are errors: a misspelt "retrun" would silently turn a returned operation into a
 * pending one.
 */
import { GrowingBytes, GrowingInts } from '../../base/collections/growing.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import type { Timestamp } from '../../history/model/timestamps.js';
import {
  type Fields,
  isId,
  optionalText,
  RecordError,
  readFields,
  readId,
  readProcess,
  readText,
  readTime,
} from './fields.js';

/*
 * The ids of a file, each used once, and their entries.
 *
 * Most ids are integers, and a file may have millions: an integer takes 20 bytes, a string about a
 * hundred. An integer and its decimal text are the same id.
 */

const SHORT_NUMBER = /^(?:0|-?[1-9]\d{0,8})$/;
const SHORT = 1_000_000_000;

export class Ids {
  readonly #ids = new Interner();
  /** Id number to its entry, or -1. */
  readonly #entry = new GrowingInts();
  /** Id number to 1 if its call has ended. */
  readonly #ended = new GrowingBytes();
  /** The number of assigned ids. */
  size = 0;

  /** The number of an id, assigned or not. */
  number(id: string | number): number {
    const number = this.#ids.intern(keyOf(id));
    if (number === this.#entry.length) {
      this.#entry.push(-1);
      this.#ended.push(0);
    }
    return number;
  }

  name(number: number): string {
    return String(this.#ids.values[number]);
  }

  /** The entry of an id, or -1. */
  entry(number: number): number {
    return this.#entry.at(number);
  }

  /** Assigns an unused id to an entry. */
  assign(number: number, entry: number): void {
    this.#entry.set(number, entry);
    this.size++;
  }

  hasEnded(number: number): boolean {
    return this.#ended.at(number) === 1;
  }

  end(number: number): void {
    this.#ended.set(number, 1);
  }
}

function keyOf(id: string | number): number | string {
  if (typeof id === 'number' && id > -SHORT && id < SHORT) return id;
  const text = String(id);
  return SHORT_NUMBER.test(text) ? Number(text) : text;
}

export interface CallFields {
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly object: string | undefined;
  readonly id: string | undefined;
  readonly after: readonly string[] | undefined;
  /** With an id, a process may have several open calls. */
  readonly overlapping: boolean;
}
export type LineRecord =
  | (CallFields & {
      readonly kind: 'operation';
      readonly outcome: Outcome;
      readonly call: Timestamp;
      readonly return: Timestamp | undefined;
    })
  | (CallFields & { readonly kind: 'call' })
  | {
      readonly kind: 'end';
      readonly process: string;
      readonly object: string | undefined;
      readonly id: string | undefined;
      readonly outcome: Outcome;
    }
  | { readonly kind: 'annotation'; readonly text: string; readonly at: Timestamp | undefined }
  | { readonly kind: 'stuck' };

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
const OUTCOMES = ['result', 'threw', 'failed', 'unknown'] as const;
const END_TYPES = ['return', 'throw', 'failed', 'unknown'] as const;

export const readRecord = (line: string): LineRecord => toRecord(readFields(line));

export function toRecord(fields: Fields): LineRecord {
  if ('type' in fields) return readEvent(fields);
  if ('annotation' in fields) return readAnnotation(fields);
  if ('stuck' in fields) return readStuck(fields);
  return readOperation(fields);
}

function readOperation(fields: Fields): LineRecord {
  checkNames(fields, 'operation');
  const call = readCall(fields);
  const start = readTime(fields, 'call');
  if (start === undefined) throw new RecordError('missing "call", the time of the call');
  const end = readTime(fields, 'return');
  const outcome = readOutcome(fields, end !== undefined);
  if (end === undefined && (outcome.kind === 'returned' || outcome.kind === 'threw')) {
    const field = outcome.kind === 'threw' ? 'threw' : 'result';
    throw new RecordError(`"${field}" without "return", the time of the return`, field);
  }
  return { kind: 'operation', ...call, outcome, call: start, return: end };
}

function readOutcome(fields: Fields, returned: boolean): Outcome {
  const [threw, failed, unknown] = ['threw' in fields, 'failed' in fields, 'unknown' in fields];
  if (threw || failed || unknown) checkOneOutcome(fields);
  if (threw) return { kind: 'threw', error: readText(fields, 'threw') };
  if (failed)
    return { kind: 'failed', ...reasonOf(fields.failed === true ? undefined : readText(fields, 'failed')) };
  if (unknown) return { kind: 'pending', reason: readText(fields, 'unknown') };
  if ('result' in fields) return { kind: 'returned', value: fields.result };
  return returned ? { kind: 'returned', value: null } : { kind: 'pending' };
}

function checkOneOutcome(fields: Fields): void {
  const [given, another] = OUTCOMES.filter((name) => name in fields);
  if (another !== undefined)
    throw new RecordError(`both "${given}" and "${another}"; an operation has one outcome`, another);
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
      `unknown event type ${show(type)}; expected "call", "return", "throw", "failed" or "unknown"`,
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
  const args = 'args' in fields ? fields.args : [];
  if (!Array.isArray(args))
    throw new RecordError(`invalid "args" ${show(args)}; expected a list [ … ]`, 'args');
  if (after !== undefined && !(Array.isArray(after) && after.every(isId)))
    throw new RecordError(`invalid "after" ${show(after)}; expected a list of ids`, 'after');
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
    throw new RecordError(`invalid "stuck" ${show(fields.stuck)}; expected true`, 'stuck');
  return { kind: 'stuck' };
}

function checkNames(fields: Fields, kind: keyof typeof FIELDS): void {
  const known: ReadonlySet<string> = FIELDS[kind];
  for (const name in fields)
    if (!known.has(name))
      throw new RecordError(
        `unknown field ${show(name)} of ${kindName(kind)}; expected ${[...known].join(', ')}`,
        name,
      );
}

const kindName = (kind: keyof typeof FIELDS): string =>
  kind === 'operation' || kind === 'annotation' ? `an ${kind}` : `a "${kind}" line`;

const reasonOf = (reason: string | undefined): { reason?: string } =>
  reason === undefined ? {} : { reason };
