/**
 * The register and map monitor: decides registers and maps in linear time.
 *
 *   P. Gibbons, E. Korach. Testing shared memories. SIAM J. Comput. 26(4), 1997 (zones).
 *
 *   operations   what each operation does to which cell
 *   writers      which operation wrote the value that it saw
 *   clusters     operations that are adjacent in every linearization
 *   zones        whether clusters can be ordered
 *
 * A history is linearizable exactly when each value that was seen was written, no value was swapped twice, each
 * cluster agrees with real time, and the clusters can be ordered. Pending operations took effect if another operation
 * saw their value; otherwise they are omitted.
 *
 * Two results say less than a value: a failed compare-and-swap, and `remove` → true. If there are some, the
 * linearization found must fit them too; otherwise the monitor declines.
 *
 * Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable } from '../../model/verdict.js';
import { END } from '../common/lists.js';
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import { Clusters, placeClusters } from './clusters.js';
import { cellContradiction } from './contradiction.js';
import { type Acts, DIFFERS, mapActs, READ, registerActs, SWAP, TAKE, WRITE } from './operations.js';
import { Writers } from './writers.js';

/** Bytes per operation: clusters, places and the order. */
const BYTES = 110;
/**
 * Of a much longer history, prefixes of these lengths are read first: they usually show whether values repeat too
 * often.
 */
const PREFIX_LENGTHS = [500, 5_000];

export const registerMonitor: Monitor = {
  name: 'register monitor',
  read: (history, spec) => read(history, spec, registerActs),
};

export const mapMonitor: Monitor = {
  name: 'map monitor',
  read: (history, spec) => read(history, spec, mapActs),
};

function read(
  history: History,
  spec: Spec,
  actsOf: (history: History, spec: Spec) => Acts | string,
): Reading | string {
  if (!spec.family || !Object.hasOwn(spec.family, 'initial'))
    return 'the family of the spec does not give the initial value';
  for (const few of PREFIX_LENGTHS) {
    const unclear = 5 * few <= history.length ? readPrefix(history, few, spec, actsOf) : undefined;
    if (unclear) return unclear;
  }
  const acts = actsOf(history, spec);
  if (typeof acts === 'string') return acts;
  const writers = Writers.of(acts);
  if (typeof writers === 'string') return writers;
  const size = { bytes: BYTES * history.length, parts: acts.cells };
  if (!acts.role.some((role) => role === DIFFERS || role === TAKE))
    return { ...size, decide: () => decide(writers) };
  const result = decide(writers);
  if (result.kind === 'linearizable' && !isAccepted(result.witness, acts))
    return 'the linearization found does not fit a failed compare-and-swap or a removal';
  return { ...size, decide: () => result };
}

/**
 * Why the monitor declines a prefix, if that holds for the whole history: the writer of a value depends only on
 * operations called before the reader returned. (Not for a cell that returns to its initial value, which may turn out
 * to be recurring.)
 */
function readPrefix(
  history: History,
  few: number,
  spec: Spec,
  actsOf: (history: History, spec: Spec) => Acts | string,
): string | undefined {
  const acts = actsOf(history.prefix(history.columns.call[few]), spec);
  if (typeof acts === 'string') return acts;
  const writers = acts.made.includes(acts.initial) ? undefined : Writers.of(acts);
  return typeof writers === 'string' ? writers : undefined;
}

function decide(writers: Writers): MonitorResult {
  const clusters = new Clusters(writers);
  const place = clusters.isWhole ? placeClusters(clusters) : undefined;
  if (!(place instanceof Int32Array)) return cellContradiction(clusters, place);
  const found = cellOrder(clusters, place);
  return linearizable(placeFailedCas(writers.acts, found) ?? found.order);
}

/** Whether each result is correct along an order. */
function isAccepted(order: Int32Array, acts: Acts): boolean {
  const step = cellModel(acts);
  let differing = 0;
  for (let i = 0; i < order.length; i++) {
    if (!step(order[i])) return false;
    if (acts.role[order[i]] === DIFFERS) differing++;
  }
  return differing === acts.role.reduce((sum, role) => sum + (role === DIFFERS ? 1 : 0), 0);
}

/** A model of cells of value numbers. */
function cellModel({ role, cell, seen, made, initial, cells }: Acts): (operation: number) => boolean {
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
interface CellOrder {
  readonly order: Int32Array;
  readonly moments: Int32Array;
}

/**
 * A linearization of all cells, from the places of their clusters.
 *
 * Sorted by place, the clusters of each cell are in order. Along this order, each operation takes effect at the
 * latest call in its cell so far. Sorted by these moments, the orders of all cells become one (locality, Herlihy and
 * Wing 1990). Both sorts count.
 *
 * Cost: O(n).
 */
function cellOrder({ sequence, start, cellOf, count, writers }: Clusters, place: Int32Array): CellOrder {
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

/**
 * Failed compare-and-swaps: they only show that another value was there, which no zone expresses.
 *
 * They change nothing, so a linearization of the history is one of the rest, and if the rest has none, that decides.
 * If the rest has a linearization, it usually has room for them: at the call, if another value is there, or directly
 * after the next change before the return. If it has no room, another linearization may; the monitor declines.
 *
 * Returns the order with all of them in it; undefined if it has no room for them. Cost: O(n).
 */
function placeFailedCas(acts: Acts, { order, moments }: CellOrder): Int32Array | undefined {
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
