/** A history in the binary form. Reading it gives the same history, but for the lines it once stood on. */
import type { History } from '../../history/history.js';
import { NEVER, PENDING, RETURNED, THREW } from '../../history/model/columns.js';
import { ByteWriter } from './byte-writer.js';
import { MAGIC, STUCK, UNDEFINED_IS_NULL, VERSION } from './layout.js';

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
