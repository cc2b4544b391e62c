/**
 * Validates one line of our format as one of five kinds of record; docs/reference/history-format.md
 * is the definition.
 *
 * Unknown fields are errors: a misspelt "retrun" would silently turn a returned operation into a
 * pending one.
 */
import { GrowingBytes, GrowingInts } from '../../base/collections/growing.js';
import { Interner } from '../../base/values/interner.js';
import { printable, show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import { compareTimestamps, type Timestamp } from '../../history/model/timestamps.js';
import {
  type Fields,
  isDate,
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
      /** Its times are dates, in nanoseconds since 1970. */
      readonly isDated: boolean;
    })
  | (CallFields & { readonly kind: 'call' })
  | {
      readonly kind: 'end';
      readonly process: string;
      readonly object: string | undefined;
      readonly id: string | undefined;
      readonly outcome: Outcome;
    }
  | {
      readonly kind: 'annotation';
      readonly text: string;
      readonly at: Timestamp | undefined;
      readonly isDated: boolean;
      readonly until: Timestamp | undefined;
    }
  | { readonly kind: 'stuck' };

const CALL_FIELDS = ['process', 'method', 'args', 'object', 'id', 'after', 'meta'];
const FIELDS = {
  operation: new Set([...CALL_FIELDS, 'result', 'threw', 'failed', 'unknown', 'call', 'return']),
  call: new Set([...CALL_FIELDS, 'type']),
  return: new Set(['type', 'process', 'object', 'id', 'result', 'meta']),
  throw: new Set(['type', 'process', 'object', 'id', 'threw', 'meta']),
  failed: new Set(['type', 'process', 'object', 'id', 'failed', 'meta']),
  unknown: new Set(['type', 'process', 'object', 'id', 'unknown', 'meta']),
  annotation: new Set(['annotation', 'at', 'until', 'meta']),
  stuck: new Set(['stuck']),
} as const;
const OUTCOMES = ['result', 'threw', 'failed', 'unknown'] as const;
const END_TYPES = ['return', 'throw', 'failed', 'unknown'] as const;
const EVENT_TYPES = ['call', ...END_TYPES] as const;

/** `hasExtras`: unknown fields are ignored. */
export const readRecord = (line: string, hasExtras = false): LineRecord =>
  toRecord(readFields(line), hasExtras);

export function toRecord(fields: Fields, hasExtras = false): LineRecord {
  const kind = kindOf(fields);
  checkNames(fields, kind, hasExtras);
  switch (kind) {
    case 'operation':
      return readOperation(fields);
    case 'call':
      return { kind, ...readCall(fields) };
    case 'annotation':
      return readAnnotation(fields);
    case 'stuck':
      return readStuck(fields);
    default:
      return readEnd(fields, kind);
  }
}

function kindOf(fields: Fields): keyof typeof FIELDS {
  if (!('type' in fields))
    return 'annotation' in fields ? 'annotation' : 'stuck' in fields ? 'stuck' : 'operation';
  const kind = EVENT_TYPES.find((name) => name === fields.type);
  if (kind) return kind;
  throw new RecordError(
    `unknown event type ${show(fields.type)}; expected "call", "return", "throw", "failed" or "unknown"`,
    'type',
  );
}

function readOperation(fields: Fields): LineRecord {
  const call = readCall(fields);
  const start = readTime(fields, 'call');
  if (start === undefined) throw new RecordError('missing "call", the time of the call');
  const end = readTime(fields, 'return');
  const outcome = readOutcome(fields, end !== undefined);
  if (end === undefined && (outcome.kind === 'returned' || outcome.kind === 'threw')) {
    const field = outcome.kind === 'threw' ? 'threw' : 'result';
    throw new RecordError(`"${field}" without "return", the time of the return`, field);
  }
  const isDated = isDate(fields.call);
  if (end !== undefined && isDate(fields.return) !== isDated)
    throw new RecordError('one of "call" and "return" is a date; expected both or none', 'return');
  return { kind: 'operation', ...call, outcome, call: start, return: end, isDated };
}

function readOutcome(fields: Fields, returned: boolean): Outcome {
  const [threw, failed, unknown] = ['threw' in fields, 'failed' in fields, 'unknown' in fields];
  if (threw || failed || unknown) checkOneOutcome(fields);
  if (threw) return { kind: 'threw', error: readText(fields, 'threw') };
  if (failed) return { kind: 'failed', ...readReason(fields, 'failed') };
  if (unknown) return { kind: 'pending', ...readReason(fields, 'unknown') };
  if ('result' in fields) return { kind: 'returned', value: fields.result };
  return returned ? { kind: 'returned', value: null } : { kind: 'pending' };
}

