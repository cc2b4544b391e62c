/**
 * A short proof that a queue's history has no order: of some value more was removed than had been added.
 *
 * When a removal returns, its addition has been called. So by each return there have been at least as many calls that
 * add a value as returned removals of it. Removals of which nothing is known can only make it worse, and
 * are left out. That all counts are right proves nothing. Cost: O(events).
 */
import type { Columns } from '../../../history/model/columns.js';
import type { ContainerOperations } from './container-operations.js';

/** How many returns come before the first one at which a count is wrong: all, if none is. */
export function returnsThatCount({ events }: Columns, { isAdd, value, values }: ContainerOperations): number {
  /** Value to how many additions were called and not yet accounted for by removals that returned. */
  const left = new Int32Array(values);
  let returns = 0;
  for (const event of events) {
    const k = event >= 0 ? event : ~event;
    const isRemoved = event < 0 && isAdd[k] === 0 && value[k] >= 0;
    if (event >= 0 && isAdd[k] === 1) left[value[k]]++;
    else if (isRemoved && --left[value[k]] < 0) return returns;
    if (event < 0) returns++;
  }
  return returns;
}
