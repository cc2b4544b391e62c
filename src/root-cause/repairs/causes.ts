/**
 * The causes of all violations that are known so far, as one repair for all of them.
 *
 * Many traces have the same repairs, and count once. One that no repair eliminates is wrong though its calls could
 * have come one after another: then the object is wrong without any other thread, and no block helps.
 */
import type { AccessTrace } from './access-trace.js';
import { operationsOf } from './access-trace.js';
import { eliminatorsOf } from './eliminators.js';
import { combine, merged, type Repair, repairKey } from './repair.js';
import { type PlaceOf, sourceBlock } from './source-block.js';

export class Causes {
  /** Was some enumeration cut off? */
  isCut = false;
  /** Is there a trace that nothing eliminates? */
  isBeyondRepair = false;
  readonly #placeOf: PlaceOf;
  /** The repairs of each trace, by their keys. */
  readonly #repairs = new Map<string, readonly Repair[]>();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** How many traces differ in what repairs them. */
  get different(): number {
    return this.#repairs.size;
  }

  /** Tells whether the trace is new: whether it has other repairs than those before. */
  add(trace: AccessTrace): boolean {
    const { sets, isCut } = eliminatorsOf(trace);
    const operations = operationsOf(trace);
    const repairs = sets.map((segments) =>
      merged(
        segments.map(({ operation, from, to }) =>
          sourceBlock(operations[operation].slice(from, to + 1), this.#placeOf),
        ),
      ),
    );
    this.isCut ||= isCut;
    this.isBeyondRepair ||= repairs.length === 0 && !isCut;
    const key = [...new Set(repairs.map(repairKey))].sort().join('\n');
    if (repairs.length === 0 || this.#repairs.has(key)) return false;
    this.#repairs.set(key, repairs);
    return true;
  }

  /** Repairs of all. */
  combined(): readonly Repair[] {
    if (this.#repairs.size === 0) return [];
    const { repairs, isCut } = combine([...this.#repairs.values()]);
    this.isCut ||= isCut;
    return repairs;
  }

  /** Repairs of one or some. */
  single(): Repair[] {
    return [...new Map([...this.#repairs.values()].flat().map((one) => [repairKey(one), one])).values()];
  }
}
