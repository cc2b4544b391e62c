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
import type { Columns } from '../model/columns.js';
import { CutColumns } from './cut-columns.js';

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
