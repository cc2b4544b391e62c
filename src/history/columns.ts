/**
 * A history by columns: entry k of each array tells of operation k.
 *
 * Operations are numbered by their calls, so `call` ascends. Processes, methods
 * and values are numbers into the history's tables, and equal values have equal
 * numbers: a checker compares integers.
 */
import { type Interner, pick } from '../base/index.js';

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
   * Order that time does not show: the operations `after[afterStart[k]]` up to
   * `after[afterStart[k + 1]]` took effect before k did. Absent where there is none.
   */
  readonly after?: { readonly start: Int32Array; readonly items: Int32Array };
}

/** What the numbers in the columns stand for, shared by all cuts of a history. */
export interface Tables {
  readonly objects: readonly (string | undefined)[];
  readonly processes: readonly string[];
  readonly methods: readonly string[];
  readonly values: Interner;
  /** In a file, a missing result and `null` are one value; so a spec's `undefined` matches `null`. */
  readonly undefinedIsNull: boolean;
}

/**
 * The columns of some operations of a larger history.
 *
 * `events` lists, in order, the calls and returns to keep, by the numbers of the
 * larger history. An operation whose return is not among them keeps its outcome
 * but returns NEVER: if it took effect, then with that result.
 * `local` is scratch space, one entry for each operation of the larger history.
 */
export function gather(from: Columns, events: Int32Array, local: Int32Array): Columns {
  const kept = keptOperations(events);
  const status = new Uint8Array(kept.length);
  for (let position = 0; position < kept.length; position++) {
    local[kept[position]] = position;
    status[position] = from.status[kept[position]];
  }

  const call = new Int32Array(kept.length);
  const returned = new Int32Array(kept.length).fill(NEVER);
  const renumbered = new Int32Array(events.length);
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const position = local[event >= 0 ? event : ~event];
    renumbered[m] = event >= 0 ? position : ~position;
    if (event >= 0) call[position] = m;
    else returned[position] = m;
  }

  const [argumentStart, argument] = gatherLists(kept, from.argumentStart, from.argument);
  const columns: Columns = {
    id: pick(from.id, kept),
    object: pick(from.object, kept),
    process: pick(from.process, kept),
    method: pick(from.method, kept),
    argumentStart,
    argument,
    status,
    result: pick(from.result, kept),
    call,
    return: returned,
    events: renumbered,
  };
  if (!from.after) return columns;
  const keeps = (k: number) => kept[local[k]] === k;
  const [start, items] = gatherLists(kept, from.after.start, from.after.items, keeps);
  return { ...columns, after: { start, items: pick(local, items) } };
}

function keptOperations(events: Int32Array): Int32Array {
  const kept = new Int32Array(events.length);
  let count = 0;
  for (let m = 0; m < events.length; m++) if (events[m] >= 0) kept[count++] = events[m];
  return kept.subarray(0, count);
}

/** The lists of the kept operations, where list k is `items[start[k]]` up to `items[start[k + 1]]`. */
function gatherLists(
  kept: Int32Array,
  start: Int32Array,
  items: Int32Array,
  keeps?: (item: number) => boolean,
): [start: Int32Array, items: Int32Array] {
  let room = 0;
  for (let position = 0; position < kept.length; position++)
    room += start[kept[position] + 1] - start[kept[position]];
  const keptStart = new Int32Array(kept.length + 1);
  const keptItems = new Int32Array(room);
  let end = 0;
  for (let position = 0; position < kept.length; position++) {
    for (let i = start[kept[position]]; i < start[kept[position] + 1]; i++)
      if (!keeps || keeps(items[i])) keptItems[end++] = items[i];
    keptStart[position + 1] = end;
  }
  return [keptStart, keptItems.subarray(0, end)];
}
