/**
 * The binary form, `.sedge`: the columns of a history and their tables, loaded as they are.
 *
 * The bytes are kept until all are there, and their sum tells whether some were lost or
 * changed on the way. It takes some 12 bytes an operation, where lines take 90.
 *
 * Cost: O(bytes), and O(operations) of memory beside.
 */

import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { range } from '../../base/collections/ints.js';
import { PairMap } from '../../base/collections/pair-map.js';
import type { Interner } from '../../base/values/interner.js';
import { printable, show } from '../../base/values/show.js';
import { Names } from '../../history/builder/tables.js';
import { History } from '../../history/history.js';
import { checkAfter } from '../../history/model/after.js';
import {
  type Columns,
  FAILED,
  NEVER,
  numberByCall,
  PENDING,
  RETURNED,
  THREW,
} from '../../history/model/columns.js';
import { HistoryError } from '../../history/model/event.js';
import type { Annotation } from '../../history/model/operation.js';
import { FormatError, OptionError, unknownMethod } from '../common/format-error.js';
import type { HistoryReader, ReadOptions } from '../common/reader.js';
import { ByteReader } from './byte-reader.js';
import { MAGIC, STUCK, SUM_BYTES, UNDEFINED_IS_NULL, VERSION } from './layout.js';

/*
 * The columns of a history from the bytes of the binary form.
 *
 * Numbers of the file go through its tables: a number that a table does not have is an error,
 * and two entries of a table that are equal, or become so by `rename`, are one. Nobody
 * vouches for a file, so whatever a builder would refuse is refused here as well: an
 * operation that returns before its call, or twice, an outcome without its value, an order
 * that contradicts time.
 */

/** Number in the file to number in the history. */
type Numbers = Int32Array;

/** Reads a table into one of the history; `nameOf` gives what an entry is there. */
function readTable(
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
function nameOf(bytes: ByteReader, entry: unknown, start: number): string {
  return typeof entry === 'string' ? entry : bytes.fail(`${show(entry)} as a name; expected a text`, start);
}

/** Reads one number for each operation. */
function readColumn(bytes: ByteReader, length: number, what: string, numbers: Numbers): Int32Array {
  const column = new Int32Array(length);
  for (let k = 0; k < length; k++) column[k] = numbers[bytes.below(numbers.length, what)];
  return column;
}

/** Reads how each operation ended. What is told of one that threw, failed or is pending is a text. */
function readOutcomes(
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
function readLists(
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
function readEvents(bytes: ByteReader, status: Uint8Array): Pick<Columns, 'call' | 'return' | 'events'> {
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

/** An operation takes 7 bytes of the file or more, and at most so many of memory for each of these. */
const MEMORY_PER_BYTE = 10;

export class SedgeReader implements HistoryReader {
  readonly #options: ReadOptions;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(options: ReadOptions = {}) {
    this.#options = options;
    if (options.clockError !== undefined)
      throw new OptionError(
        'a clock error is given, but a .sedge file has no times, only their order; give it when the file is converted',
      );
  }

  write(bytes: Uint8Array): void {
    // the caller may use its bytes again: a copy
    this.#chunks.push(Uint8Array.from(bytes));
    this.#length += bytes.length;
  }

  get bytesToEnd(): number {
    return MEMORY_PER_BYTE * this.#length;
  }

  end(): History {
    const all = Buffer.concat(this.#chunks);
    this.#chunks.length = 0;
    const isOurs = MAGIC.every((byte, at) => all[at] === byte);
    if (!isOurs || all.length <= MAGIC.length)
      throw new FormatError('the file ends before its header does; expected SEDGE, a zero and a version');
    const version = all[MAGIC.length];
    if (version !== VERSION)
      throw new FormatError(
        `version ${version} of the binary form; expected ${VERSION}. A newer straightedge may read it, and convert it to JSON lines`,
      );
    checkSum(all);
    const bytes = new ByteReader(all.subarray(0, all.length - SUM_BYTES));
    bytes.position = MAGIC.length + 1;
    return this.#history(bytes);
  }

  #history(bytes: ByteReader): History {
    const { rename } = this.#options;
    const names = new Names(false);
    const flags = bytes.below(2 * UNDEFINED_IS_NULL, 'flags');
    const length = bytes.count('operations');
    const textOf = (entry: unknown, start: number) => nameOf(bytes, entry, start);
    const objects = readTable(bytes, 'objects', names.objects, (entry, start) =>
      entry === undefined ? undefined : textOf(entry, start),
    );
    const processes = readTable(bytes, 'processes', names.processes, textOf);
    const methods = readTable(bytes, 'methods', names.methods, (entry, start) => {
      const name = textOf(entry, start);
      return rename?.get(name) ?? name;
    });
    const values = readTable(bytes, 'values', names.values);

    const object = readColumn(bytes, length, 'an object', objects);
    const process = readColumn(bytes, length, 'a process', processes);
    const method = readColumn(bytes, length, 'a method', methods);
    const outcomes = readOutcomes(bytes, length, values, names.values.values);
    const args = readLists(bytes, length, 'arguments', values);
    const events = readEvents(bytes, outcomes.status);
    const columns: Columns = {
      id: range(length),
      object,
      process,
      method,
      argumentStart: args.start,
      argument: args.items,
      ...outcomes,
      ...events,
      ...readAfter(bytes, length),
    };
    const annotations = readAnnotations(bytes, events.events.length);
    if (bytes.left > 0) bytes.fail(`${bytes.left} bytes too many; expected the sum of all`);
    this.#checkMethods(columns, names);
    checkOrder(columns);
    return new History(
      columns,
      names.tables((flags & UNDEFINED_IS_NULL) !== 0),
      annotations,
      (flags & STUCK) !== 0,
    );
  }

  /** Each object has to have the methods that are called. */
  #checkMethods({ object, method }: Columns, names: Names): void {
    const { methodsOf } = this.#options;
    if (!methodsOf) return;
    const seen = new PairMap();
    for (let k = 0; k < object.length; k++) {
      if (seen.get(object[k], method[k]) >= 0) continue;
      seen.add(object[k], method[k], k);
      const [name, its] = [names.method(method[k]), names.object(object[k])];
      const known = methodsOf(its);
      if (known && !known.includes(name))
        throw new FormatError(printable(`operation ${k}: ${unknownMethod(name, its, known)}`));
    }
  }
}

function checkSum(all: Buffer): void {
  const end = all.length - SUM_BYTES;
  if (end <= MAGIC.length || crc32(all.subarray(0, end)) !== all.readUInt32LE(end))
    throw new FormatError(
      'the bytes do not add up to the sum at the end: the file was cut short or damaged; convert or copy it again',
    );
}

function readAfter(bytes: ByteReader, length: number): Pick<Columns, 'after'> {
  if (bytes.below(2, 'whether there is an order beside time') === 0) return {};
  return { after: readLists(bytes, length, 'earlier operations', range(length) as Numbers) };
}

/** Order beside time must not contradict time, nor itself. */
function checkOrder(columns: Columns): void {
  try {
    checkAfter(columns, columns.id);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    throw new FormatError(`operation ${error.entry}: ${error.message}`);
  }
}

function readAnnotations(bytes: ByteReader, moments: number): Annotation[] {
  return Array.from({ length: bytes.count('annotations') }, () => {
    const start = bytes.position;
    const text = nameOf(bytes, bytes.value(), start);
    return { text, moment: bytes.below(moments + 1, 'the moment of an annotation') };
  });
}
