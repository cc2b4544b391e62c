/**
 * The columns of a history from the bytes of the binary form.
 *
 * Numbers of the file go through its tables: a number that a table does not have is an error,
 * and two entries of a table that are equal, or become so by `rename`, are one. Nobody
 * vouches for a file, so whatever a builder would refuse is refused here as well: an
 * operation that returns before its call, or twice, an outcome without its value, an order
 * that contradicts time.
 */
import type { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import { numberByCall } from '../../history/builder/call-order.js';
import { type Columns, FAILED, NEVER, PENDING, RETURNED, THREW } from '../../history/model/columns.js';
import type { ByteReader } from './byte-reader.js';

/** Number in the file to number in the history. */
export type Numbers = Int32Array;

/** Reads a table into one of the history; `nameOf` gives what an entry is there. */
export function readTable(
  bytes: ByteReader,
  what: string,
  table: Interner,
  nameOf: (entry: unknown, start: number) => unknown = (entry) => entry,
): Numbers {
  const numbers = new Int32Array(bytes.count(what));
  for (let i = 0; i < numbers.length; i++) {
    const start = bytes.position;
    numbers[i] = table.intern(nameOf(bytes.value(), start));
  }
  return numbers;
}

/** A text; another value as a name is an error. */
export function nameOf(bytes: ByteReader, entry: unknown, start: number): string {
  return typeof entry === 'string' ? entry : bytes.fail(`${show(entry)} as a name; expected a text`, start);
}

/** Reads one number for each operation. */
export function readColumn(bytes: ByteReader, length: number, what: string, numbers: Numbers): Int32Array {
  const column = new Int32Array(length);
  for (let k = 0; k < length; k++) column[k] = numbers[bytes.below(numbers.length, what)];
  return column;
}

/** Reads how each operation ended. What is told of one that threw, failed or is pending is a text. */
export function readOutcomes(
  bytes: ByteReader,
  length: number,
  numbers: Numbers,
  values: readonly unknown[],
): Pick<Columns, 'status' | 'result'> {
  const status = new Uint8Array(length);
  const result = new Int32Array(length);
  for (let k = 0; k < length; k++) {
    const start = bytes.position;
    status[k] = bytes.below(FAILED + 1, 'the outcome of an operation');
    const told = bytes.below(numbers.length + 1, 'a value');
    result[k] = told === 0 ? -1 : numbers[told - 1];
    const fits =
      told === 0
        ? status[k] === PENDING || status[k] === FAILED
        : status[k] === RETURNED || typeof values[result[k]] === 'string';
    if (!fits) bytes.fail(`operation ${k} ended in no way that there is`, start);
  }
  return { status, result };
}

/** Reads a list for each operation: the lengths of all, then their items, numbers of the file. */
export function readLists(
  bytes: ByteReader,
  length: number,
  what: string,
  numbers: Numbers,
): { start: Int32Array; items: Int32Array } {
  const start = new Int32Array(length + 1);
  for (let k = 0; k < length; k++)
    start[k + 1] = start[k] + bytes.below(Math.max(0, bytes.left - start[k]), `a number of ${what}`);
  const items = new Int32Array(start[length]);
  for (let i = 0; i < items.length; i++) items[i] = numbers[bytes.below(numbers.length, what)];
  return { start, items };
}

/** Reads the order of calls and returns. */
export function readEvents(
  bytes: ByteReader,
  status: Uint8Array,
): Pick<Columns, 'call' | 'return' | 'events'> {
  const begin = bytes.position;
  const events = new Int32Array(bytes.count('calls and returns'));
  const hasReturned = new Uint8Array(status.length);
  let called = 0;
  for (let m = 0; m < events.length; m++) {
    const start = bytes.position;
    const ago = bytes.below(called + 1, 'an event');
    const k = ago === 0 ? called++ : called - ago;
    if (k === status.length) bytes.fail(`a call, but all ${status.length} operations are called`, start);
    if (ago > 0 && (hasReturned[k] === 1 || status[k] === PENDING))
      bytes.fail(`operation ${k} returns, but it is ${hasReturned[k] === 1 ? 'over' : 'pending'}`, start);
    if (ago > 0) hasReturned[k] = 1;
    events[m] = ago === 0 ? k : ~k;
  }
  if (called < status.length) bytes.fail(`operation ${called} is never called`, begin);
  const { call, return: returned } = numberByCall(events, status.length);
  for (let k = 0; k < status.length; k++)
    if (returned[k] === NEVER && (status[k] === RETURNED || status[k] === THREW))
      bytes.fail(`operation ${k} has a result, but never returns`, begin);
  return { call, return: returned, events };
}
