/**
 * A stock: so many of each key; who takes needs enough. A multiset is one, and a semaphore.
 *
 *   role    the multiset          the semaphore
 *   PUT     add                   release
 *   TAKE    remove → true         acquire, tryAcquire → true
 *   SEE     contains → true
 *   LACK    remove → false        tryAcquire → false        only where it never returned
 *           contains → false
 *
 * Nobody minds that there is more. So puts take effect at their calls, and takes at their returns: no order
 * has more at any moment, and it is right if any is. Answers that there was too little are another matter:
 * then it may be best to take early, or late (docs/papers.md).
 *
 * A call that never returned puts, but need not take. Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { LateOrder } from '../common/late-order.js';
import type { Monitor, Ruling } from '../common/monitor.js';
import { Waiting } from '../common/waiting.js';

export const PUT = 0;
export const TAKE = 1;
export const SEE = 2;
export const LACK = 3;
/** It never returned: it takes if there is enough. */
export const OPEN_TAKE = 4;
/** It never returned, and changes nothing. */
export const IDLE = 5;

export interface Stock {
  readonly history: History;
  /** Operation to its role, its key, and how many of it; a look is for one. */
  readonly role: Uint8Array;
  readonly key: Int32Array;
  readonly amount: Float64Array;
  /** Key to how many there are at first. */
  readonly initial: Float64Array;
}

/** Bytes an operation: roles, amounts, what waits, and the order. */
const BYTES = 50;

/** The monitor of a kind of objects that can be read as a stock. */
export function stockMonitor(kind: string, read: (history: History, spec: Spec) => Stock | string): Monitor {
  return {
    name: `${kind} monitor`,
    kinds: [kind],
    read: (history, spec) => {
      const stock = read(history, spec);
      if (typeof stock === 'string') return stock;
      return {
        bytes: BYTES * history.length,
        parts: stock.initial.length,
        decide: () => stockRuling(stock),
        model: () => stockModel(stock),
      };
    },
  };
}

function stockRuling({ history, role, key, amount, initial }: Stock): Ruling {
  const { events, return: returned } = history.columns;
  const now = initial.slice();
  const order = new LateOrder(history.length, 0);
  const waiting = new Waiting(history.length, initial.length);
  for (let moment = 0; moment < events.length; moment++) {
    const isCall = events[moment] >= 0;
    const k = isCall ? events[moment] : ~events[moment];
    const own = key[k];
    if (role[k] === PUT && isCall) {
      now[own] += amount[k];
      order.put(k);
      if (now[own] > 0) waiting.release(own, order);
    } else if (role[k] === SEE && isCall && returned[k] !== NEVER) {
      if (now[own] > 0) order.put(k);
      else waiting.add(own, k);
    } else if (!isCall) {
      const isTake = role[k] === TAKE;
      if (isTake ? now[own] < amount[k] : waiting.has(k))
        return { kind: 'stops', operation: k, among: (other) => key[other] === own };
      if (!isTake) continue;
      now[own] -= amount[k];
      order.put(k);
    }
  }
  return { kind: 'order', order: order.finish(() => -1) };
}

/** A stock that is used as told: is each answer right? */
function stockModel({ role, key, amount, initial }: Stock): (operation: number) => boolean {
  const now = initial.slice();
  return (k) => {
    const isEnough = now[key[k]] >= amount[k];
    switch (role[k]) {
      case PUT:
        now[key[k]] += amount[k];
        return true;
      case TAKE:
        now[key[k]] -= amount[k];
        return isEnough;
      case OPEN_TAKE:
        if (isEnough) now[key[k]] -= amount[k];
        return true;
      case SEE:
        return isEnough;
      case LACK:
        return !isEnough;
      default:
        return true;
    }
  };
}
