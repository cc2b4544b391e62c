import { InputError } from '../../base/input-error.js';
import { printable, show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';

/* A history that a format can not hold: which operation, and why. Nothing is left out in silence. */

export class WriteError extends InputError {
  override readonly name = 'WriteError';
  /** The id of the operation, if it is one's fault. */
  readonly operation: number | undefined;

  constructor(message: string, operation?: number) {
    super(message);
    this.operation = operation;
  }
}

/** The error of operation k: `operation 3, cas(1, 2) by process 0 (line 7): it threw …`. */
export function unwritable(history: History, k: number, why: string): WriteError {
  const { id, method, args, process } = history.at(k);
  const line = history.tables.lines?.[id];
  const place = line === undefined ? '' : ` (line ${line})`;
  const call = `${printable(method)}(${args.map(show).join(', ')})`;
  return new WriteError(`operation ${id}, ${call} by process ${printable(process)}${place}: ${why}`, id);
}

/* Of a call of what an object does not have: which method, of which object if it has a name, and which there are. */

export const unknownMethod = (method: string, object: string | undefined, known: readonly string[]): string =>
  `unknown method ${show(method)}${object === undefined ? '' : ` of object ${show(object)}`}; expected ${known.join(', ')}`;

/** A file that is no history: where, what stands there, what was expected. */
export class FormatError extends InputError {
  override readonly name = 'FormatError';
  /** Counts from 1; undefined if the error concerns the whole file. */
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
