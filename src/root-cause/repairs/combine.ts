/**
 * Repairs of many traces from the repairs of each: one of each, together. (CAV 2020, §4.2.)
 *
 * Not all at once, which would be a product: trace by trace, and what a repair covers already it need not
 * be given. Only the smallest are kept, and not more than some: then what is missing may be as good.
 */
import type { Block } from '../../execution/atomic-blocks.js';
import { compareSizes, containsBlock, merged, type Repair } from './repair.js';
import { SmallestSets } from './smallest-sets.js';

const MOST_REPAIRS = 500;

export interface Combined {
  readonly repairs: readonly Repair[];
  /** Were some left out? */
  readonly isCut: boolean;
}

/** Takes the repairs of each trace. */
export function combine(
  ofTraces: readonly (readonly Repair[])[],
  mostRepairs: number = MOST_REPAIRS,
): Combined {
  let repairs: readonly Repair[] = [[]];
  let isCut = false;
  for (const own of ofTraces.toSorted((a, b) => a.length - b.length)) {
    const next = new SmallestSets<Block>(containsBlock);
    const alternatives = new SmallestSets<Block>(containsBlock);
    for (const repair of own) alternatives.add(repair);
    for (const repair of repairs) {
      if (alternatives.isCovered(repair)) next.add(repair);
      else for (const other of alternatives.sets) next.add(merged([...repair, ...other]));
    }
    repairs = next.sets;
    if (repairs.length <= mostRepairs) continue;
    repairs = repairs.toSorted(compareSizes).slice(0, mostRepairs);
    isCut = true;
  }
  return { repairs, isCut };
}
