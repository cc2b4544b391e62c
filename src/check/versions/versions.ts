/**
 * Versions of cells. A version is a write and the reads that returned its value. A register is
 * one cell, a map has one per key.
 *
 * Which write a read returns must follow from its value alone: the levels below linearizability ignore real time, so
 * real time must not distinguish equal values. A value that is written twice in a cell therefore has no version, and
 * the operations that saw it are not measured.
 *
 *   present   from then on it was definitely written: the first return of its write or of a read of it
 *   written   the call of its write
 *
 * Cost: O(n).
 */

import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Spec } from '../../spec/spec.js';
import {
  type Acts,
  DIFFERS,
  IDLE,
  mapActs,
  NO_VALUE,
  READ,
  registerActs,
  SWAP,
  TAKE,
} from '../monitors/register/operations.js';

/** The kinds of objects with cells, and how they are read. */
export const CELLS: ReadonlyMap<string, (history: History, spec: Spec) => Acts | string> = new Map([
  ['register', registerActs],
  ['cas-register', registerActs],
  ['map', mapActs],
  ['map-previous', mapActs],
]);

/** Instead of a version: the value was never written; it was written more than once; the operation saw none. */
export const NEVER_WRITTEN = -1;
const [AMBIGUOUS, NO_VERSION] = [-2, -3];

/** Before all events: when the initial value was written. */
const BEFORE_ALL = -1;

export class Versions {
  readonly acts: Acts;
  /** Of each operation, the version that it wrote and the version that it saw. */
  readonly wrote: Int32Array;
  readonly saw: Int32Array;
  /** Of each version, its cell; and its write, or -1 for the initial value. */
  readonly cell: number[] = [];
  readonly write: number[] = [];
  readonly written: number[] = [];
  readonly present: number[] = [];
  /** The operation whose return shows that the version is present; -1 for the initial value. */
  readonly shownBy: number[] = [];
  /** Why the levels that need one order of versions are not measured, by cell. */
  readonly unmeasured: ReadonlyMap<number, string>;

  /** `mayOverlap`: calls of one process may overlap, since a clock error has widened their intervals. */
  constructor(acts: Acts, mayOverlap = false) {
    this.acts = acts;
    const { history, role, cell, made, seen, initial } = acts;
    const { call, return: returned } = history.columns;
    this.wrote = new Int32Array(history.length).fill(NO_VERSION);
    this.saw = new Int32Array(history.length).fill(NO_VERSION);
    const numbers = new PairMap();
    for (let own = 0; own < acts.cells; own++) {
      numbers.add(own, initial, this.cell.length);
      this.#add(own, -1, BEFORE_ALL, BEFORE_ALL);
    }
    const isAmbiguous: boolean[] = [];
    for (let k = 0; k < history.length; k++) {
      if (made[k] === NO_VALUE) continue;
      const known = numbers.get(cell[k], made[k]);
      // each write has a version; only the first of a value is found by it
      if (known === ABSENT) numbers.add(cell[k], made[k], this.cell.length);
      else isAmbiguous[known] = true;
      this.wrote[k] = this.cell.length;
      this.#add(cell[k], k, call[k], returned[k]);
    }
    for (let k = 0; k < history.length; k++) {
      if (seen[k] === NO_VALUE || role[k] === DIFFERS) continue;
      const version = numbers.get(cell[k], seen[k]);
      if (version === ABSENT) this.saw[k] = NEVER_WRITTEN;
      else if (isAmbiguous[version]) this.saw[k] = AMBIGUOUS;
      else {
        this.saw[k] = version;
        if (returned[k] >= this.present[version]) continue;
        this.present[version] = returned[k];
        this.shownBy[version] = k;
      }
    }
    this.unmeasured = this.#findUnmeasured(mayOverlap);
  }

