/**
 * Values that are put into a container more than once, read as if each copy had a name.
 *
 * Real time (`generations`), or turns (`turns`), tell most copies apart. For the rest, one matching of answers with
 * copies after another is decided by the monitor (`matchings`):
 *
 *   A container treats all values alike, so an order with the names is one without; and an order without them says which copy each answer
 *   gives, and so is an order of the history named by that matching. So there is an order exactly if there is one of some matching.
 *
 * What contradicts itself under one matching is remembered, and no matching is tried that it rules out. If none is left, the operations
 * that were in each other's way have no order, and a search of these alone tells where it stops. Mostly the first matching does, or
 * what contradicts itself there does so in all; so after it, a search of the whole may have a look before the others are tried. If
 * there are too many to try, the whole is left to it. Cost: that of the monitor, for each matching tried.
 */

import { range } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { violation } from '../../model/verdict.js';
import type { Monitor, MonitorRefutation, MonitorResult, Reading } from '../common/monitor.js';
import { Matchings } from './matchings.js';
import { RenamedHistory } from './renamed-history.js';
import { ContainerRoles, INITIAL, UNKNOWN, Versions } from './versions.js';

/*
 * Copies of a value that are inside together, where the first copy to come is the first to go: told apart by their turns.
 *
 * The first put of a generation to be called is taken to be of the first copy, and so on, and the same with its removals; the n-th removal
 * gives the n-th copy. That changes nothing if of two puts the one that is called first returns first, and so
 * with the removals:
 *
 *   An order with copies told apart is one of the original, since the container treats all values alike.
 *   Take an order of the original in which q, called later than p, comes before it, both putting the value in. Then q also
 *   returns later, so each was open at both places (p from its call, before q's, to its return, behind its own place): they
 *   change places, and no answer changes. When all are in turn, the n-th removal gives the n-th copy, first in first out.
 *
 * Who only looked at a copy is in no turn; nor is who never returned and may have taken one, which can be if some are left.
 * Cost: O(n).
 */

/** Whoever gives a copy to who put it in, or INITIAL. */
type Copies = ReadonlyMap<number, number>;

/** Undefined where it is not clear whose turn it is. `hasOpen`: some removals never returned. */
function fifoCopies(generations: Versions, generation: number, hasOpen: boolean): Copies | undefined {
  const { roles, puts, removals, peeks } = generations;
  const { return: returned } = roles.history.columns;
  if (peeks[generation] > 0 || removals[generation] > puts[generation]) return undefined;
  if (hasOpen && removals[generation] < puts[generation]) return undefined;
  const putters = generations.first[generation] === INITIAL ? [INITIAL] : [];
  const takers: number[] = [];
  const isInTurn = (k: number, list: readonly number[]): boolean => {
    const before = list.at(-1) ?? INITIAL;
    return before === INITIAL || returned[before] <= returned[k];
  };
  for (const k of generations.members(generation)) {
    const list = roles.of(k) === 'add' ? putters : takers;
    if (!isInTurn(k, list)) return undefined;
    list.push(k);
  }
  return new Map(takers.map((k, i) => [k, putters[i]]));
}

/** So many matchings at most, and in all so many operations; and so many copies looked at in order to find matchings. */
const MAX_MATCHINGS = 30;
const MAX_READ = 3_000_000;
const REMATCH_STEPS = 200_000;
/** A stack's own search mostly decides, where it may try a little more than others need. */
const STACK_BUDGETS = 15;
/** Bytes an operation, beside what the monitor takes: generations, names, and the history with the names. */
const BYTES = 150;

export class Duplicates {
  readonly #monitor: Monitor;
  readonly #spec: Spec;
  readonly #generations: Versions;
  /** What is clear: generation to its copies by turns. */
  readonly #turns = new Map<number, Copies>();
  readonly #unclear: number[] = [];

