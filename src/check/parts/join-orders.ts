/**
 * Orders of the parts, joined to one order of the whole.
 *
 * In its own order, an operation can take effect at the latest call among itself
 * and those before it; that is before its return, or the order would be wrong.
 * Sorted by these moments, operations of all parts respect real time together:
 * what returns before another is called takes effect before it.
 * This is Herlihy and Wing's locality theorem, run forward.
 *
 * So at each call, if its operation comes next in its part, it takes effect, and behind it those of
 * its part that were called earlier and had to wait for it. If it does not come next, it waits itself,
 * for one that is called later. Cost: O(n); memory is gone through from one end to the other.
 */

/** Orders, like the result, list operations by id; `partOf` maps an id to the number of its order. Ids ascend as calls do. */
export function joinOrders(orders: readonly Int32Array[], partOf: Int32Array): Int32Array {
  if (orders.length === 1) return orders[0];
  const joined = new Int32Array(orders.reduce((sum, order) => sum + order.length, 0));
  let length = 0;
  /** Order to the place in it that comes next. */
  const next = new Int32Array(orders.length);
  for (let operation = 0; operation < partOf.length; operation++) {
    const part = partOf[operation];
    const order = orders[part];
    let i = next[part];
    if (order[i] !== operation) continue;
    do joined[length++] = order[i++];
    while (i < order.length && order[i] < operation);
    next[part] = i;
  }
  return joined;
}
