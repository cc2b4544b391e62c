/**
 * Orders of registers and maps with distinct values that keep the order of each process, and with `inTime` also that of
 * real time: what must come before what, then a greedy order. Without real time, this is sequential consistency.
 *
 *   R. Zennou, A. Bouajjani, C. Enea, M. Erradi. Gradual consistency checking. CAV 2019 (the idea).
 *
 * *Saturation* computes a vector clock of each operation: for each lane, the last operation that must precede it.
 *
 *   1. An operation comes after those before it in its lane, and a read after its write.
 *   2. If some operation of version A comes before some operation of version B of the same cell, all of A comes before
 *      the write of B, because versions are contiguous.
 *   3. The initial version of a cell comes before all others.
 *
 * If an operation precedes itself, there is no order. Otherwise a *greedy* search takes reads as soon as their version
 * is present, and a write only if no read of the current version of its cell is left; of several writes, the one that was
 * recorded first, or the first by a hint.
 *
 * If it gets stuck, writes wait in a ring: each waits for reads of the version that its cell holds, and these wait for the
 * next write. In every order, some write of the ring comes before the version that its cell holds; otherwise each would
 * come after the next one. So one of these orders is assumed, and all starts again; if that has no order, the opposite
 * holds. An order that is found is verified by others.
 *
 * Cost: O(n · p) per sweep for p lanes, and few sweeps; O(n · p²) for a greedy search. The limits bound how often
 * this is repeated.
 */
import { NEVER } from '../../history/model/columns.js';
import { type Lane, LastPlaces, lanesOf, type Versions } from './versions.js';

/** More entries of vector clocks are not stored. */
const MOST_ENTRIES = 50_000_000;

/** When to stop without a decision. */
export interface SaturationLimits {
  /** The most that a greedy search may cost: operations times the square of lanes. */
  readonly mostWork: number;
  /** Orders that are assumed at most, before the search gives up. */
  readonly mostAttempts: number;
  /** Polled now and then; `true` stops. */
  readonly isOver: () => boolean;
}

/** The hint that orders writes: the least first. */
export type Hint = (operation: number) => number;

/** Positions of the operations in an order; that there is none; or undefined if that is not known. */
export function orderByVersions(
  versions: Versions,
  limits: SaturationLimits,
): { readonly order: readonly number[] | undefined } | undefined {
  const saturation = Saturation.of(versions, limits);
  const result = saturation?.decide();
  return result === undefined || result === 'unknown'
    ? undefined
    : { order: result === 'none' ? undefined : result };
}

/** A write waits, because reads of the version that its cell holds are left. Both are versions. */
interface Waiting {
  readonly next: number;
  readonly current: number;
}

export class Saturation {
  readonly #versions: Versions;
  readonly #lanes: readonly Lane[];
  /** All operations, in the order of their calls. */
  readonly #operations: readonly number[];
  /** Of each operation, its lane and its place in it. */
  readonly #lane: Int32Array;
  readonly #place: Int32Array;
  /** Of each operation and of each version, and each lane: the last place there that must come before it. */
  readonly #before: LastPlaces;
  readonly #within: LastPlaces;
  /** Of each cell and lane, the places of the operations on it, and their versions. */
  readonly #onCell: readonly (readonly { readonly places: Int32Array; readonly versions: Int32Array }[])[];
  /** Of each version, those that are assumed to come before it. */
  readonly #assumed = new Map<number, number[]>();
  readonly #limits: SaturationLimits;
  #attempts = 0;
  #hint: Hint;
  #isHinted = false;

  /** Undefined if some cell cannot be measured, or if it would cost too much. */
  static of(versions: Versions, limits: SaturationLimits): Saturation | undefined {
    if (versions.unmeasured.size > 0) return undefined;
    const lanes = lanesOf(versions);
    const work = versions.saw.length * lanes.length ** 2;
    if (work > limits.mostWork || (versions.count + versions.saw.length) * lanes.length > MOST_ENTRIES)
      return undefined;
    return new Saturation(versions, lanes, limits);
  }

  private constructor(versions: Versions, lanes: readonly Lane[], limits: SaturationLimits) {
    const { acts } = versions;
    this.#versions = versions;
    this.#lanes = lanes;
    this.#limits = limits;
    this.#lane = new Int32Array(acts.history.length);
    this.#place = new Int32Array(acts.history.length);
    this.#before = new LastPlaces(acts.history.length, lanes.length);
    this.#within = new LastPlaces(versions.count, lanes.length);
    const onCell = Array.from({ length: acts.cells }, () => lanes.map((): number[] => []));
    lanes.forEach(({ operations }, lane) => {
      operations.forEach((k, place) => {
        this.#lane[k] = lane;
        this.#place[k] = place;
        onCell[acts.cell[k]][lane].push(k);
      });
    });
    const { wrote, saw } = versions;
    this.#onCell = onCell.map((own) =>
      own.map((operations) => ({
        places: Int32Array.from(operations, (k) => this.#place[k]),
        versions: Int32Array.from(operations, (k) => (wrote[k] >= 0 ? wrote[k] : saw[k])),
      })),
    );
    this.#operations = lanes.flatMap(({ operations }) => operations).sort((a, b) => a - b);
    const { call, return: returned } = acts.history.columns;
    this.#hint = (k) => (returned[k] === NEVER ? 2 * call[k] : call[k] + returned[k]);
  }

