/**
 * Histories made of some operations of a larger one.
 *
 * The calls and returns to keep are listed by the numbers of the larger history,
 * and each goes to the cut that its operation belongs to. An operation whose
 * return is not among them keeps its outcome but returns NEVER: if it took
 * effect, then with that result.
 *
 * All cuts are written side by side into the same few arrays, and each gets its
 * stretch of them. Cost: O(n) for all together.
 */

import { GrowingInts } from '../../base/collections/growing.js';
import { pick } from '../../base/collections/ints.js';
import { type Columns, NEVER } from '../model/columns.js';

/*
 * Columns of some operations of a larger history. Checkers look at ids and events
 * only; what people look at is picked from the larger history when somebody asks,
 * and so are the times made of the events.
 */

type Own = Pick<Columns, 'id' | 'events' | 'after'>;
type Lists = { readonly start: Int32Array; readonly items: Int32Array };
type Times = { readonly call: Int32Array; readonly return: Int32Array };

class CutColumns implements Columns {
  readonly id: Int32Array;
  readonly events: Int32Array;
  declare readonly after?: Lists;
  readonly #from: Columns;
  readonly #kept: Int32Array;
  #times: Times | undefined;
  readonly #picked = new Map<Int32Array, Int32Array>();
  #status: Uint8Array | undefined;
  #arguments: Lists | undefined;

  /** `kept`: the operations of the larger history, in order; `own`: what is made already. */
  constructor(from: Columns, kept: Int32Array, { id, events, after }: Own) {
    this.#from = from;
    this.#kept = kept;
    this.id = id;
    this.events = events;
    if (after) this.after = after;
  }

  get call(): Int32Array {
    return this.#madeTimes().call;
  }
  get return(): Int32Array {
    return this.#madeTimes().return;
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

  /** Of the first so many operations; `own`: what is made already. */
  beginning(length: number, own: Own): CutColumns {
    return new CutColumns(this.#from, this.#kept.subarray(0, length), own);
  }

  #madeTimes(): Times {
    this.#times ??= timesOf(this.events, this.#kept.length);
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

/** When each operation is called and returns, by the calls and returns that there are. */
function timesOf(events: Int32Array, operations: number): Times {
  const call = new Int32Array(operations);
  const returned = new Int32Array(operations).fill(NEVER);
  for (let m = 0; m < events.length; m++) {
    if (events[m] >= 0) call[events[m]] = m;
    else returned[~events[m]] = m;
  }
  return { call, return: returned };
}

/** The lists of the kept operations, where list k is `items[start[k]]` up to `items[start[k + 1]]`. */
function pickLists(kept: Int32Array, { start, items }: Lists): Lists {
  let room = 0;
  for (const k of kept) room += start[k + 1] - start[k];
  const keptStart = new Int32Array(kept.length + 1);
  const keptItems = new Int32Array(room);
  let end = 0;
  for (let position = 0; position < kept.length; position++) {
    for (let i = start[kept[position]]; i < start[kept[position] + 1]; i++) keptItems[end++] = items[i];
    keptStart[position + 1] = end;
  }
  return { start: keptStart, items: keptItems };
}

/*
 * Columns of what had been called by a moment: the first stretch of each column, since
 * operations are numbered by their calls. Numbers and moments stay as they are, and so do all
 * columns but the returns: those after the moment never come.
 *
 * Sound for operations that come "after" others only if those had been called too.
 * Cost: O(n), and 4 bytes an operation.
 */

export function beginning(columns: Columns, moment: number): Columns {
  const { id, call, after } = columns;
  const length = calledBy(call, moment);
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
  if (columns instanceof CutColumns) return columns.beginning(length, own);
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

/** How many operations had been called by a moment, by halving: calls ascend. */
function calledBy(call: Int32Array, moment: number): number {
  let low = 0;
  for (let high = call.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (call[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cut made of these events alone. */
export function cut(from: Columns, events: Int32Array): Columns {
  return cuts(from, events, new Int32Array(from.call.length), 1)[0];
}

/** One cut for each number below `count`; `part` maps an operation to the number of its cut. */
export function cuts(from: Columns, events: Int32Array, part: Int32Array, count: number): Columns[] {
  // where the operations and the moments of each cut begin
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

  // operation of the larger history to its number in its cut, and back
  const local = new Int32Array(from.call.length);
  const kept = new Int32Array(operations[count]);
  // in a history that is no cut itself, an operation's id is its number
  const isWhole = from.id.length === 0 || from.id[from.id.length - 1] === from.id.length - 1;
  const id = isWhole ? kept : new Int32Array(operations[count]);
  const cutEvents = new Int32Array(events.length);
  const nextOperation = operations.slice();
  const nextMoment = moments.slice();
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const p = part[event >= 0 ? event : ~event];
    const place = nextMoment[p]++;
    if (event >= 0) {
      const slot = nextOperation[p]++;
      const number = slot - operations[p];
      local[event] = number;
      kept[slot] = event;
      if (!isWhole) id[slot] = from.id[event];
      cutEvents[place] = number;
    } else cutEvents[place] = ~local[~event];
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

/** Through an operation that is left out, what it came after comes before what came after it. */
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
