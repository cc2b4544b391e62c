/**
 * The order that a queue-oriented search has found.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, lemmas 7 and 10.
 *
 * The additions stand in the order in which they were taken out, then those that nobody
 * removed, by call. The removals stand in the order in which they were taken out, each as
 * soon as its own addition and all that returned before its call are through. An
 * addition that never returned and that nobody removed is left out. Cost: O(events).
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';
import type { ContainerOperations } from './container-operations.js';
import { NOBODY, type QueueTrail } from './queue-trail.js';

export function queueOrder(columns: Columns, { isAdd }: ContainerOperations, trail: QueueTrail): Int32Array {
  const operations = columns.call.length;
  const additions = new GrowingInts();
  /** Addition to how many are through with it. */
  const countOf = new Int32Array(operations);
  const put = (k: number) => {
    additions.push(k);
    countOf[k] = additions.length;
  };
  for (let i = 0; i < trail.length; i++) if (trail.additions[i] !== NOBODY) put(trail.additions[i]);
  for (let k = 0; k < operations; k++)
    if (isAdd[k] === 1 && trail.added.has[k] === 0 && columns.return[k] !== NEVER) put(k);

  /** Removal to how many additions must be through before it. */
  const countBefore = new Int32Array(operations);
  let most = 0;
  for (const event of columns.events) {
    if (event >= 0) countBefore[event] = most;
    else most = Math.max(most, countOf[~event]);
  }

  const order = new GrowingInts();
  let through = 0;
  for (let i = 0; i < trail.length; i++) {
    const removal = trail.removals[i];
    const own = trail.additions[i] === NOBODY ? 0 : countOf[trail.additions[i]];
    while (through < Math.max(own, countBefore[removal])) order.push(additions.at(through++));
    order.push(removal);
  }
  while (through < additions.length) order.push(additions.at(through++));
  return order.toArray();
}
