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
import { printable } from '../../base/values/show.js';
import { Names } from '../../history/builder/tables.js';
import { History } from '../../history/history.js';
import { checkAfter } from '../../history/model/after.js';
import type { Columns } from '../../history/model/columns.js';
import { HistoryError } from '../../history/model/history-error.js';
import type { Annotation } from '../../history/model/operation.js';
import { FormatError } from '../common/format-error.js';
import { OptionError } from '../common/option-error.js';
import type { HistoryReader, ReadOptions } from '../common/reader.js';
import { unknownMethod } from '../common/unknown-method.js';
import { ByteReader } from './byte-reader.js';
import {
  type Numbers,
  nameOf,
  readColumn,
  readEvents,
  readLists,
  readOutcomes,
  readTable,
} from './decode.js';
import { MAGIC, STUCK, SUM_BYTES, UNDEFINED_IS_NULL, VERSION } from './layout.js';

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
