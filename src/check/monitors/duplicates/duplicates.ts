/**
 * Duplicates: values that are added to a container more than once, renamed so that the monitor of distinct values
 * applies.
 *
 * Real time (`Epochs`) or first-in-first-out order (`fifoDuplicates`) distinguishes most duplicates. For the rest,
 * the monitor decides matchings of results with duplicates, one at a time (`Matchings`):
 *
 *   A container does not distinguish values, so a linearization of the renamed history is one of the original. A
 *   linearization of the original determines which duplicate each result gives, so it is one of the history renamed by that
 *   matching. So the history is linearizable exactly if it is under some matching.
 *
 * A contradiction under one matching is stored, and no matching that it excludes is tried. If none is left, the
 * operations of the contradictions have no linearization, and a search of these alone finds the return. Usually the
 * first matching decides, or its contradiction holds for all; so after it, a search of the whole gets a step budget
 * before others are tried. If there are too many matchings, the monitor declines.
 *
 * Cost: that of the monitor, for each matching tried.
 */

import { range } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { violation } from '../../model/verdict.js';
import type { Monitor, MonitorRefutation, MonitorResult, Reading } from '../common/monitor.js';
import { ContainerRoles, Epochs, INITIAL, UNKNOWN } from './epochs.js';
import { Matchings } from './matchings.js';
import { RenamedHistory } from './renamed-history.js';

/*
 * Duplicates that are present together in a first-in-first-out container, distinguished by their order.
 *
 * The first add of an epoch to be called is taken to be of the first duplicate, and so on, and likewise for its
 * removals; the n-th removal returns the n-th duplicate. This changes nothing if of two adds the one that is called
 * first returns first, and likewise for removals:
 *
 *   A linearization with renamed duplicates is one of the original, because the container does not distinguish values.
 *   Take a linearization of the original in which q, called later than p, comes before it, both adding the value. Then q
 *   also returns later, so each was open at both places: they can be exchanged without changing a result. When all are
 *   in order of call, the n-th removal returns the n-th duplicate, first in first out.
 *
 * It does not apply to peeks, nor to pending removals that may have taken a duplicate, which is possible if some are
 * left. Cost: O(n).
 */

/** For each operation that returns a duplicate, the operation that added it, or INITIAL. */
type Adders = ReadonlyMap<number, number>;

/** Undefined if the order is unclear. `hasOpen`: some removals are pending. */
function fifoDuplicates(epochs: Epochs, epoch: number, hasOpen: boolean): Adders | undefined {
  const { roles, puts, removals, peeks } = epochs;
  const { return: returned } = roles.history.columns;
  if (peeks[epoch] > 0 || removals[epoch] > puts[epoch]) return undefined;
  if (hasOpen && removals[epoch] < puts[epoch]) return undefined;
  const adders = epochs.first[epoch] === INITIAL ? [INITIAL] : [];
  const removers: number[] = [];
  const isInTurn = (k: number, list: readonly number[]): boolean => {
    const before = list.at(-1) ?? INITIAL;
    return before === INITIAL || returned[before] <= returned[k];
  };
  for (const k of epochs.members(epoch)) {
    const list = roles.of(k) === 'add' ? adders : removers;
    if (!isInTurn(k, list)) return undefined;
    list.push(k);
  }
  return new Map(removers.map((k, i) => [k, adders[i]]));
}

/** Limits: matchings, operations in all of them, and duplicates examined to find matchings. */
const MAX_MATCHINGS = 30;
const MAX_READ = 3_000_000;
const REMATCH_STEPS = 200_000;
/** The search for stacks usually decides if it gets a larger step budget. */
const STACK_BUDGETS = 15;
/** Bytes per operation, beside those of the monitor: epochs, names, and the renamed history. */
const BYTES = 150;

export class Duplicates {
  readonly #monitor: Monitor;
  readonly #spec: Spec;
  readonly #epochs: Epochs;
  /** The clear cases: for each epoch, its duplicates in order. */
  readonly #inOrder = new Map<number, Adders>();
  readonly #unclear: number[] = [];
  /** Whether some removals are pending. */
  readonly #hasOpen: boolean;

