/**
 * Repairs of some of the violations that leave others, of this test or of larger ones: told as what they are, those first that
 * remove the most.
 */

import type { Block } from '../execution/atomic-blocks.js';
import type { Collected } from './collect.js';
import type { AccessTrace } from './repairs/access-trace.js';
import type { Causes } from './repairs/causes.js';
import { forbids } from './repairs/forbids.js';
import { compareSizes, containsBlock, type Repair, SmallestSets } from './repairs/repair.js';
import type { PlaceOf } from './repairs/source-block.js';

/*
 * Which repair comes first: the one that forbids the fewest executions that were right (CAV 2020, §6.2), since
 * cycles that do no harm are no cause; and of those that forbid as many, the smaller one.
 */

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

export interface Partial extends Omit<Ranked, 'rank'> {
  /** How many of the violations it removes. */
  readonly removed: number;
}

const MOST = 5;

export function partialRepairs(
  causes: Causes,
  whole: readonly Ranked[],
  { violating, passing }: Collected,
  placeOf: PlaceOf,
): Partial[] {
  const enough = new SmallestSets<Block>(containsBlock);
  for (const { repair } of whole) enough.add(repair);
  const some = causes.single().filter((repair) => !enough.isCovered(repair));
  const removed = new Map(
    some.map((repair) => [repair, violating.filter((trace) => forbids(repair, trace, placeOf)).length]),
  );
  return ranked(some, passing, placeOf)
    .map(({ repair, forbidden }) => ({ repair, forbidden, removed: removed.get(repair)! }))
    .filter(({ removed: some }) => some > 0)
    .sort((a, b) => b.removed - a.removed)
    .slice(0, MOST);
}
