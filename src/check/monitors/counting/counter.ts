/** The counter monitor: decides counters whose steps are all equal, in linear time. */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { amountOf, CallReader, numericResult } from '../common/call-reader.js';
import { LateOrder, WaitingLists } from '../common/lists.js';
import { type Monitor, type MonitorResult, simpleMonitor } from '../common/monitor.js';

/*
 * All steps are equal: each read then shows how many have taken effect. Steps take effect as late as possible
 * (`LateOrder`): at their return, or as a pending effect when a read returns that has seen more. A read that has seen
 * less than the count at its call is too late.
 *
 * If steps differ, choosing those that make up a sum is the knapsack problem; if some go up and some down, late
 * effects are not always best. The monitor declines both.
 *
 * Cost: O(n).
 */

const STEP = 0;
const READ = 1;
/** A step of 0. */
const ZERO_STEP = 2;
/** It is pending and changes nothing. */
const IDLE = 3;

interface Count {
  readonly history: History;
  readonly role: Uint8Array;
  /** For each read, how many steps it has seen; -1 if no number of steps gives its result. */
  readonly seen: Int32Array;
  readonly steps: number;
}

/** All steps are of one kind. */
const KIND = 0;

function decideCount({ history, role, seen, steps }: Count): MonitorResult {
  const { events, return: returned } = history.columns;
  const order = new LateOrder(history.length, 1);
  const never = steps + 1;
  const waiting = new WaitingLists(history.length, steps + 2);
  let count = 0;
  for (let moment = 0; moment < events.length; moment++) {
    const k = events[moment] >= 0 ? events[moment] : ~events[moment];
    if (events[moment] >= 0) {
      if (role[k] === STEP) order.call(KIND, k);
      else if (returned[k] === NEVER) continue;
      else if (role[k] === ZERO_STEP || seen[k] === count) order.put(k);
      else waiting.add(seen[k] > count && seen[k] <= steps ? seen[k] : never, k);
    } else if (role[k] === STEP) {
      if (order.assign(KIND, k)) continue;
      order.put(k);
      waiting.release(++count, order);
    } else if (waiting.has(k)) {
      const missing = seen[k] - count;
      if (missing < 0 || missing > order.spare(KIND)) return violation({ operation: k });
      while (count < seen[k]) {
        order.requireEffect(KIND);
        waiting.release(++count, order);
      }
    }
  }
  return linearizable(order.finish((k) => (role[k] === STEP && returned[k] === NEVER ? KIND : -1)));
}

export const counterMonitor: Monitor = simpleMonitor({
  name: 'counter monitor',
  bytesPerOperation: 36,
  read: readCounter,
  decide: decideCount,
});

const INCREMENT = 0;
const DECREMENT = 1;
const METHODS = ['increment', 'decrement', 'read'];

function readCounter(history: History, spec: Spec): Count | string {
  const { initial } = spec.family ?? {};
  if (!Number.isSafeInteger(initial)) return 'the initial count is not a safe integer';
  const calls = new CallReader(history, spec, METHODS);
  const role = new Uint8Array(history.length);
  let [step, steps] = [0, 0];
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 0, 1);
    if (typeof method === 'string') return method;
    if (method !== INCREMENT && method !== DECREMENT) {
      if (calls.arguments(k) > 0) return `${calls.name(k)} has an argument`;
      role[k] = calls.isOpen(k) ? IDLE : READ;
      continue;
    }
    if (!calls.isOpen(k) && !calls.answers(k, calls.done)) return calls.unexpectedResult(k);
    const amount = amountOf(calls, k);
    if (amount === undefined) return `an argument of ${calls.name(k)} is not a safe integer`;
    role[k] = amount === 0 ? ZERO_STEP : STEP;
    if (amount === 0) continue;
    const own = method === INCREMENT ? amount : -amount;
    if (steps > 0 && own !== step) return 'increments differ';
    step = own;
    steps++;
  }

  const seen = new Int32Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (role[k] !== READ) continue;
    const value = numericResult(calls, k);
    if (value === undefined) return `a result of ${calls.name(k)} is not a safe integer`;
    const count = (value - (initial as number)) / (step || 1);
    seen[k] = Number.isInteger(count) && count >= 0 ? Math.min(count, steps + 1) : -1;
  }
  return { history, role, seen, steps };
}
