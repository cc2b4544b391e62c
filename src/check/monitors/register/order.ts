/**
 * A linearization of all cells, from the places of their clusters.
 *
 * Sorted by place, the clusters of each cell are in order. Along this order, each operation takes effect at the
 * latest call in its cell so far. Sorted by these moments, the orders of all cells become one (locality, Herlihy and
 * Wing 1990). Both sorts count.
 *
 * Cost: O(n).
 */

import type { Clusters } from './clusters.js';
import { type Acts, DIFFERS, READ, SWAP, TAKE, WRITE } from './operations.js';

/* A model of cells of value numbers. */

export function cellModel({ role, cell, seen, made, initial, cells }: Acts): (operation: number) => boolean {
  const held = new Int32Array(cells).fill(initial);
  return (k) => {
    const before = held[cell[k]];
    switch (role[k]) {
      case READ:
        return before === seen[k];
      case DIFFERS:
        return before !== seen[k];
      case WRITE:
      case TAKE:
        held[cell[k]] = made[k];
        return role[k] === WRITE || before !== initial;
      case SWAP:
        held[cell[k]] = made[k];
        return before === seen[k];
      default:
        return true;
    }
  };
}

/** Operations in order, and the moment at which each takes effect. */
export interface CellOrder {
  readonly order: Int32Array;
  readonly moments: Int32Array;
}

export function cellOrder(
  { sequence, start, cellOf, count, writers }: Clusters,
  place: Int32Array,
): CellOrder {
  const { history, cells } = writers.acts;
  const { call, events } = history.columns;
  const byPlace = sorted(place, count, events.length);
  const latest = new Int32Array(cells);
  const operations = new Int32Array(start[count]);
  const effects = new Int32Array(start[count]);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const run = byPlace[i];
    const cell = cellOf[run];
    for (let j = start[run]; j < start[run + 1]; j++) {
      const k = sequence[j];
      if (call[k] > latest[cell]) latest[cell] = call[k];
      operations[length] = k;
      effects[length++] = latest[cell];
    }
  }
  const byEffect = sorted(effects, length, events.length);
  const order = new Int32Array(length);
  const moments = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    order[i] = operations[byEffect[i]];
    moments[i] = effects[byEffect[i]];
  }
  return { order, moments };
}

/** The items 0, 1, … sorted by moments from -1 on; the sort is stable. */
function sorted(moments: Int32Array, items: number, most: number): Int32Array {
  const place = new Int32Array(most + 2);
  for (let item = 0; item < items; item++) place[moments[item] + 2]++;
  for (let m = 1; m < place.length; m++) place[m] += place[m - 1];
  const list = new Int32Array(items);
  for (let item = 0; item < items; item++) list[place[moments[item] + 1]++] = item;
  return list;
}
