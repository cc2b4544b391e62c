/**
 * A history for other threads: columns in shared memory, tables as plain data.
 *
 * The integers in the columns are indices of values, so the receiving thread must give each value
 * the same index. Values that structured cloning does not preserve (class instances, functions) may
 * become equal to others; then the history cannot be restored.
 */
import { Interner } from '../base/values/interner.js';
import { History } from './history.js';
import { type Columns, withColumns } from './model/columns.js';
import type { Annotation } from './model/operation.js';

/** A history in a form that `postMessage` accepts. */
export interface SharedHistory {
  readonly columns: Columns;
  readonly objects: readonly (string | undefined)[];
  readonly processes: readonly string[];
  readonly methods: readonly string[];
  readonly values: readonly unknown[];
  readonly undefinedIsNull: boolean;
  readonly annotations: readonly Annotation[];
  readonly stuck: boolean;
}

export function shareHistory({ columns, tables, annotations, stuck }: History): SharedHistory {
  const { id, object, process, method, argumentStart, argument, status, result, events, after } = columns;
  return {
    columns: withColumns(columns, {
      id: toSharedMemory(id),
      object: toSharedMemory(object),
      process: toSharedMemory(process),
      method: toSharedMemory(method),
      argumentStart: toSharedMemory(argumentStart),
      argument: toSharedMemory(argument),
      status: toSharedMemory(status),
      result: toSharedMemory(result),
      call: toSharedMemory(columns.call),
      return: toSharedMemory(columns.return),
      events: toSharedMemory(events),
      ...(after && { after: { start: toSharedMemory(after.start), items: toSharedMemory(after.items) } }),
    }),
    objects: tables.objects,
    processes: tables.processes,
    methods: tables.methods,
    values: tables.values.values,
    undefinedIsNull: tables.undefinedIsNull,
    annotations,
    stuck,
  };
}

/** The history that another thread shared; undefined if its values were not preserved. */
export function restoreHistory(shared: SharedHistory): History | undefined {
  const { columns, objects, processes, methods, undefinedIsNull, annotations, stuck } = shared;
  const values = new Interner();
  if (!shared.values.every((value, number) => values.intern(value) === number)) return undefined;
  return new History(columns, { objects, processes, methods, values, undefinedIsNull }, annotations, stuck);
}

function toSharedMemory<A extends Int32Array | Uint8Array>(items: A): A {
  const Kind = items.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new Kind(new SharedArrayBuffer(items.byteLength));
  copy.set(items);
  return copy;
}
