/** The interface of all format readers, bytes in as they arrive and a history out at the end, and their errors. */
import { InputError, OptionError } from '../../base/errors.js';
import { printable, show } from '../../base/values/show.js';
import { History } from '../../history/history.js';
import { placeOf } from '../../history/model/columns.js';
import type { RecordedTimes, Timestamp } from '../../history/model/timestamps.js';
import type { JepsenNames } from './adapter.js';

/* The errors of reading and writing histories. */

/** A history that a format cannot represent. Nothing is omitted silently. */
export class WriteError extends InputError {
  override readonly name = 'WriteError';
  /** The id of the operation that cannot be written, if there is one. */
  readonly operation: number | undefined;

  constructor(message: string, operation?: number) {
    super(message);
    this.operation = operation;
  }
}

/** The error of operation k: `operation 3, cas(1, 2) by process 0 (line 7): it threw …`. */
export function createWriteError(history: History, k: number, why: string): WriteError {
  const { id, method, args, process } = history.at(k);
  const recorded = placeOf(history.tables, id);
  const place = recorded === undefined ? '' : ` (${recorded})`;
  const call = `${printable(method)}(${args.map(show).join(', ')})`;
  return new WriteError(`operation ${id}, ${call} by process ${printable(process)}${place}: ${why}`, id);
}

/** Names an unknown method, its object if it has a name, and the known methods. */
export const unknownMethodMessage = (
  method: string,
  object: string | undefined,
  known: readonly string[],
): string =>
  `unknown method ${show(method)}${object === undefined ? '' : ` of object ${show(object)}`}; expected ${known.join(', ')}`;

/** Advice for a file that ends inside a value. */
export const READ_PARTIAL = 'if the end of the file is missing, check reads the rest with --partial';

/** A file that is not a valid history: where, what was found, and what was expected. */
export class FormatError extends InputError {
  override readonly name = 'FormatError';
  /** Counted from 1; undefined if the error concerns the whole file. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The faulty file, if several are read. */
  readonly file: string | undefined;
  /** The message without file, line and column. */
  readonly detail: string;

  constructor(detail: string, line?: number, column = 1, file?: string) {
    const place = line === undefined ? '' : `line ${line}, column ${column}: `;
    super(`${file === undefined ? '' : `${printable(file)}: `}${place}${detail}`);
    this.detail = detail;
    this.line = line;
    this.column = line === undefined ? undefined : column;
    this.file = file;
  }
}

/**
 * An operation, an event, an annotation or `{ stuck: true }`, with the fields of a line of our JSON
 * format.
 */
export interface HistoryRecord {
  readonly process?: string | number | bigint | undefined;
  readonly method?: string | undefined;
  readonly args?: readonly unknown[] | undefined;
  readonly result?: unknown;
  readonly threw?: string | undefined;
  readonly failed?: true | string | undefined;
  readonly unknown?: true | string | undefined;
  /** A number, or a date with a time zone (ISO 8601). */
  readonly call?: number | bigint | string | undefined;
  readonly return?: number | bigint | string | undefined;
  readonly object?: string | undefined;
  readonly id?: string | number | bigint | undefined;
  readonly after?: readonly (string | number | bigint)[] | undefined;
  readonly type?: 'call' | 'return' | 'throw' | 'failed' | 'unknown' | undefined;
  readonly annotation?: string | undefined;
  readonly at?: number | bigint | string | undefined;
  readonly until?: number | bigint | string | undefined;
  readonly stuck?: true | undefined;
  readonly meta?: unknown;
}

/**
 * Converts a foreign record to one of ours, several, or none. `memory` is the map's own, one for each file: what it must
 * know of earlier records.
 */
export type RecordMap = (
  // biome-ignore lint/suspicious/noExplicitAny: only the user knows the records of the file
  record: any,
  memory: Map<unknown, unknown>,
) => HistoryRecord | readonly HistoryRecord[] | null | undefined;

/** Unit to its power of ten in nanoseconds. */
const POWERS: Readonly<Record<string, number>> = { ns: 0, us: 3, µs: 3, ms: 6, s: 9 };

const MAX_DIGITS = 20;

