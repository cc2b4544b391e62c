/**
 * A counter of equal steps, and reads of it, in linear time.
 *
 * All steps are one up, or all one down, or all so far: what is read tells how many have taken
 * effect. They do so as late as they can (`late-order`): at their return, or when a read returns that
 * has seen more, on credit. A read that has seen less than the count at its call comes too late.
 *
 * Where steps differ, which of them make up a sum is the question of the knapsack; where some
 * go up and some down, late is not always right. Both are beyond this.
 * Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import { LateOrder } from '../common/late-order.js';
import type { Ruling } from '../common/monitor.js';
import { Waiting } from '../common/waiting.js';

export const STEP = 0;
export const READ = 1;
/** A step of 0. */
export const STILL = 2;
/** It never returned, and changes nothing. */
export const IDLE = 3;

export interface Count {
  readonly history: History;
  readonly role: Uint8Array;
  /** Read to how many steps it has seen; -1 if no number of steps makes that. */
  readonly seen: Int32Array;
  readonly steps: number;
}

/** The steps are of one kind. */
const KIND = 0;

export function countRuling({ history, role, seen, steps }: Count): Ruling {
  const { events, return: returned } = history.columns;
  const order = new LateOrder(history.length, 1);
  const never = steps + 1;
  const waiting = new Waiting(history.length, steps + 2);
  let count = 0;
  for (let moment = 0; moment < events.length; moment++) {
    const k = events[moment] >= 0 ? events[moment] : ~events[moment];
    if (events[moment] >= 0) {
      if (role[k] === STEP) order.call(KIND, k);
      else if (returned[k] === NEVER) continue;
      else if (role[k] === STILL || seen[k] === count) order.put(k);
      else waiting.add(seen[k] > count && seen[k] <= steps ? seen[k] : never, k);
    } else if (role[k] === STEP) {
      if (order.repay(KIND, k)) continue;
      order.put(k);
      waiting.release(++count, order);
    } else if (waiting.has(k)) {
      const missing = seen[k] - count;
      if (missing < 0 || missing > order.spare(KIND)) return { kind: 'stops', operation: k };
      while (count < seen[k]) {
        order.borrow(KIND);
        waiting.release(++count, order);
      }
    }
  }
  return {
    kind: 'order',
    order: order.finish((k) => (role[k] === STEP && returned[k] === NEVER ? KIND : -1)),
  };
}

/** A counter of steps: is what each read has seen right? */
export function countModel({ role, seen }: Count): (operation: number) => boolean {
  let count = 0;
  return (k) => {
    if (role[k] === STEP) count++;
    return role[k] !== READ || seen[k] === count;
  };
}
