/**
 * An "empty" result needs a moment at which no value is definitely present.
 *
 *   LiMo, lemma 4.3, which holds for stacks, queues, priority queues and multisets: at such a moment
 *   all values can be divided into past and future ones, and the linearizations of both concatenated, with the
 *   "empty" result in between. So each "empty" result is decided by itself.
 *
 * A value is definitely present from the moment `from` up to the moment `to`. A slot is the gap after an event; an
 * operation takes effect in a slot from its call up to its return. Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import type { ValueInterval } from '../../model/causes.js';
import type { Search, SearchResult } from '../../model/search.js';
import { type LimitReason, violation } from '../../model/verdict.js';
import { searchFor } from '../../search/choose-search.js';
import type { MonitorResult } from '../common/monitor.js';
import { type Container, EMPTY, NONE, OPEN_REMOVE, PEEK, REMOVE } from './container.js';

/*
 * Searches the remainder of a hard case.
 *
 * Pending removals may take any value whose removal is unknown, and no efficient choice is known. But most operations
 * have their place whatever the choice is. Only the rest is searched.
 */

/**
 * An order of the operations to keep, as positions in the whole history; or the result that there is none, or that a
 * limit was reached.
 */
export function searchResidue(
  history: History,
  spec: Spec,
  keep: (operation: number) => boolean,
  search: (begin: Search) => SearchResult | LimitReason,
): Int32Array | MonitorResult {
  const residue = history.select(keep);
  const machine = new Machine(residue, spec);
  const answer = search(searchFor({ history: residue, machine }, []));
  if (typeof answer === 'string') return { kind: 'undecided', reason: answer };
  const position = history.positionsById();
  const { id, events } = residue.columns;
  return answer.kind === 'linearizable'
    ? answer.witness.map((k) => position[id[k]])
    : violation({ operation: position[id[~events[answer.refutation.moment]]], among: keep });
}

/* Values of a container as a cause names them, and the operations that show it. */

export function intervalOf(
  container: Container,
  value: number,
  taken: number = container.remove[value],
): ValueInterval {
  const { id } = container.history.columns;
  const idOf = (k: number): number | undefined => (k === NONE ? undefined : id[k]);
  return { value: container.valueOf(value), put: idOf(container.add[value]), taken: idOf(taken) };
}

/** The operations that add or return these values. */
export function operationsOf({ value, add }: Container, values: Iterable<number>): number[] {
  const chosen = new Set(values);
  const operations = new Set<number>();
  for (const v of chosen) if (add[v] !== NONE) operations.add(add[v]);
  for (let k = 0; k < value.length; k++) if (chosen.has(value[k])) operations.add(k);
  return [...operations];
}

/**
 * Moments of each value; `from` is negative for an initial value, and `from` > `to` if it need not be present ever.
 */
interface Presence {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** In `slots`: the operation has none, or needs none. */
const NO_SLOT = -1;

/** For each "empty" result, its last free slot; and the first operation without one, or -1. */
export function emptySlots(
  { history, role }: Container,
  { from, to }: Presence,
): { readonly slots: Int32Array; readonly fault: number } {
  const { events, call } = history.columns;
  const slots = new Int32Array(history.length).fill(NO_SLOT);
  if (!role.includes(EMPTY)) return { slots, fault: -1 };
  const change = new Int32Array(events.length);
  let inside = 0;
  for (let v = 0; v < from.length; v++) {
    if (from[v] >= to[v]) continue;
    if (from[v] < 0) inside++;
    else change[from[v]]++;
    if (to[v] < events.length) change[to[v]]--;
  }
  let free = NO_SLOT;
  let fault = -1;
  for (let moment = 0; moment < events.length; moment++) {
    const k = ~events[moment];
    if (k >= 0 && role[k] === EMPTY) {
      if (free >= call[k]) slots[k] = free;
      else if (fault < 0) fault = k;
    }
    inside += change[moment];
    if (inside === 0) free = moment;
  }
  return { slots, fault };
}

/** A minimum set of values of which one is present at each moment from the call to the return of an operation. */
export function coverOf(begin: number, end: number, { from, to }: Presence): number[] {
  const sorted = Array.from(from.keys())
    .filter((v) => from[v] < to[v] && to[v] > begin && from[v] < end)
    .sort((a, b) => from[a] - from[b]);
  const cover: number[] = [];
  let [next, needed] = [0, begin];
  while (needed < end) {
    let best = -1;
    for (; next < sorted.length && from[sorted[next]] <= needed; next++)
      if (best < 0 || to[sorted[next]] > to[best]) best = sorted[next];
    if (best < 0) break;
    cover.push(best);
    needed = to[best];
  }
  return cover;
}

/* What to show of a container in which values are present all the time. */

/** An "empty" result, although one of some values was definitely present all the time. */
export function neverEmpty(container: Container, presence: Presence, operation: number): MonitorResult {
  const { id, call, return: returned } = container.history.columns;
  const cover = coverOf(call[operation], returned[operation], presence);
  return violation({
    operations: [operation, ...operationsToShow(container, cover)],
    cause: {
      kind: 'never empty',
      operation: id[operation],
      intervals: cover.map((v) => intervalOf(container, v)),
    },
  });
}

/** The operations on these values; if the removal of one is unknown, also the pending removals. */
export function operationsToShow(container: Container, values: readonly number[]): number[] {
  const { role, remove } = container;
  const isLeft = values.some((v) => remove[v] === NONE);
  const open = isLeft ? Array.from(role.keys()).filter((k) => role[k] === OPEN_REMOVE) : [];
  return [...operationsOf(container, values), ...open];
}

/*
 * What no container can do: return a value that was not added before, or remove it twice. Each value is checked by
 * itself, whatever the order of removal. Cost: one pass.
 */

export function findImpossible(container: Container): MonitorResult | undefined {
  const { history, role, value, add, remove, second } = container;
  const { id, call, return: returned } = history.columns;
  const no = (kind: 'from nowhere' | 'taken twice' | 'too early' | 'too late', k: number): MonitorResult =>
    violation({
      operations:
        value[k] === NONE
          ? [k]
          : [...new Set([k, add[value[k]], remove[value[k]]])].filter((o) => o !== NONE),
      cause:
        kind === 'from nowhere'
          ? { kind, operation: id[k] }
          : { kind, operation: id[k], interval: intervalOf(container, value[k]) },
    });
  if (second !== NONE) return no('taken twice', second);
  for (let k = 0; k < history.length; k++) {
    if (role[k] !== REMOVE && role[k] !== PEEK) continue;
    const v = value[k];
    if (v === NONE) return no('from nowhere', k);
    if (add[v] !== NONE && returned[k] < call[add[v]]) return no('too early', k);
    if (remove[v] !== NONE && returned[remove[v]] < call[k]) return no('too late', k);
  }
  return undefined;
}
