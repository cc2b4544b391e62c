/**
 * Columns of some operations of a larger history.
 *
 * The kept calls and returns are given by their indices in the larger history, and each goes to the
 * cut of its operation. An operation without its return keeps its outcome but returns NEVER: if it
 * took effect, then with that result.
 *
 * All cuts are views of the same few arrays. Cost: O(n) for all cuts together.
 */

import { GrowingInts } from '../../base/collections/growing.js';
import { pick } from '../../base/collections/ints.js';
import { type Columns, NEVER } from '../model/columns.js';

/** The cut that consists of these events. */
export function cutColumns(from: Columns, events: Int32Array): Columns {
  return partitionColumns(from, events, new Int32Array(from.call.length), 1)[0];
}

/** One cut for each part below `count`; `part` maps operations to parts. */
export function partitionColumns(
  from: Columns,
  events: Int32Array,
  part: Int32Array,
  count: number,
): Columns[] {
  // first operation and first moment of each cut
  const operations = new Int32Array(count + 1);
  const moments = new Int32Array(count + 1);
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const p = part[event >= 0 ? event : ~event] + 1;
    if (event >= 0) operations[p]++;
    moments[p]++;
  }
  for (let p = 1; p <= count; p++) {
    operations[p] += operations[p - 1];
    moments[p] += moments[p - 1];
  }

  // index in the larger history to index in the cut, and back
  const local = new Int32Array(from.call.length);
  const kept = new Int32Array(operations[count]);
  // in a whole history, the id of an operation is its index
  const isWhole = from.id.length === 0 || from.id[from.id.length - 1] === from.id.length - 1;
  const id = isWhole ? kept : new Int32Array(operations[count]);
  const cutEvents = new Int32Array(events.length);
  const nextOperation = operations.slice();
  const nextMoment = moments.slice();
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const p = part[event >= 0 ? event : ~event];
    const position = nextMoment[p]++;
    if (event >= 0) {
      const slot = nextOperation[p]++;
      const number = slot - operations[p];
      local[event] = number;
      kept[slot] = event;
      if (!isWhole) id[slot] = from.id[event];
      cutEvents[position] = number;
    } else cutEvents[position] = ~local[~event];
  }

  return Array.from({ length: count }, (_, p) => {
    const own = (column: Int32Array) => column.subarray(operations[p], operations[p + 1]);
    const after = afterWithin(from, own(kept), local);
    return new CutColumns(from, own(kept), {
      id: own(id),
      events: cutEvents.subarray(moments[p], moments[p + 1]),
      ...(after && { after }),
    });
  });
}

/** The `after` edges within a cut. Paths through omitted operations become direct edges. */
function afterWithin({ after }: Columns, kept: Int32Array, local: Int32Array): Columns['after'] {
  if (!after) return undefined;
  const start = new Int32Array(kept.length + 1);
  const items = new GrowingInts();
  for (let position = 0; position < kept.length; position++) {
    const own = kept[position];
    const earlier = new Set(after.items.subarray(after.start[own], after.start[own + 1]));
    for (const k of earlier) {
      if (kept[local[k]] === k) items.push(local[k]);
      else for (let i = after.start[k]; i < after.start[k + 1]; i++) earlier.add(after.items[i]);
    }
    start[position + 1] = items.length;
  }
  return { start, items: items.toArray() };
}

export function prefixColumns(columns: Columns, moment: number): Columns {
  const { id, call, after } = columns;
  const length = countCalledBy(call, moment);
  const own = {
    id: id.subarray(0, length),
    events: columns.events.subarray(0, moment + 1),
    ...(after && {
      after: {
        start: after.start.subarray(0, length + 1),
        items: after.items.subarray(0, after.start[length]),
      },
    }),
  };
  if (columns instanceof CutColumns) return columns.prefix(length, own);
  const returned = columns.return.slice(0, length);
  for (let k = 0; k < length; k++) if (returned[k] > moment) returned[k] = NEVER;
  return {
    ...own,
    object: columns.object.subarray(0, length),
    process: columns.process.subarray(0, length),
    method: columns.method.subarray(0, length),
    argumentStart: columns.argumentStart.subarray(0, length + 1),
    argument: columns.argument.subarray(0, columns.argumentStart[length]),
    status: columns.status.subarray(0, length),
    result: columns.result.subarray(0, length),
    call: call.subarray(0, length),
    return: returned,
  };
}

