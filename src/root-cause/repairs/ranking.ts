/**
 * Which repair comes first: the one that forbids the fewest executions that were right (CAV 2020, §6.2), since
 * cycles that do no harm are no cause; and of those that forbid as many, the smaller one.
 */
import type { AccessTrace } from './access-trace.js';
import { forbids } from './forbids.js';
import { compareSizes, type Repair } from './repair.js';
import type { PlaceOf } from './source-block.js';

export interface Ranked {
  readonly repair: Repair;
  /** How many of the executions that were right it forbids. */
  readonly forbidden: number;
  /** From 1. Those that forbid as many are of one rank. */
  readonly rank: number;
}

/** Takes traces of what was right, without real time: an execution of a class is enough for it to be allowed. */
export function ranked(
  repairs: readonly Repair[],
  passing: readonly AccessTrace[],
  placeOf: PlaceOf,
): Ranked[] {
  const counted = repairs.map((repair) => ({
    repair,
    forbidden: passing.filter((trace) => forbids(repair, trace, placeOf)).length,
  }));
  return counted
    .sort((a, b) => a.forbidden - b.forbidden || compareSizes(a.repair, b.repair))
    .map((one) => ({
      ...one,
      rank: 1 + counted.filter(({ forbidden }) => forbidden < one.forbidden).length,
    }));
}
