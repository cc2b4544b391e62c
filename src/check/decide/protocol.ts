/** The messages and the shared memory between a check and its search helpers. */
import type { MessagePort } from 'node:worker_threads';
import { Interner } from '../../base/values/interner.js';
import { History } from '../../history/history.js';
import { type Columns, withColumns } from '../../history/model/columns.js';
import type { Annotation } from '../../history/model/operation.js';
import type { RecordedTimes } from '../../history/model/timestamps.js';
import type { BudgetShare } from '../model/budget.js';
import type { Counterexample } from '../model/verdict.js';
import type { SearchName } from '../search/choose-search.js';
import type { EarlyViolation, PartResult } from './part-check.js';

/** Cells of the shared memory. */
export const CONTROL = {
  /** The next task that no thread has started. */
  next: 0,
  /** Not 0: all helpers stop. */
  stop: 1,
  /** The part that the check itself searches; -1 for none. */
  current: 2,
  /** Counts messages, so that the check can wait for the next one. */
  messages: 3,
  /** From here on, one cell per helper: a heartbeat. */
  beats: 4,
} as const;

/** What a helper starts with. */
export interface Assignment {
  readonly history: SharedHistory;
  readonly specModule: string;
  readonly specData: unknown;
  readonly control: Int32Array;
  /** The number of this helper, from 0. */
  readonly helper: number;
  /** The numbers of the parts to search. */
  readonly tasks: readonly number[];
  readonly port: MessagePort;
  /** Whether monitors were asked when the history was split. */
  readonly monitors: boolean;
  readonly searches: readonly SearchName[];
  /** The searches for the part that the check itself searches. */
  readonly rivals: readonly SearchName[];
  readonly share: BudgetShare;
}

/** A counterexample whose core is sent as the ids of its operations. */
export type SentCounterexample = Omit<Counterexample, 'core'> & { readonly core: Int32Array };
export type SentResult =
  | Exclude<PartResult, { kind: 'violation' }>
  | { readonly kind: 'violation'; readonly refutation: SentCounterexample };

export type HelperMessage =
  /** A violation before it is explained. */
  | { readonly kind: 'violation'; readonly violation: EarlyViolation }
  | {
      readonly kind: 'result';
      readonly part: number;
      readonly result: SentResult;
      readonly steps: number;
      readonly configurations: number;
      readonly searches: readonly string[];
    }
  /** The helper has finished, or has failed. */
  | { readonly kind: 'finished' };

/**
 * A history in a form that `postMessage` accepts: columns in shared memory, tables as plain data.
 *
 * The integers in the columns are indices of values, so the receiving thread must give each value
 * the same index. Values that structured cloning does not preserve (class instances, functions) may
 * become equal to others; then the history cannot be restored.
 */
export interface SharedHistory {
  readonly columns: Columns;
  readonly objects: readonly (string | undefined)[];
  readonly processes: readonly string[];
  readonly methods: readonly string[];
  readonly values: readonly unknown[];
  readonly undefinedIsNull: boolean;
  readonly times?: RecordedTimes;
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
    ...(tables.times && { times: tables.times }),
    annotations,
    stuck,
  };
}

/** The history that another thread shared; undefined if its values were not preserved. */
export function restoreHistory(shared: SharedHistory): History | undefined {
  const { columns, objects, processes, methods, undefinedIsNull, times, annotations, stuck } = shared;
  const values = new Interner();
  if (!shared.values.every((value, number) => values.intern(value) === number)) return undefined;
  const tables = { objects, processes, methods, values, undefinedIsNull, ...(times && { times }) };
  return new History(columns, tables, annotations, stuck);
}

function toSharedMemory<A extends Int32Array | Uint8Array>(items: A): A {
  const Kind = items.constructor as new (buffer: SharedArrayBuffer) => A;
  const copy = new Kind(new SharedArrayBuffer(items.byteLength));
  copy.set(items);
  return copy;
}