  constructor(history: History, spec: Spec, monitor: Monitor) {
    this.#monitor = monitor;
    this.#spec = spec;
    const roles = new ContainerRoles(history, spec);
    this.#epochs = new Epochs(roles);
    const { count } = this.#epochs;
    this.#hasOpen = some(roles, (k) => roles.isOpenRemoval(k));
    for (let g = 0; g < count; g++) {
      if (!this.#epochs.isUnclear(g)) continue;
      const duplicates =
        monitor.leaves === 'first' ? fifoDuplicates(this.#epochs, g, this.#hasOpen) : undefined;
      if (duplicates) this.#inOrder.set(g, duplicates);
      else this.#unclear.push(g);
    }
  }

  /** The history with names for all duplicates that are clear. */
  get clear(): RenamedHistory {
    return this.#named(() => undefined);
  }

  /** Undefined if the monitor cannot read even the first guess. */
  read(): Reading | undefined {
    const { roles } = this.#epochs;
    if (some(roles, (k) => roles.isCutOff(k))) return undefined;
    const matchings = new Matchings(this.#epochs, this.#unclear, {
      leaves: this.#monitor.leaves === 'last' ? 'last' : 'first',
      stepBudget: REMATCH_STEPS,
    });
    const begun = matchings.begin();
    const named = this.#named((k) => matchings.adderOf(k));
    const reading = this.#monitor.read(named.history, this.#spec);
    if (typeof reading === 'string') return undefined;
    return {
      ...reading,
      bytes: reading.bytes + BYTES * named.history.length,
      decide: (search) => {
        if (begun === 'too long') return { kind: 'declined' };
        return begun === 'matched' ? this.#decide(matchings, named, reading, search) : this.#stops(begun);
      },
    };
  }

  #decide(
    matchings: Matchings,
    named: RenamedHistory,
    reading: Reading,
    search: Parameters<Reading['decide']>[0],
    tried = 1,
  ): MonitorResult {
    const { length } = named.history;
    const result = reading.decide(search);
    if (result.kind !== 'violation') return result;
    const refutation = result.refutation;
    const operations = contradictory(refutation, length);
    const next = matchings.avoid(operations);
    if (next === 'always') return this.#asRecorded(refutation, named, operations);
    if (typeof next === 'object') return this.#stops(next);
    if (next === 'too long' || tried === MAX_MATCHINGS || tried * length > MAX_READ)
      return { kind: 'declined' };
    const retry: Reading['decide'] = (more) => {
      const renamed = this.#named((k) => matchings.adderOf(k));
      const reread = this.#monitor.read(renamed.history, this.#spec);
      if (typeof reread === 'string') return { kind: 'declined' };
      return this.#decide(matchings, renamed, reread, more, tried + 1);
    };
    if (tried > 1) return retry(search);
    return {
      kind: 'declined',
      retry,
      budgetsBeforeRetry: this.#monitor.leaves === 'last' ? STACK_BUDGETS : 1,
    };
  }

  /** A refutation that holds under every matching, with the original values. */
  #asRecorded(
    refutation: MonitorRefutation,
    named: RenamedHistory,
    operations: readonly number[],
  ): MonitorResult {
    if (!('cause' in refutation)) return violation({ ...refutation, among: this.#closed(operations) });
    const duplicates = 'interval' in refutation.cause ? this.#onSameValues(operations) : operations;
    // that one duplicate came too late proves nothing if there were others
    if (duplicates.length > operations.length) return this.#stops(duplicates);
    const shown = this.#withOthers(refutation.operations);
    return violation({
      ...refutation,
      operations: shown,
      cause: named.asRecorded(refutation.cause),
    });
  }

  #onSameValues(operations: readonly number[]): number[] {
    const { roles } = this.#epochs;
    const values = new Set(operations.map((k) => roles.touched(k)));
    const isOn = (k: number): boolean => roles.touched(k) >= 0 && values.has(roles.touched(k));
    return Array.from(range(roles.history.length).filter(isOn));
  }

  /** No matching works: a blocked return among all operations on these duplicates. */
  #stops(operations: readonly number[]): MonitorResult {
    const { return: returned } = this.#epochs.roles.history.columns;
    const among = this.#closed(operations);
    let last = UNKNOWN;
    for (let k = 0; k < returned.length; k++)
      if (among(k) && returned[k] !== NEVER && !(returned[k] <= returned[last])) last = k;
    return violation({ operation: last, among });
  }

  /** These operations, all of their epochs, all on initial values, and pending removals. */
  #closed(operations: readonly number[]): (operation: number) => boolean {
    const { of, first, roles } = this.#epochs;
    const own = new Set(operations);
    const touched = new Set(operations.map((k) => of[k]));
    return (k) =>
      own.has(k) ||
      (of[k] >= 0 && (touched.has(of[k]) || first[of[k]] === INITIAL)) ||
      roles.isOpenRemoval(k);
  }

  /**
   * With the operations that determine the names: in the same epochs up to then, and on initial values. If removals are
   * pending, also the later ones of these epochs: only all removals together show that no pending one took a duplicate.
   */
  #withOthers(operations: readonly number[]): number[] {
    const { of, first, value, roles } = this.#epochs;
    const { call, return: returned } = roles.history.columns;
    const last = operations.reduce((m, k) => Math.max(m, returned[k] === NEVER ? call[k] : returned[k]), 0);
    const own = new Set(operations);
    const touched = new Set(operations.map((k) => of[k]));
    const values = new Set(operations.map((k) => roles.touched(k)));
    const isNeeded = (k: number): boolean =>
      (this.#inOrder.has(of[k]) && touched.has(of[k]) && (this.#hasOpen || call[k] < last)) ||
      (first[of[k]] === INITIAL && values.has(value[of[k]]));
    for (let k = 0; k < call.length; k++) if (of[k] >= 0 && isNeeded(k)) own.add(k);
    return [...own];
  }

  #named(matched: (operation: number) => number | undefined): RenamedHistory {
    const { of, first, roles } = this.#epochs;
    const unclear = new Set(this.#unclear);
    const adderOf = (k: number): number => {
      if (unclear.has(of[k])) return matched(k) ?? UNKNOWN;
      return roles.of(k) === 'add' ? k : (this.#inOrder.get(of[k])?.get(k) ?? first[of[k]]);
    };
    return RenamedHistory.of(this.#epochs, adderOf, { ranked: this.#monitor.leaves === 'most urgent' });
  }
}

function some({ history }: ContainerRoles, is: (k: number) => boolean): boolean {
  for (let k = 0; k < history.length; k++) if (is(k)) return true;
  return false;
}

/** The operations that have no linearization according to a refutation. */
function contradictory(refutation: MonitorRefutation, length: number): readonly number[] {
  if ('cause' in refutation) return refutation.operations;
  const { among = () => true } = refutation;
  return Array.from({ length }, (_, k) => k).filter(among);
}