/**
 * Converts a clock error, such as `5ms` or a plain number, to the unit of the file's times.
 *
 * Only files with a known unit accept a unit: Jepsen's times and dates are nanoseconds. Other times of
 * our format have no unit, and a guess could cause a false alarm or hide a violation.
 */
export function readClockError(
  unit: 'nanoseconds' | 'unknown',
  error: Timestamp | undefined,
): Timestamp | undefined {
  if (error === undefined || (typeof error !== 'string' && error >= 0 && error < Infinity)) return error;
  const [text, amount, own] = /^(\d+(?:\.\d+)?)([a-zµ]*)$/.exec(String(error)) ?? [];
  if (amount === undefined || (own !== '' && !Object.hasOwn(POWERS, own)))
    throw new OptionError(
      `invalid clock error ${JSON.stringify(String(error))}; expected a time such as 5ms, 200us or 1s, or a number in the unit of the file's times`,
    );
  if (amount.replace('.', '').length > MAX_DIGITS)
    throw new OptionError(`the clock error has more than ${MAX_DIGITS} digits`);
  if (own === '') return amount;
  const nanoseconds = `${amount}e${POWERS[own]}`;
  if (unit === 'nanoseconds') return nanoseconds;
  throw new OptionError(
    `the clock error ${text} has a unit, but the times of this file are numbers without one; expected a number: ${amount} if the times are in ${own}, ${Number(nanoseconds)} if they are in nanoseconds`,
  );
}

/** A history whose times, if it has some, are of this kind of clock. */
export function withClock(history: History, clock: NonNullable<RecordedTimes['clock']>): History {
  const { columns, tables, annotations, stuck } = history;
  const { times } = tables;
  return times
    ? new History(columns, { ...tables, times: { ...times, clock } }, annotations, stuck)
    : history;
}

/** What to do where a file is cut off; undefined if that is an error. */
export type OnCut = ((line: number) => void) | undefined;

/** `hasEvents`: whether the file has events, of which the last has not happened yet if it is cut off. */
export const onCutOf = ({ partial, onCut }: ReadOptions, hasEvents: () => boolean): OnCut =>
  partial ? (line) => onCut?.(line, undefined, hasEvents()) : undefined;

export interface HistoryReader {
  /** Reads the next bytes. Throws a FormatError if they are invalid. */
  write(bytes: Uint8Array): void;
  /** Reads the rest of one of several files, which end in one history. Absent if the format has no times to join them by. */
  endFile?(): void;
  end(): History;
  /** Estimated additional memory of `end`. */
  readonly bytesToEnd: number;
}

/** Options of `readHistory` and `parseHistory`. */
export interface ReadOptions {
  /** Method names of the file to method names of the spec. */
  readonly rename?: ReadonlyMap<string, string> | undefined;
  /** The methods of an object; others are an error. Undefined: any method is accepted. */
  readonly methodsOf?: ((object: string | undefined) => readonly string[] | undefined) | undefined;
  /** The adapter for a Jepsen history of an object; undefined for the default adapter. */
  readonly jepsen?: ((object: string | undefined) => JepsenNames | undefined) | undefined;
  /** Whether each value of a Jepsen history is `[key value]`, with a separate object for each key. */
  readonly independent?: boolean | undefined;
  /**
   * The maximum error of each clock, if times come from several: a number in the unit of the file's
   * times, or with a unit (`5ms`) if the file's unit is known, as in Jepsen histories.
   */
  readonly clockError?: Timestamp | undefined;
  /** Whether unknown fields of a record are ignored; otherwise they are errors. JSON only. */
  readonly extraFields?: boolean | undefined;
  /** Whether the end of the file may be missing, as after a crash; otherwise that is an error. A record that is cut off is left out. */
  readonly partial?: boolean | undefined;
  /** With `partial`: called with the line at which a file is cut off, the file if there are several, and whether it has events. */
  readonly onCut?: ((line: number, file: string | undefined, hasEvents: boolean) => void) | undefined;
  /** Whether the history keeps times in addition to the order. */
  readonly keepTimes?: boolean | undefined;
  /** Converts the records of a JSON file in a foreign format. */
  readonly recordMap?: RecordMap | undefined;
  /** Called after each chunk with the bytes that the history would need in addition; it may throw to stop. */
  readonly watch?: ((bytesToEnd: number) => void) | undefined;
}