function checkOneOutcome(fields: Fields): void {
  const [given, another] = OUTCOMES.filter((name) => name in fields);
  if (another !== undefined)
    throw new RecordError(`both "${given}" and "${another}"; an operation has one outcome`, another);
}

function readEnd(fields: Fields, end: (typeof END_TYPES)[number]): LineRecord {
  const place = { process: readProcess(fields), object: optionalText(fields, 'object'), id: readId(fields) };
  const outcome: Outcome =
    end === 'return'
      ? { kind: 'returned', value: Object.hasOwn(fields, 'result') ? fields.result : null }
      : end === 'throw'
        ? { kind: 'threw', error: readText(fields, 'threw') }
        : { kind: end === 'failed' ? 'failed' : 'pending', ...readReason(fields, end) };
  return { kind: 'end', ...place, outcome };
}

function readCall(fields: Fields): CallFields {
  const { after } = fields;
  const args = 'args' in fields && fields.args !== null ? fields.args : [];
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
  const text = readText(fields, 'annotation');
  const [at, until] = [readTime(fields, 'at'), readTime(fields, 'until')];
  if (until !== undefined) {
    if (at === undefined) throw new RecordError('an annotation with "until" but without "at"', 'until');
    if (isDate(fields.until) !== isDate(fields.at))
      throw new RecordError('only one of "at" and "until" is a date', 'until');
    if (compareTimestamps(until, at) < 0) throw new RecordError('"until" is before "at"', 'until');
  }
  return { kind: 'annotation', text, at, until, isDated: isDate(fields.at) };
}

function readStuck(fields: Fields): LineRecord {
  if (fields.stuck !== true)
    throw new RecordError(`invalid "stuck" ${show(fields.stuck)}; expected true`, 'stuck');
  return { kind: 'stuck' };
}

/** Fields of any record. */
const ALL_FIELDS = new Set(Object.values(FIELDS).flatMap((names) => [...names]));

/** With extra fields, a field of another kind of record is still an error: its meaning would be lost. */
function checkNames(fields: Fields, kind: keyof typeof FIELDS, hasExtras: boolean): void {
  const known: ReadonlySet<string> = FIELDS[kind];
  for (const name in fields)
    if (!known.has(name) && !(hasExtras && !ALL_FIELDS.has(name)))
      throw new RecordError(
        `unknown field ${show(name)} of ${kindName(kind)}; expected ${[...known].join(', ')}${isForeign(fields, kind) ? '; another format needs a record map' : ''}`,
        name,
      );
}

/** Whether a record looks like one of another program: it has neither a type nor a method. */
const isForeign = (fields: Fields, kind: keyof typeof FIELDS): boolean =>
  kind === 'operation' && fields.method === undefined;

const kindName = (kind: keyof typeof FIELDS): string =>
  kind === 'operation' || kind === 'annotation' ? `an ${kind}` : `a "${kind}" line`;

/** The reason of a failed or unknown outcome; `true` gives none. */
function readReason(fields: Fields, name: 'failed' | 'unknown'): { reason?: string } {
  const reason = fields[name] === true ? undefined : optionalText(fields, name);
  return reason === undefined ? {} : { reason };
}

/**
 * The files of one history: which operation and which process is in which file.
 *
 * Each file has its own clock and its own processes. If two files use one name for a process, these are two processes.
 */
export class RecordedFiles {
  readonly names: string[] = [];
  /** Process, by its name in the history, to its file. */
  readonly #ofProcess = new Map<string, number>();
  /** Entry to its file. */
  readonly #ofEntry = new GrowingInts();
  /** Names of processes in the current file to their names in the history. */
  #processes = new Map<string, string>();
  /** The number of files that say that no more returns will come. */
  #stuck = 0;

  start(name: string): void {
    this.names.push(printable(name));
    this.#processes = new Map();
  }

  /** The current file says that no more returns will come. */
  markStuck(): void {
    this.#stuck++;
  }

  get areAllStuck(): boolean {
    return this.#stuck === this.names.length;
  }

  /** The name of a process in the history. If an earlier file has it, it becomes `name@file`. */
  processName(name: string): string {
    const known = this.#processes.get(name);
    if (known !== undefined) return known;
    let own = name;
    while (this.#ofProcess.has(own)) own = `${own}@${this.names.at(-1)}`;
    this.#ofProcess.set(own, this.names.length - 1);
    this.#processes.set(name, own);
    return own;
  }

  /** The clock of a process is that of its file. */
  clockOf(process: string): number {
    return this.#ofProcess.get(process) ?? -1;
  }

  /** Adds the next entry to the current file. */
  add(): void {
    this.#ofEntry.push(this.names.length - 1);
  }

  readonly of = (entry: number): number => this.#ofEntry.at(entry);

  nameOf(entry: number): string {
    return this.names[this.of(entry)];
  }
}
