/** Lanes of operations, each in an order that must be kept, and tables of what must come before what by lane. */
import { NEVER } from '../../history/model/columns.js';
import type { Versions } from './versions.js';

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