  constructor(history: History, spec: Spec, monitor: Monitor) {
    this.#monitor = monitor;
    this.#spec = spec;
    const roles = new ContainerRoles(history, spec);
    this.#generations = new Versions(roles);
    const { count } = this.#generations;
    const hasOpen = some(roles, (k) => roles.isOpenRemoval(k));
    for (let g = 0; g < count; g++) {
      if (!this.#generations.isUnclear(g)) continue;
      const copies = monitor.leaves === 'first' ? fifoCopies(this.#generations, g, hasOpen) : undefined;
      if (copies) this.#turns.set(g, copies);
      else this.#unclear.push(g);
    }
  }

  /** The history, with names for all copies that are clear. */
  get clear(): RenamedHistory {
    return this.#named(() => undefined);
  }

  /** Undefined where the monitor can not read even the first guess. */
  read(): Reading | undefined {
    const { roles } = this.#generations;
    if (some(roles, (k) => roles.isCutOff(k))) return undefined;
    const matchings = new Matchings(this.#generations, this.#unclear, {
      leaves: this.#monitor.leaves === 'last' ? 'last' : 'first',
      fuel: REMATCH_STEPS,
    });
    const begun = matchings.begin();
    const named = this.#named((k) => matchings.putterOf(k));
    const reading = this.#monitor.read(named.history, this.#spec);
    if (typeof reading === 'string') return undefined;
    return {
      ...reading,
      bytes: reading.bytes + BYTES * named.history.length,
      model: () => reading.model((value) => named.plainOf(value)),
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
    const ruling = result.refutation;
    const operations = contradictory(ruling, length);
    const next = matchings.avoid(operations);
    if (next === 'always') return this.#asRecorded(ruling, named, operations);
    if (typeof next === 'object') return this.#stops(next);
    if (next === 'too long' || tried === MAX_MATCHINGS || tried * length > MAX_READ)
      return { kind: 'declined' };
    const retry: Reading['decide'] = (more) => {
      const renamed = this.#named((k) => matchings.putterOf(k));
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

  /** These have no order, whatever the matching. */
  #asRecorded(
    ruling: MonitorRefutation,
    named: RenamedHistory,
    operations: readonly number[],
  ): MonitorResult {
    if (!('cause' in ruling)) return violation({ ...ruling, among: this.#closed(operations) });
    const copies = 'stay' in ruling.cause ? this.#onSameValues(operations) : operations;
    // that one copy came too late is no reason by itself where there were others
    if (copies.length > operations.length) return this.#stops(copies);
    const shown = this.#withOthers(ruling.operations);
    return violation({
      ...ruling,
      operations: shown,
      minimal: ruling.minimal && shown.length === ruling.operations.length,
      cause: named.asRecorded(ruling.cause),
    });
  }

  #onSameValues(operations: readonly number[]): number[] {
    const { roles } = this.#generations;
    const values = new Set(operations.map((k) => roles.touched(k)));
    const isOn = (k: number): boolean => roles.touched(k) >= 0 && values.has(roles.touched(k));
    return Array.from(range(roles.history.length).filter(isOn));
  }

  /** No matching does: all on the copies that these are on. */
  #stops(operations: readonly number[]): MonitorResult {
    const { return: returned } = this.#generations.roles.history.columns;
    const among = this.#closed(operations);
    let last = UNKNOWN;
    for (let k = 0; k < returned.length; k++)
      if (among(k) && returned[k] !== NEVER && !(returned[k] <= returned[last])) last = k;
    return violation({ operation: last, among });
  }

  /** These, all of their generations, what becomes of the values that are there at first, and calls that may have taken something. */
  #closed(operations: readonly number[]): (operation: number) => boolean {
    const { of, first, roles } = this.#generations;
    const own = new Set(operations);
    const touched = new Set(operations.map((k) => of[k]));
    return (k) =>
      own.has(k) ||
      (of[k] >= 0 && (touched.has(of[k]) || first[of[k]] === INITIAL)) ||
      roles.isOpenRemoval(k);
  }

  /** With those without which the names would not be the same: in their turns up to then, and on values that were there at first. */
  #withOthers(operations: readonly number[]): number[] {
    const { of, first, value, roles } = this.#generations;
    const { call, return: returned } = roles.history.columns;
    const last = operations.reduce((m, k) => Math.max(m, returned[k] === NEVER ? call[k] : returned[k]), 0);
    const own = new Set(operations);
    const touched = new Set(operations.map((k) => of[k]));
    const values = new Set(operations.map((k) => roles.touched(k)));
    const isNeeded = (k: number): boolean =>
      (this.#turns.has(of[k]) && touched.has(of[k]) && call[k] < last) ||
      (first[of[k]] === INITIAL && values.has(value[of[k]]));
    for (let k = 0; k < call.length; k++) if (of[k] >= 0 && isNeeded(k)) own.add(k);
    return [...own];
  }

  #named(matched: (operation: number) => number | undefined): RenamedHistory {
    const { of, first, roles } = this.#generations;
    const unclear = new Set(this.#unclear);
    const putterOf = (k: number): number => {
      if (unclear.has(of[k])) return matched(k) ?? UNKNOWN;
      return roles.of(k) === 'add' ? k : (this.#turns.get(of[k])?.get(k) ?? first[of[k]]);
    };
    return RenamedHistory.of(this.#generations, putterOf, { ranked: this.#monitor.leaves === 'most urgent' });
  }
}

function some({ history }: ContainerRoles, is: (k: number) => boolean): boolean {
  for (let k = 0; k < history.length; k++) if (is(k)) return true;
  return false;
}

/** The operations that a ruling says have no order. */
function contradictory(ruling: MonitorRefutation, length: number): readonly number[] {
  if ('cause' in ruling) return ruling.operations;
  const { among = () => true } = ruling;
  return Array.from({ length }, (_, k) => k).filter(among);
}
