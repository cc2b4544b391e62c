/**
 * Sequential consistency of registers and maps with distinct values: what must come before what, then a greedy order.
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
 * recorded first.
 *
 * If it gets stuck, writes wait in a ring: each waits for reads of the version that its cell holds, and these wait for the
 * next write. In every order, some write of the ring comes before the version that its cell holds; otherwise each would
 * come after the next one. So one of these orders is assumed, and all starts again; if that has no order, the opposite
 * holds. An order that is found is verified by others.
 *
 * Cost: O(n · p) per sweep for p lanes, and few sweeps; O(n · p²) for a greedy search. The limits bound how often
 * this is repeated.
 */
import { NEVER } from '../history/model/columns.js';
import type { Versions } from './versions.js';

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

/** Positions of the operations in an order; that there is none; or undefined if that is not known. */
export function orderByVersions(
  versions: Versions,
  limits: SaturationLimits,
): { readonly order: readonly number[] | undefined } | undefined {
  if (versions.unmeasured.size > 0) return undefined;
  const lanes = lanesOf(versions);
  const work = versions.saw.length * lanes.length ** 2;
  if (work > limits.mostWork || (versions.count + versions.saw.length) * lanes.length > MOST_ENTRIES)
    return undefined;
  const result = new Saturation(versions, lanes, limits).decide();
  return result === 'unknown' ? undefined : { order: result === 'none' ? undefined : result };
}

/** Operations in an order that must be kept, behind another operation if it is a pending write. */
interface Lane {
  readonly operations: readonly number[];
  readonly behind: number | undefined;
}

/** The returned operations of each process; each pending write that was seen has a lane of its own. */
function lanesOf(versions: Versions): Lane[] {
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

/** A write waits, because reads of the version that its cell holds are left. Both are versions. */
interface Waiting {
  readonly next: number;
  readonly current: number;
}

class Saturation {
  readonly #versions: Versions;
  readonly #lanes: readonly Lane[];
  /** All operations, in the order of their calls. */
  readonly #operations: readonly number[];
  /** Of each operation, its lane and its place in it. */
  readonly #lane: Int32Array;
  readonly #place: Int32Array;
  /** Of each operation and of each version, and each lane: the last place there that must come before it. */
  readonly #before: Int32Array;
  readonly #within: Int32Array;
  /** Of each cell and lane, the operations on it. */
  readonly #onCell: readonly (readonly (readonly number[])[])[];
  /** Of each version, those that are assumed to come before it. */
  readonly #assumed = new Map<number, number[]>();
  readonly #limits: SaturationLimits;
  #attempts = 0;

  constructor(versions: Versions, lanes: readonly Lane[], limits: SaturationLimits) {
    const { acts } = versions;
    this.#versions = versions;
    this.#lanes = lanes;
    this.#limits = limits;
    this.#lane = new Int32Array(acts.history.length);
    this.#place = new Int32Array(acts.history.length);
    this.#before = new Int32Array(acts.history.length * lanes.length).fill(-1);
    this.#within = new Int32Array(versions.count * lanes.length).fill(-1);
    const onCell = Array.from({ length: acts.cells }, () => lanes.map((): number[] => []));
    lanes.forEach(({ operations }, lane) => {
      operations.forEach((k, place) => {
        this.#lane[k] = lane;
        this.#place[k] = place;
        onCell[acts.cell[k]][lane].push(k);
      });
    });
    this.#onCell = onCell;
    this.#operations = lanes.flatMap(({ operations }) => operations).sort((a, b) => a - b);
  }

  /** An order; that there is none under the assumptions; or that this is not known. */
  decide(): readonly number[] | 'none' | 'unknown' {
    if (++this.#attempts > this.#limits.mostAttempts || this.#limits.isOver()) return 'unknown';
    const [before, within] = [this.#before.slice(), this.#within.slice()];
    const result = this.#saturate() ? this.#search() : 'none';
    this.#before.set(before);
    this.#within.set(within);
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
        if (this.#before[k * this.#lanes.length + this.#lane[k]] >= this.#place[k]) return false;
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
      for (const other of this.#versionsBefore(version)) if (this.#addVersion(k, other)) hasChanged = true;
      for (const other of this.#assumed.get(version) ?? []) if (this.#addVersion(k, other)) hasChanged = true;
      // the initial version of a cell has its number
      if (this.#addVersion(k, cell[version])) hasChanged = true;
    }
    return (
      this.#addTo(this.#within, version, this.#before, k) ||
      this.#mark(this.#within, version, k) ||
      hasChanged
    );
  }

  /** In each lane, the version of the last operation on the cell that comes before some operation of this version. */
  *#versionsBefore(version: number): Iterable<number> {
    const { wrote, saw, cell } = this.#versions;
    const lanes = this.#onCell[cell[version]];
    for (let lane = 0; lane < lanes.length; lane++) {
      const bound = this.#within[version * lanes.length + lane];
      const own = lanes[lane];
      let [low, high] = [0, own.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (this.#place[own[middle]] > bound) high = middle;
        else low = middle + 1;
      }
      for (let i = low - 1; i >= 0; i--) {
        const other = wrote[own[i]] >= 0 ? wrote[own[i]] : saw[own[i]];
        if (other === version) continue;
        yield other;
        break;
      }
    }
  }

  #addOperation(k: number, earlier: number): boolean {
    const hasGrown = this.#addTo(this.#before, k, this.#before, earlier);
    return this.#mark(this.#before, k, earlier) || hasGrown;
  }

  #addVersion(k: number, version: number): boolean {
    return this.#addTo(this.#before, k, this.#within, version);
  }

  /** Row `to` of a table becomes the maximum of itself and of a row of another. */
  #addTo(target: Int32Array, to: number, source: Int32Array, from: number): boolean {
    const size = this.#lanes.length;
    let hasGrown = false;
    for (let lane = 0; lane < size; lane++) {
      const place = source[from * size + lane];
      if (place <= target[to * size + lane]) continue;
      target[to * size + lane] = place;
      hasGrown = true;
    }
    return hasGrown;
  }

  /** Adds an operation itself to a row. */
  #mark(target: Int32Array, to: number, k: number): boolean {
    const entry = to * this.#lanes.length + this.#lane[k];
    if (target[entry] >= this.#place[k]) return false;
    target[entry] = this.#place[k];
    return true;
  }

  /** An order that respects what was found, or the ring in which the greedy search got stuck. */
  #greedyOrder(): { readonly order: readonly number[] } | { readonly ring: readonly Waiting[] } {
    const { wrote, saw, acts } = this.#versions;
    const { call, return: returned } = acts.history.columns;
    const readsLeft = new Int32Array(this.#versions.count);
    for (const k of this.#operations) if (wrote[k] < 0) readsLeft[saw[k]]++;
    const current = Int32Array.from({ length: acts.cells }, (_, cell) => cell);
    const places = new Int32Array(this.#lanes.length);
    const order: number[] = [];
    const middle = (k: number): number => (returned[k] === NEVER ? 2 * call[k] : call[k] + returned[k]);
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
        if (best === undefined || middle(next) < middle(best)) best = next;
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
        const row = k * places.length;
        const lane = places.findIndex((place, own) => this.#before[row + own] >= place);
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
    const lead = ({ next, current: held }: Waiting): number => write[next] - write[held];
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
    const row = k * places.length;
    for (let lane = 0; lane < places.length; lane++)
      if (this.#before[row + lane] >= places[lane]) return undefined;
    return k;
  }
}
