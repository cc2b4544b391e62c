/** A history that a format can not hold: which operation, and why. Nothing is left out in silence. */
import { printable, show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';

export class WriteError extends Error {
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
