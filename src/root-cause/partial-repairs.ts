/**
 * Repairs of some of the violations that leave others, of this test or of larger ones: told as what they are, those first that
 * remove the most.
 */
import type { Block } from '../execution/atomic-blocks.js';
import type { Collected } from './collect.js';
import type { Causes } from './repairs/causes.js';
import { forbids } from './repairs/forbids.js';
import { type Ranked, ranked } from './repairs/ranking.js';
import { containsBlock } from './repairs/repair.js';
import { SmallestSets } from './repairs/smallest-sets.js';
import type { PlaceOf } from './repairs/source-block.js';

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
