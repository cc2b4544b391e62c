/**
 * Ranks repairs, and finds those that remove only some of the violations.
 *
 * The first repair forbids the fewest passing executions (CAV 2020, §6.2), because cycles that do no harm are not the cause. Of
 * repairs that forbid equally many, the smaller one comes first.
 */
import type { Block } from '../execution/atomic-blocks.js';
import type { Collected } from './collect.js';
import type { AccessTrace } from './repairs/access-trace.js';
import type { Causes, PlaceOf } from './repairs/causes.js';
import { forbids } from './repairs/forbids.js';
import { compareSizes, containsBlock, type Repair, SmallestSets } from './repairs/repair.js';

export interface Ranked {
  readonly repair: Repair;
  /** The number of passing executions that it forbids. */
  readonly forbidden: number;
  /** From 1. Repairs that forbid equally many have one rank. */
  readonly rank: number;
}

/** The traces of passing executions have no real-time order: a class is allowed if one of its executions is. */
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
  /** The number of violations that it removes. */
  readonly removed: number;
}

const MOST = 5;

/** Repairs of single violations that contain none of the complete ones; those that remove the most first. */
export function partialRepairs(
  causes: Causes,
  complete: readonly Ranked[],
  { violating, passing }: Collected,
  placeOf: PlaceOf,
): Partial[] {
  const enough = new SmallestSets<Block>(containsBlock);
  for (const { repair } of complete) enough.add(repair);
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