  /** The number of lanes, and the lane of an operation. */
  get lanes(): number {
    return this.#lanes.length;
  }

  laneOf(k: number): number {
    return this.#lane[k];
  }

  /** Adds the order of real time, and what follows. False: there is no order. */
  addTime(): boolean {
    const { events } = this.#versions.acts.history.columns;
    const size = this.#lanes.length;
    const returned = new Int32Array(size).fill(-1);
    const isPlaced = new Uint8Array(this.#lane.length);
    for (const k of this.#operations) isPlaced[k] = 1;
    for (const event of events) {
      const k = event < 0 ? ~event : event;
      if (isPlaced[k] === 0) continue;
      if (event >= 0) this.#before.set(k, returned);
      else returned[this.#lane[k]] = Math.max(returned[this.#lane[k]], this.#place[k]);
    }
    return this.#saturate();
  }

  /** Passes pairs of operations of different lanes of which the first must come before the second: those that restrict most. */
  forEachPair(each: (first: number, second: number) => void): void {
    const { wrote, saw, write } = this.#versions;
    const size = this.#lanes.length;
    for (const k of this.#operations) {
      const source = wrote[k] < 0 ? write[saw[k]] : -1;
      if (source >= 0 && this.#lane[source] !== this.#lane[k]) each(source, k);
      for (let lane = 0; lane < size; lane++) {
        const place = this.#before.at(k, lane);
        if (place >= 0 && lane !== this.#lane[k]) each(this.#lanes[lane].operations[place], k);
      }
    }
  }

  /** An order, with a hint for the next attempts. */
  decideBy(hint: Hint): ReturnType<Saturation['decide']> {
    this.#hint = hint;
    this.#isHinted = true;
    this.#attempts = 0;
    return this.decide();
  }

  /** An order; that there is none under the assumptions; or that this is not known. */
  decide(): readonly number[] | 'none' | 'unknown' {
    if (++this.#attempts > this.#limits.mostAttempts || this.#limits.isOver()) return 'unknown';
    const [before, within] = [this.#before.save(), this.#within.save()];
    const result = this.#saturate() ? this.#search() : 'none';
    this.#before.restore(before);
    this.#within.restore(within);
    return result;
  }

  #search(): readonly number[] | 'none' | 'unknown' {
    const found = this.#greedyOrder();
    if ('order' in found) return found.order;
    const made: number[] = [];
    const assume = (first: number, then: number): void => {
      this.#assumed.set(then, [...(this.#assumed.get(then) ?? []), first]);
      made.push(then);
    };
    const takeBack = (): void => {
      this.#assumed.get(made.pop() as number)?.pop();
    };
    let result: ReturnType<Saturation['decide']> = found.ring.length === 0 ? 'unknown' : 'none';
    for (const { next, current } of found.ring) {
      assume(next, current);
      result = this.decide();
      takeBack();
      if (result !== 'none') break;
      assume(current, next);
    }
    while (made.length > 0) takeBack();
    return result;
  }

  /** Whether no operation must precede itself. */
  #saturate(): boolean {
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false;
      for (const k of this.#operations) {
        if (this.#extend(k)) hasChanged = true;
        if (this.#before.at(k, this.#lane[k]) >= this.#place[k]) return false;
      }
    }
    return true;
  }

  /** Adds what must precede an operation by the three rules. */
  #extend(k: number): boolean {
    const { wrote, saw, write, cell } = this.#versions;
    const { operations, behind } = this.#lanes[this.#lane[k]];
    const previous = this.#place[k] > 0 ? operations[this.#place[k] - 1] : behind;
    const version = wrote[k] >= 0 ? wrote[k] : saw[k];
    let hasChanged = previous !== undefined && this.#addOperation(k, previous);
    if (wrote[k] < 0) {
      if (write[version] >= 0 && this.#addOperation(k, write[version])) hasChanged = true;
    } else {
      if (this.#addVersionsBefore(k, version)) hasChanged = true;
      for (const other of this.#assumed.get(version) ?? []) if (this.#addVersion(k, other)) hasChanged = true;
      // the initial version of a cell has its number
      if (this.#addVersion(k, cell[version])) hasChanged = true;
    }
    return (
      this.#within.addRow(version, this.#before, k) ||
      this.#within.add(version, this.#lane[k], this.#place[k]) ||
      hasChanged
    );
  }

  /** In each lane, the version of the last operation on the cell that comes before some operation of this version comes first. */
  #addVersionsBefore(k: number, version: number): boolean {
    const lanes = this.#onCell[this.#versions.cell[version]];
    let hasGrown = false;
    for (let lane = 0; lane < lanes.length; lane++) {
      const bound = this.#within.at(version, lane);
      if (bound < 0) continue;
      const { places, versions } = lanes[lane];
      let [low, high] = [0, places.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (places[middle] > bound) high = middle;
        else low = middle + 1;
      }
      do low--;
      while (low >= 0 && versions[low] === version);
      if (low >= 0 && this.#addVersion(k, versions[low])) hasGrown = true;
    }
    return hasGrown;
  }

  #addOperation(k: number, earlier: number): boolean {
    const hasGrown = this.#before.addRow(k, this.#before, earlier);
    return this.#before.add(k, this.#lane[earlier], this.#place[earlier]) || hasGrown;
  }

  #addVersion(k: number, version: number): boolean {
    return this.#before.addRow(k, this.#within, version);
  }

  /** An order that respects what was found, or the ring in which the greedy search got stuck. */
  #greedyOrder(): { readonly order: readonly number[] } | { readonly ring: readonly Waiting[] } {
    const { wrote, saw, acts } = this.#versions;
    const hint = this.#hint;
    const readsLeft = new Int32Array(this.#versions.count);
    for (const k of this.#operations) if (wrote[k] < 0) readsLeft[saw[k]]++;
    const current = Int32Array.from({ length: acts.cells }, (_, cell) => cell);
    const places = new Int32Array(this.#lanes.length);
    const order: number[] = [];
    const take = (k: number): void => {
      places[this.#lane[k]]++;
      order.push(k);
    };
    while (order.length < this.#operations.length) {
      const taken = order.length;
      let best: number | undefined;
      for (const { operations } of this.#lanes) {
        let next = this.#nextOf(operations, places);
        while (next !== undefined && wrote[next] < 0 && saw[next] === current[acts.cell[next]]) {
          readsLeft[saw[next]]--;
          take(next);
          next = this.#nextOf(operations, places);
        }
        if (next === undefined || wrote[next] < 0 || readsLeft[current[acts.cell[next]]] > 0) continue;
        if (best === undefined || hint(next) < hint(best)) best = next;
      }
      if (order.length > taken) continue;
      if (best === undefined) return { ring: this.#ringOf(places, current, readsLeft) };
      current[acts.cell[best]] = wrote[best];
      take(best);
    }
    return { order };
  }

  /** The writes that wait for each other, the one that was recorded earliest in comparison first; empty if there is none. */
  #ringOf(places: Int32Array, current: Int32Array, readsLeft: Int32Array): readonly Waiting[] {
    const { wrote, saw, write, acts } = this.#versions;
    /** The first operation before this one, or itself, that is left and has everything before it. */
    const firstBefore = (begin: number): number => {
      for (let k = begin; ; ) {
        const lane = places.findIndex((place, own) => this.#before.at(k, own) >= place);
        if (lane < 0) return k;
        k = this.#lanes[lane].operations[places[lane]];
      }
    };
    const isLeft = (k: number): boolean => this.#place[k] >= places[this.#lane[k]];
    const seen = new Map<number, number>();
    const path: Waiting[] = [];
    let k = firstBefore(this.#operations.find(isLeft) as number);
    while (!seen.has(k)) {
      const held = current[acts.cell[k]];
      if (wrote[k] < 0 || readsLeft[held] === 0) return [];
      seen.set(k, path.length);
      path.push({ next: wrote[k], current: held });
      k = firstBefore(
        this.#operations.find((own) => wrote[own] < 0 && saw[own] === held && isLeft(own)) as number,
      );
    }
    const lead = ({ next, current: held }: Waiting): number =>
      this.#isHinted ? this.#hint(write[next]) - this.#hint(write[held]) : write[next] - write[held];
    // nothing comes before an initial version
    return path
      .slice(seen.get(k))
      .filter(({ current: held }) => write[held] >= 0)
      .sort((a, b) => lead(a) - lead(b));
  }

  /** The next operation of a lane, if everything that must come before it has been taken. */
  #nextOf(operations: readonly number[], places: Int32Array): number | undefined {
    const k = operations[places[this.#lane[operations[0]]]];
    if (k === undefined) return undefined;
    for (let lane = 0; lane < places.length; lane++)
      if (this.#before.at(k, lane) >= places[lane]) return undefined;
    return k;
  }
}
