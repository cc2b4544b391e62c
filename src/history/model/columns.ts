/**
 * A history by columns: entry k of each array tells of operation k.
 *
 * Operations are numbered by their calls, so `call` ascends. Processes, methods
 * and values are numbers into the history's tables, and equal values have equal
 * numbers: a checker compares integers.
 */
import type { Interner } from '../../base/values/interner.js';
import type { Times } from './times.js';

/** The return moment of an operation that never returned: later than all others. */
export const NEVER = 0x7fff_ffff;

/** How an operation ended, in the `status` column. */
export const PENDING = 0;
export const RETURNED = 1;
export const THREW = 2;
export const FAILED = 3;

export interface Columns {
  readonly id: Int32Array;
  readonly object: Int32Array;
  readonly process: Int32Array;
  readonly method: Int32Array;
  /** The arguments of k are `argument[argumentStart[k]]` up to `argument[argumentStart[k + 1]]`. */
  readonly argumentStart: Int32Array;
  readonly argument: Int32Array;
  readonly status: Uint8Array;
  /** The value returned, the name of the error thrown, the reason given; -1 where there is none. */
  readonly result: Int32Array;
  readonly call: Int32Array;
  readonly return: Int32Array;
  /** Moment to event: k is the call of operation k, ~k its return. */
  readonly events: Int32Array;
  /**
   * Order that time does not show: the operations `after.items[after.start[k]]` up to
   * `after.items[after.start[k + 1]]` took effect before k did. Absent where there is none.
   */
  readonly after?: { readonly start: Int32Array; readonly items: Int32Array };
}

/** What the numbers in the columns stand for, shared by all cuts of a history. */
export interface Tables {
  readonly objects: readonly (string | undefined)[];
  readonly processes: readonly string[];
  readonly methods: readonly string[];
  /** Method to what it is called in the file, where it was renamed to that of a spec. */
  readonly told?: readonly string[];
  readonly values: Interner;
  /** In a file, a missing result and `null` are one value; so a spec's `undefined` matches `null`. */
  readonly undefinedIsNull: boolean;
  /** Operation id to the line of the file that it was read from, or its call; absent where there was no file. */
  readonly lines?: Int32Array;
  /** When it happened, where somebody asked for it. */
  readonly times?: Times;
}

/** The number of a value, if the history has it. */
export function numberOfValue({ values, undefinedIsNull }: Tables, value: unknown): number | undefined {
  return values.find(value === undefined && undefinedIsNull ? null : value);
}

/** The same columns, some of them replaced; columns that are made when asked for are made now. */
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

/*
 * Entries, which come in any order, numbered by their calls.
 *
 * Cost: O(events); 16 bytes an entry beside the events, which are numbered anew in place.
 */

export interface Numbering extends Pick<Columns, 'call' | 'return' | 'events'> {
  /** Operation to its entry, and back. */
  readonly entryOf: Int32Array;
  readonly numberOf: Int32Array;
}

/** `events` lists all calls (entry) and returns (~entry) in order; it becomes the list of events by operation. */
export function numberByCall(events: Int32Array, entries: number): Numbering {
  const entryOf = new Int32Array(entries);
  const numberOf = new Int32Array(entries);
  const call = new Int32Array(entries);
  const returned = new Int32Array(entries).fill(NEVER);
  let next = 0;
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    if (event >= 0) {
      entryOf[next] = event;
      numberOf[event] = next;
      call[next] = m;
      events[m] = next++;
    } else {
      const k = numberOf[~event];
      returned[k] = m;
      events[m] = ~k;
    }
  }
  return { entryOf, numberOf, call, return: returned, events };
}
