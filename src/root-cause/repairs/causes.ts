/**
 * The repairs of all violations that are known so far.
 *
 * Many traces have equal repairs and count once. A violation without any repair is equivalent to a sequential run: the object is
 * incorrect without concurrency, and no block helps.
 */
import type { AccessTrace } from './access-trace.js';
import { operationsOf } from './access-trace.js';
import { eliminatorsOf } from './eliminators.js';
import { combine, merged, type Repair, repairKey } from './repair.js';
import { type PlaceOf, sourceBlock } from './source-block.js';

export class Causes {
  /** Was an enumeration cut off? */
  isCut = false;
  /** Is there a trace that no repair eliminates? */
  isBeyondRepair = false;
  readonly #placeOf: PlaceOf;
  /** The repairs of each trace, by their keys. */
  readonly #repairs = new Map<string, readonly Repair[]>();

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  /** The number of traces with different repairs. */
  get different(): number {
    return this.#repairs.size;
  }

  /** Adds a trace. Does it have other repairs than those before, the same, or none? */
  add(trace: AccessTrace): 'new' | 'known' | 'none' {
    const { sets, isCut } = eliminatorsOf(trace);
    const operations = operationsOf(trace);
    const repairs = sets.flatMap((segments) => {
      const blocks = segments.map(({ operation, from, to }) =>
        sourceBlock(operations[operation].slice(from, to + 1), this.#placeOf),
      );
      return blocks.every((block) => block !== undefined) ? [merged(blocks)] : [];
    });
    this.isCut ||= isCut;
    this.isBeyondRepair ||= sets.length === 0 && !isCut;
    const key = [...new Set(repairs.map(repairKey))].sort().join('\n');
    if (repairs.length === 0) return 'none';
    if (this.#repairs.has(key)) return 'known';
    this.#repairs.set(key, repairs);
    return 'new';
  }

  /** Repairs of all traces. */
  combined(): readonly Repair[] {
    if (this.#repairs.size === 0) return [];
    const { repairs, isCut } = combine([...this.#repairs.values()]);
    this.isCut ||= isCut;
    return repairs;
  }

  /** Repairs of single traces. */
  single(): Repair[] {
    return [...new Map([...this.#repairs.values()].flat().map((one) => [repairKey(one), one])).values()];
  }
}
