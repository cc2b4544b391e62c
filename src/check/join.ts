/**
 * Orders of the parts, joined to one order of the whole.
 *
 * In its own order, an operation can take effect at the latest call among itself
 * and those before it; that is before its return, or the order would be wrong.
 * Sorted by these moments, operations of all parts respect real time together:
 * what returns before another is called takes effect before it.
 * This is Herlihy and Wing's locality theorem, run forward. Cost: O(n).
 */

/** Orders, like the result, list operations by id. Ids ascend as calls do, so a call's id tells its time. */
export function joinOrders(orders: readonly Int32Array[]): Int32Array {
  if (orders.length === 1) return orders[0];

  // at which call each takes effect
  const length = orders.reduce((sum, order) => sum + order.length, 0);
  const calls = new Int32Array(length);
  let i = 0;
  let last = -1;
  for (const order of orders) {
    let latest = 0;
    for (let j = 0; j < order.length; j++) {
      if (order[j] > latest) latest = order[j];
      calls[i++] = latest;
    }
    if (latest > last) last = latest;
  }

  // count how many do at each call, then put each into its place
  const place = new Int32Array(last + 2);
  for (let j = 0; j < length; j++) place[calls[j] + 1]++;
  for (let call = 1; call < place.length; call++) place[call] += place[call - 1];
  const joined = new Int32Array(length);
  i = 0;
  for (const order of orders) for (let j = 0; j < order.length; j++) joined[place[calls[i++]]++] = order[j];
  return joined;
}
