/**
 * A history for other threads: its columns in shared memory, its tables as plain data.
 *
 * Numbers in the columns mean values, and another thread has to give each value
 * the number that it has here. Values that do not survive the way (instances of
 * classes, functions) may come out equal to others; then there is no history.
 */
import { Interner } from '../base/values/interner.js';
import { History } from './history.js';
import { type Columns, withColumns } from './model/columns.js';
import type { Annotation } from './model/operation.js';

/** What `postMessage` can take. */
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

export function share({ columns, tables, annotations, stuck }: History): SharedHistory {
  const { id, object, process, method, argumentStart, argument, status, result, events, after } = columns;
  return {
    columns: withColumns(columns, {
      id: inSharedMemory(id),
      object: inSharedMemory(object),
      process: inSharedMemory(process),
      method: inSharedMemory(method),
      argumentStart: inSharedMemory(argumentStart),
      argument: inSharedMemory(argument),
      status: inSharedMemory(status),
      result: inSharedMemory(result),
      call: inSharedMemory(columns.call),
      return: inSharedMemory(columns.return),
      events: inSharedMemory(events),
      ...(after && { after: { start: inSharedMemory(after.start), items: inSharedMemory(after.items) } }),
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

/** The history that another thread has shared; undefined where its values did not survive. */
export function unshare(shared: SharedHistory): History | undefined {
  const { columns, objects, processes, methods, undefinedIsNull, annotations, stuck } = shared;
  const values = new Interner();
  if (!shared.values.every((value, number) => values.intern(value) === number)) return undefined;
  return new History(columns, { objects, processes, methods, values, undefinedIsNull }, annotations, stuck);
}

function inSharedMemory<A extends Int32Array | Uint8Array>(items: A): A {
  const Kind = items.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new Kind(new SharedArrayBuffer(items.byteLength));
  copy.set(items);
  return copy;
}
