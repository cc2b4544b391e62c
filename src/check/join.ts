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

  // when each takes effect
  const length = orders.reduce((sum, order) => sum + order.length, 0);
  const moments = new Int32Array(length);
  let i = 0;
  for (const order of orders) {
    let latest = 0;
    for (const k of order) {
      if (call[k] > latest) latest = call[k];
      moments[i++] = latest;
    }
  }

  // count how many do at each moment, then put each into its place
  const place = new Int32Array(events.length + 1);
  for (const moment of moments) place[moment + 1]++;
  for (let moment = 1; moment < place.length; moment++) place[moment] += place[moment - 1];
  const joined = new Int32Array(length);
  i = 0;
  for (const order of orders) for (const k of order) joined[place[moments[i++]]++] = k;
  return joined;
}
