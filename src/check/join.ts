/**
 * Orders of the parts, joined to one order of the whole.
 *
 * In its own order, an operation can take effect at the latest call among itself
 * and those before it; that is before its return, or the order would be wrong.
 * Sorted by these moments, operations of all parts respect real time together:
 * what returns before another is called takes effect before it.
 * This is Herlihy and Wing's locality theorem, run forward. Cost: O(n).
 */
import type { History } from '../history/index.js';

/** `orders`, like the result, list operations by their positions in `history`. */
export function joinOrders(history: History, orders: readonly Int32Array[]): Int32Array {
  if (orders.length === 1) return orders[0];
  const { call, events } = history.columns;

  // count how many take effect at each moment, then put each into its place
  const place = new Int32Array(events.length + 1);
  const eachMoment = (visit: (k: number, moment: number) => void) => {
    for (const order of orders) {
      let latest = 0;
      for (const k of order) {
        latest = Math.max(latest, call[k]);
        visit(k, latest);
      }
    }
  };
  let length = 0;
  eachMoment((_, moment) => {
    place[moment + 1]++;
    length++;
  });
  for (let moment = 1; moment < place.length; moment++) place[moment] += place[moment - 1];
  const joined = new Int32Array(length);
  eachMoment((k, moment) => {
    joined[place[moment]++] = k;
  });
  return joined;
}
