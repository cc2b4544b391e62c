/** The errors of reading and writing histories. */
import { InputError } from '../../base/errors.js';
import { printable, show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';

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
  const line = history.tables.lines?.[id];
  const place = line === undefined ? '' : ` (line ${line})`;
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

/** A file that is not a valid history: where, what was found, and what was expected. */
export class FormatError extends InputError {
  override readonly name = 'FormatError';
  /** Counted from 1; undefined if the error concerns the whole file. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The message without line and column. */
  readonly detail: string;

  constructor(detail: string, line?: number, column = 1) {
    super(line === undefined ? detail : `line ${line}, column ${column}: ${detail}`);
    this.detail = detail;
    this.line = line;
    this.column = line === undefined ? undefined : column;
  }
}
