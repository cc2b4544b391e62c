/**
 * A history by columns: element k of each array describes operation k.
 *
 * Operations are numbered by call, so `call` is ascending. Processes, methods and values are
 * indices of the history's tables. Equal values have equal indices, so checkers compare integers.
 */
import type { Interner } from '../../base/values/interner.js';
import { printable } from '../../base/values/show.js';
import type { Operation, Outcome } from './operation.js';
import type { RecordedTimes } from './timestamps.js';

/** The return moment of an operation without a return: later than all others. */
export const NEVER = 0x7fff_ffff;

/** Values of the `status` column: the outcome of an operation. */
export const PENDING = 0;
export const RETURNED = 1;
export const THREW = 2;
export const FAILED = 3;

export interface Columns {
  readonly id: Int32Array;
  readonly object: Int32Array;
  readonly process: Int32Array;
  readonly method: Int32Array;
  /** The arguments of k are `argument[argumentStart[k]]` to `argument[argumentStart[k + 1] - 1]`. */
  readonly argumentStart: Int32Array;
  readonly argument: Int32Array;
  readonly status: Uint8Array;
  /** The returned value, the name of the thrown error, or the reason; -1 if there is none. */
  readonly result: Int32Array;
  readonly call: Int32Array;
  readonly return: Int32Array;
  /** Moment to event: k is the call of operation k, ~k its return. */
  readonly events: Int32Array;
  /**
   * Order that times do not show: the operations `after.items[after.start[k]]` to
   * `after.items[after.start[k + 1] - 1]` took effect before k. Absent if there is none.
   */
  readonly after?: { readonly start: Int32Array; readonly items: Int32Array };
}

/** The tables that the columns refer to, shared by all cuts of a history. */
export interface Tables {
  readonly objects: readonly (string | undefined)[];
  readonly processes: readonly string[];
  readonly methods: readonly string[];
  /** Method to its name in the recording, if methods were renamed to those of a spec. */
  readonly recordedMethods?: readonly string[];
  readonly values: Interner;
  /** In files a missing result equals `null`; a spec's `undefined` therefore matches `null`. */
  readonly undefinedIsNull: boolean;
  /** Operation id to its line in the file, or the line of its call; absent without a file. */
  readonly lines?: Int32Array;
  /** The files of the recording, if there are several, and operation id to the number of its file. */
  readonly files?: { readonly names: readonly string[]; readonly of: Int32Array };
  /** The recorded times, if they were requested. */
  readonly times?: RecordedTimes;
  /** Whether calls are earlier and returns later than recorded, by the error of the clocks. */
  readonly isWidened?: boolean;
  /** Whether `after` entries were recorded, beside those that follow from times. */
  readonly recordsAfter?: boolean;
  /** How reports print operations and values, if a spec says so. */
  readonly describe?: Describe;
}

/** Texts of operations and values; undefined for the usual text. */
export interface Describe {
  readonly operation: (call: DescribedCall, outcome?: Outcome) => string | undefined;
  readonly value: (value: unknown, object: string | undefined) => string | undefined;
}

export type DescribedCall = Pick<Operation, 'id' | 'object' | 'method' | 'args'>;

/** Where an operation was recorded: `line 7`, or `line 7 of b.jsonl` if there are several files. Undefined without a file. */
export function placeOf({ lines, files }: Tables, id: number): string | undefined {
  if (!lines) return undefined;
  return `line ${lines[id]}${files ? ` of ${printable(files.names[files.of[id]])}` : ''}`;
}

/** A value as the history records it: in files, `null` stands for `undefined`. */
export const recordedValue = ({ undefinedIsNull }: Tables, value: unknown): unknown =>
  value === undefined && undefinedIsNull ? null : value;

/** The index of a value; undefined if the history does not contain it. */
export function numberOfValue(tables: Tables, value: unknown): number | undefined {
  return tables.values.find(recordedValue(tables, value));
}

/** A copy of columns with some replaced. Lazy columns are computed. */
export function withColumns(columns: Columns, replaced: Partial<Columns>): Columns {
  return {
    id: columns.id,
    object: columns.object,
    process: columns.process,
    method: columns.method,
    argumentStart: columns.argumentStart,
    argument: columns.argument,
    status: columns.status,
    result: columns.result,
    call: columns.call,
    return: columns.return,
    events: columns.events,
    ...(columns.after && { after: columns.after }),
    ...replaced,
  };
}

/** How many operations overlap another one, and the most that are open at the same time. */
export function overlapIn({ events, id }: Columns): {
  readonly overlapping: number;
  readonly mostOpen: number;
} {
  const overlaps = new Uint8Array(id.length);
  const open = new Set<number>();
  let mostOpen = 0;
  for (const event of events) {
    if (event < 0) {
      open.delete(~event);
      continue;
    }
    // of several open operations, each overlaps another already
    if (open.size > 0) overlaps[event] = 1;
    if (open.size === 1) for (const other of open) overlaps[other] = 1;
    open.add(event);
    mostOpen = Math.max(mostOpen, open.size);
  }
  return { overlapping: overlaps.reduce((sum, is) => sum + is, 0), mostOpen };
}
