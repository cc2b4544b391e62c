/**
 * Failed compare-and-swaps: they only show that another value was there, which no zone expresses.
 *
 * They change nothing, so a linearization of the history is one of the rest, and if the rest has none, that decides.
 * If the rest has a linearization, it usually has room for them: at the call, if another value is there, or directly
 * after the next change before the return. If it has no room, another linearization may; the monitor declines.
 *
 * Cost: O(n).
 */
import { END } from '../common/lists.js';
import { type Acts, DIFFERS } from './operations.js';
import type { CellOrder } from './order.js';

/** The order with all failed compare-and-swaps in it; undefined if it has no room for them. */
export function placeFailedCas(acts: Acts, { order, moments }: CellOrder): Int32Array | undefined {
  const { history, role, cell, seen, made, initial, cells } = acts;
  const { events } = history.columns;
  const held = new Int32Array(cells).fill(initial);
  const waiting = new WaitingFailures(history.length, cells);
  const all = new Int32Array(history.length);
  let [length, next] = [0, 0];
  for (let moment = 0; moment < events.length; moment++) {
    for (; next < order.length && moments[next] === moment; next++) {
      const k = order[next];
      all[length++] = k;
      if (!acts.isMutator(k) || made[k] === held[cell[k]]) continue;
      held[cell[k]] = made[k];
      for (let own = waiting.take(cell[k]); own !== END; own = waiting.take(cell[k])) all[length++] = own;
    }
    const event = events[moment];
    const k = event < 0 ? ~event : event;
    if (role[k] !== DIFFERS) continue;
    if (event < 0) {
      if (waiting.has(k)) return undefined;
    } else if (held[cell[k]] !== seen[k]) all[length++] = k;
    else waiting.add(cell[k], k);
  }
  return all.subarray(0, length);
}

/** Lists of operations, one per cell. */
class WaitingFailures {
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #isIn: Uint8Array;

  constructor(operations: number, cells: number) {
    this.#first = new Int32Array(cells).fill(END);
    this.#next = new Int32Array(operations);
    this.#isIn = new Uint8Array(operations);
  }

  has(k: number): boolean {
    return this.#isIn[k] === 1;
  }

  add(cell: number, k: number): void {
    this.#next[k] = this.#first[cell];
    this.#first[cell] = k;
    this.#isIn[k] = 1;
  }

  /** Removes one; END if there is none. */
  take(cell: number): number {
    const k = this.#first[cell];
    if (k === END) return END;
    this.#first[cell] = this.#next[k];
    this.#isIn[k] = 0;
    return k;
  }
}