  #add(cell: number, write: number, written: number, present: number): void {
    this.cell.push(cell);
    this.write.push(write);
    this.written.push(written);
    this.present.push(present);
    this.shownBy.push(write);
  }

  get count(): number {
    return this.cell.length;
  }

  /** Whether the version was certainly written: its write returned, or a read returned it. */
  tookEffect(version: number): boolean {
    return this.present[version] !== NEVER;
  }

  /** Whether it returned the value of a version and wrote nothing. */
  isRead(k: number): boolean {
    return this.acts.role[k] === READ && this.saw[k] >= 0;
  }

  #findUnmeasured(mayOverlap: boolean): Map<number, string> {
    const { role, cell, history } = this.acts;
    const { process, call, return: returned } = history.columns;
    const reasons = new Map<number, string>();
    /** Of each process, the last return so far. */
    const lastReturn = new Map<number, number>();
    for (let k = 0; k < history.length; k++) {
      if (role[k] === IDLE) continue;
      const last = lastReturn.get(process[k]) ?? BEFORE_ALL;
      const reason = last > call[k] && !mayOverlap ? 'calls of one process overlap' : this.#obstacle(k);
      if (reason !== undefined && !reasons.has(cell[k])) reasons.set(cell[k], reason);
      if (returned[k] !== NEVER) lastReturn.set(process[k], Math.max(last, returned[k]));
    }
    return reasons;
  }

  #obstacle(k: number): string | undefined {
    const { role, made, initial } = this.acts;
    if (this.saw[k] === AMBIGUOUS) return 'a value was written more than once';
    if (this.saw[k] === NEVER_WRITTEN) return 'a value was never written';
    if (role[k] === SWAP || role[k] === DIFFERS) return 'an operation reads and writes at once';
    if (role[k] === TAKE || made[k] === initial) return 'the initial value was written again';
    return undefined;
  }
}

/** Adds an item to the list of a key. */
export function addTo(lists: Map<number, number[]>, key: number, item: number): void {
  const own = lists.get(key);
  if (own) own.push(item);
  else lists.set(key, [item]);
}

/** Of each cell, its versions that took effect. */
export function versionsByCell(versions: Versions): Map<number, number[]> {
  const byCell = new Map<number, number[]>();
  for (let version = 0; version < versions.count; version++)
    if (versions.tookEffect(version)) addTo(byCell, versions.cell[version], version);
  return byCell;
}

/* Lanes of operations, each in an order that must be kept, and tables of what must come before what by lane. */

/** Operations in an order that must be kept, behind another operation if it is a pending write. */
export interface Lane {
  readonly operations: readonly number[];
  readonly behind: number | undefined;
}

/** The returned operations of each process; each pending write that was seen has a lane of its own. */
export function lanesOf(versions: Versions): Lane[] {
  const { acts, wrote, saw } = versions;
  const { process, return: returned } = acts.history.columns;
  const byProcess = new Map<number, number[]>();
  const pending: Lane[] = [];
  for (let k = 0; k < process.length; k++) {
    const own = byProcess.get(process[k]) ?? [];
    byProcess.set(process[k], own);
    if (returned[k] !== NEVER && (wrote[k] >= 0 || saw[k] >= 0)) own.push(k);
    else if (wrote[k] >= 0 && versions.tookEffect(wrote[k]))
      pending.push({ operations: [k], behind: own.at(-1) });
  }
  const lanes = [...byProcess.values()].filter((own) => own.length > 0);
  return [...lanes.map((operations) => ({ operations, behind: undefined })), ...pending];
}

/** Of each row and lane, the last place in that lane that must come before; -1 if there is none. */
export class LastPlaces {
  readonly lanes: number;
  readonly #places: Int32Array;

  constructor(rows: number, lanes: number) {
    this.lanes = lanes;
    this.#places = new Int32Array(rows * lanes).fill(-1);
  }

  at(row: number, lane: number): number {
    return this.#places[row * this.lanes + lane];
  }

  /** Sets a whole row. */
  set(row: number, places: Int32Array): void {
    this.#places.set(places, row * this.lanes);
  }

  /** A row becomes the maximum of itself and of a row of another table. Has it grown? */
  addRow(row: number, other: LastPlaces, from: number): boolean {
    const { lanes } = this;
    const [target, source] = [this.#places, other.#places];
    let hasGrown = false;
    for (let lane = 0; lane < lanes; lane++) {
      const place = source[from * lanes + lane];
      if (place <= target[row * lanes + lane]) continue;
      target[row * lanes + lane] = place;
      hasGrown = true;
    }
    return hasGrown;
  }

  /** Adds a place to a row. Has it grown? */
  add(row: number, lane: number, place: number): boolean {
    const entry = row * this.lanes + lane;
    if (this.#places[entry] >= place) return false;
    this.#places[entry] = place;
    return true;
  }

  /** The places now; `restore` takes them back. */
  save(): Int32Array {
    return this.#places.slice();
  }

  restore(places: Int32Array): void {
    this.#places.set(places);
  }
}