/** The number of operations called by a moment; binary search, because calls ascend. */
function countCalledBy(call: Int32Array, moment: number): number {
  let low = 0;
  for (let high = call.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (call[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

type ReadyColumns = Pick<Columns, 'id' | 'events' | 'after'>;
type Lists = { readonly start: Int32Array; readonly items: Int32Array };
type EventTimes = { readonly call: Int32Array; readonly return: Int32Array };

/** Columns of a cut. Checkers read ids and events only; the other columns are computed on demand. */
class CutColumns implements Columns {
  readonly id: Int32Array;
  readonly events: Int32Array;
  declare readonly after?: Lists;
  readonly #from: Columns;
  readonly #kept: Int32Array;
  #times: EventTimes | undefined;
  readonly #picked = new Map<Int32Array, Int32Array>();
  #status: Uint8Array | undefined;
  #arguments: Lists | undefined;

  /** `kept`: the operations of the larger history, in order; `ready`: columns that are computed already. */
  constructor(from: Columns, kept: Int32Array, { id, events, after }: ReadyColumns) {
    this.#from = from;
    this.#kept = kept;
    this.id = id;
    this.events = events;
    if (after) this.after = after;
  }

  get call(): Int32Array {
    return this.#computeTimes().call;
  }
  get return(): Int32Array {
    return this.#computeTimes().return;
  }
  get object(): Int32Array {
    return this.#pick(this.#from.object);
  }
  get process(): Int32Array {
    return this.#pick(this.#from.process);
  }
  get method(): Int32Array {
    return this.#pick(this.#from.method);
  }
  get result(): Int32Array {
    return this.#pick(this.#from.result);
  }
  get status(): Uint8Array {
    if (!this.#status) {
      this.#status = new Uint8Array(this.#kept.length);
      for (let k = 0; k < this.#kept.length; k++) this.#status[k] = this.#from.status[this.#kept[k]];
    }
    return this.#status;
  }
  get argumentStart(): Int32Array {
    return this.#argumentLists().start;
  }
  get argument(): Int32Array {
    return this.#argumentLists().items;
  }

  /** The columns of the first `length` operations. */
  prefix(length: number, own: ReadyColumns): CutColumns {
    return new CutColumns(this.#from, this.#kept.subarray(0, length), own);
  }

  #computeTimes(): EventTimes {
    this.#times ??= computeTimes(this.events, this.#kept.length);
    return this.#times;
  }

  #pick(column: Int32Array): Int32Array {
    let picked = this.#picked.get(column);
    if (!picked) {
      picked = pick(column, this.#kept);
      this.#picked.set(column, picked);
    }
    return picked;
  }

  #argumentLists(): Lists {
    this.#arguments ??= pickLists(this.#kept, {
      start: this.#from.argumentStart,
      items: this.#from.argument,
    });
    return this.#arguments;
  }
}

/** The moments of call and return of each operation. */
function computeTimes(events: Int32Array, operations: number): EventTimes {
  const call = new Int32Array(operations);
  const returned = new Int32Array(operations).fill(NEVER);
  for (let m = 0; m < events.length; m++) {
    if (events[m] >= 0) call[events[m]] = m;
    else returned[~events[m]] = m;
  }
  return { call, return: returned };
}

/** The lists of the kept operations; list k is `items[start[k]]` to `items[start[k + 1] - 1]`. */
function pickLists(kept: Int32Array, { start, items }: Lists): Lists {
  let total = 0;
  for (const k of kept) total += start[k + 1] - start[k];
  const keptStart = new Int32Array(kept.length + 1);
  const keptItems = new Int32Array(total);
  let end = 0;
  for (let position = 0; position < kept.length; position++) {
    for (let i = start[kept[position]]; i < start[kept[position] + 1]; i++) keptItems[end++] = items[i];
    keptStart[position + 1] = end;
  }
  return { start: keptStart, items: keptItems };
}

/**
 * Columns of the operations called by a moment: a prefix of each column, because operations are
 * numbered by call. Indices and moments do not change; returns after the moment become NEVER.
 *
 * Requires that the predecessors of these operations by `after` had been called too. Cost: O(n),
 * and 4 bytes per operation.
 */
