/** A history in the binary form. Reading it gives the same history, but for the lines it once stood on. */
import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { stringify } from '../../base/values/json-values.js';
import type { History } from '../../history/history.js';
import { NEVER, PENDING, RETURNED, THREW } from '../../history/model/columns.js';
import {
  FALSE,
  JSON_TEXT,
  MAGIC,
  NATURAL,
  NEGATIVE,
  NULL,
  NUMBER,
  STUCK,
  SUM_BYTES,
  TEXT,
  TRUE,
  UNDEFINED,
  UNDEFINED_IS_NULL,
  VERSION,
} from './layout.js';

/* Bytes that are written piece by piece, with the sum of all of them at the end. */

const FIRST_ROOM = 1 << 16;
/** The longest integer takes 8 bytes, and so does a number. */
const LONGEST = 8;
const WORDS = new Map<unknown, number>([
  [null, NULL],
  [true, TRUE],
  [false, FALSE],
  [undefined, UNDEFINED],
]);

class ByteWriter {
  #bytes = Buffer.alloc(FIRST_ROOM);
  #length = 0;
  #sum = 0;

  /** What has been written since the last time. */
  take(): Uint8Array {
    const taken = Uint8Array.from(this.#bytes.subarray(0, this.#length));
    this.#sum = crc32(taken, this.#sum);
    this.#length = 0;
    return taken;
  }

  /** The sum of all that was taken. */
  sum(): Uint8Array {
    const bytes = Buffer.alloc(SUM_BYTES);
    bytes.writeUInt32LE(this.#sum);
    return bytes;
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** An integer from 0 to 2^53 - 1: seven bits a byte, the lowest first; all but the last have the eighth bit set. */
  integer(integer: number): void {
    this.#room(LONGEST);
    let rest = integer;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  /** A text of UTF-8 behind its length in bytes. */
  text(text: string): void {
    const bytes = Buffer.from(text);
    this.integer(bytes.length);
    this.bytes(bytes);
  }

  value(value: unknown): void {
    const word = WORDS.get(value);
    if (word !== undefined) this.integer(word);
    else if (typeof value === 'number') this.#number(value);
    // UTF-8 has no half of a pair of surrogates; JSON has
    else if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) {
      this.integer(TEXT);
      this.text(value);
    } else {
      this.integer(JSON_TEXT);
      this.text(stringify(value));
    }
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      this.integer(value < 0 ? NEGATIVE : NATURAL);
      this.integer(value < 0 ? -1 - value : value);
      return;
    }
    this.integer(NUMBER);
    this.#room(LONGEST);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#length + bytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** As our lines tell of an operation that was cut off before its return. */
const CUT_OFF = 'it returned later';

export function* writeSedge(history: History): Generator<Uint8Array> {
  const { columns, tables, annotations, stuck } = history;
  const out = new ByteWriter();
  out.bytes(MAGIC);
  out.integer(VERSION);
  out.integer((stuck ? STUCK : 0) | (tables.undefinedIsNull ? UNDEFINED_IS_NULL : 0));
  out.integer(history.length);

  // the tables
  const { values } = tables.values;
  for (const table of [tables.objects, tables.processes, tables.methods]) list(out, table);
  list(out, [...values, CUT_OFF].slice(0, values.length + (isCut(history) ? 1 : 0)));
  yield out.take();

  // the columns
  for (const column of [columns.object, columns.process, columns.method]) {
    for (let k = 0; k < column.length; k++) out.integer(column[k]);
    yield out.take();
  }
  for (let k = 0; k < history.length; k++) {
    const isCutOff = wasCutOff(history, k);
    out.integer(isCutOff ? PENDING : columns.status[k]);
    out.integer(1 + (isCutOff ? values.length : columns.result[k]));
  }
  yield out.take();
  writeLists(out, columns.argumentStart, columns.argument);
  yield out.take();
  writeEvents(out, columns.events);
  yield out.take();
  out.integer(columns.after ? 1 : 0);
  if (columns.after) writeLists(out, columns.after.start, columns.after.items);

  out.integer(annotations.length);
  for (const { text, moment } of annotations) {
    out.value(text);
    out.integer(Math.min(moment, columns.events.length));
  }
  yield out.take();
  yield out.sum();
}

function list(out: ByteWriter, values: readonly unknown[]): void {
  out.integer(values.length);
  for (const value of values) out.value(value);
}

/** The length of each list, then all their items. */
function writeLists(out: ByteWriter, start: Int32Array, items: Int32Array): void {
  for (let k = 0; k + 1 < start.length; k++) out.integer(start[k + 1] - start[k]);
  for (let i = 0; i < items.length; i++) out.integer(items[i]);
}

/** A call is 0, since the next operation is called. A return says how many calls ago its own was, the last one being 1. */
function writeEvents(out: ByteWriter, events: Int32Array): void {
  out.integer(events.length);
  let called = 0;
  for (let m = 0; m < events.length; m++) {
    if (events[m] >= 0) called++;
    out.integer(events[m] >= 0 ? 0 : called - ~events[m]);
  }
}

/** Has it an outcome though it never returned? */
function wasCutOff({ columns: { status, return: returned } }: History, k: number): boolean {
  return returned[k] === NEVER && (status[k] === RETURNED || status[k] === THREW);
}

function isCut(history: History): boolean {
  for (let k = 0; k < history.length; k++) if (wasCutOff(history, k)) return true;
  return false;
}
