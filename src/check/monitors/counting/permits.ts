/**
 * The multiset and semaphore monitors: permits per key; a take needs enough of them.
 *
 *   role    the multiset          the semaphore
 *   PUT     add                   release
 *   TAKE    remove → true         acquire, tryAcquire → true
 *   SEE     contains → true
 *   LACK    remove → false        tryAcquire → false        only if pending
 *           contains → false
 *
 * More permits are never worse. So puts take effect at their calls, and takes at their returns: no order has more at
 * any moment, and this one is a linearization if there is any. The monitors decline results that there was too
 * little: then an early or a late take may be needed (docs/internals/papers.md).
 *
 * A pending operation puts, but need not take. Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { amountOf, CallReader, ValueNumbers } from '../common/call-reader.js';
import { LateOrder, WaitingLists } from '../common/lists.js';
import { type Monitor, type MonitorResult, simpleMonitor } from '../common/monitor.js';

const PUT = 0;
const TAKE = 1;
const SEE = 2;
const LACK = 3;
/** A pending take: it takes if there is enough. */
const OPEN_TAKE = 4;
/** It is pending and changes nothing. */
const IDLE = 5;

interface Permits {
  readonly history: History;
  /** For each operation, its role, its key, and its amount; SEE has amount 1. */
  readonly role: Uint8Array;
  readonly key: Int32Array;
  readonly amount: Float64Array;
  /** For each key, the initial number. */
  readonly initial: Float64Array;
}

/** The monitor of a kind of object that can be read as permits. */
function permitsMonitor(kind: string, read: (history: History, spec: Spec) => Permits | string): Monitor {
  return simpleMonitor({
    name: `${kind} monitor`,
    bytesPerOperation: 50,
    partsOf: ({ initial }) => initial.length,
    read,
    decide: decidePermits,
  });
}

function decidePermits({ history, role, key, amount, initial }: Permits): MonitorResult {
  const { events, return: returned } = history.columns;
  const now = initial.slice();
  const order = new LateOrder(history.length, 0);
  const waiting = new WaitingLists(history.length, initial.length);
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
        return violation({ operation: k, among: (other) => key[other] === own });
      if (!isTake) continue;
      now[own] -= amount[k];
      order.put(k);
    }
  }
  return linearizable(order.finish(() => -1));
}

/* Multisets: permits per key. The monitor declines results that a key is absent. */

export const multisetMonitor: Monitor = permitsMonitor('multiset', readMultiset);

const ADD = 0;
const REMOVE = 1;
const MULTISET_METHODS = ['add', 'remove', 'contains'];

function readMultiset(history: History, spec: Spec): Permits | string {
  const { initial: inside } = spec.family ?? {};
  if (!Array.isArray(inside)) return 'the family of the spec does not give the initial values';
  const calls = new CallReader(history, spec, MULTISET_METHODS);
  const { argument, argumentStart, return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const key = new Int32Array(history.length);
  const numbers = new ValueNumbers(history, 0);
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 1);
    if (typeof method === 'string') return method;
    key[k] = numbers.take(argument[argumentStart[k]]);
    if (calls.isOpen(k)) role[k] = method === ADD ? PUT : method === REMOVE ? OPEN_TAKE : IDLE;
    else if (method === ADD && calls.answers(k, calls.done)) role[k] = PUT;
    else if (method !== ADD && calls.answers(k, calls.yes)) role[k] = method === REMOVE ? TAKE : SEE;
    else if (method === ADD || !calls.answers(k, calls.no)) return calls.unexpectedResult(k);
    else if (returned[k] !== NEVER) return `${calls.name(k)} found none`;
    else role[k] = LACK;
  }
  const initial = new Float64Array(numbers.count);
  for (const value of inside) {
    const number = history.tables.values.find(value);
    if (number !== undefined && numbers.of(number) >= 0) initial[numbers.of(number)]++;
  }
  return { history, role, key, amount: new Float64Array(history.length).fill(1), initial };
}

/* Semaphores: one key. The monitor declines failed attempts. */

export const semaphoreMonitor: Monitor = permitsMonitor('semaphore', readSemaphore);

const ACQUIRE = 0;
const RELEASE = 1;
const TRY_ACQUIRE = 2;
const SEMAPHORE_METHODS = ['acquire', 'release', 'tryAcquire'];

function readSemaphore(history: History, spec: Spec): Permits | string {
  const { initial } = spec.family ?? {};
  if (typeof initial !== 'number')
    return 'the family of the spec does not give the initial number of permits';
  const calls = new CallReader(history, spec, SEMAPHORE_METHODS);
  const { return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const amount = new Float64Array(history.length);
  let all = initial;
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 0, 1);
    if (typeof method === 'string') return method;
    const permits = amountOf(calls, k);
    if (permits === undefined || permits < 0) return `an argument of ${calls.name(k)} is not a count`;
    amount[k] = permits;
    all += amount[k];
    if (calls.isOpen(k)) role[k] = method === RELEASE ? PUT : method === ACQUIRE ? TAKE : OPEN_TAKE;
    else if (method !== TRY_ACQUIRE && calls.answers(k, calls.done))
      role[k] = method === RELEASE ? PUT : TAKE;
    else if (method === TRY_ACQUIRE && calls.answers(k, calls.yes)) role[k] = TAKE;
    else if (method !== TRY_ACQUIRE || !calls.answers(k, calls.no)) return calls.unexpectedResult(k);
    else if (returned[k] !== NEVER) return `${calls.name(k)} found too few permits`;
    else role[k] = LACK;
  }
  if (!Number.isSafeInteger(all)) return 'the number of permits exceeds the safe integers';
  return { history, role, key: new Int32Array(history.length), amount, initial: Float64Array.of(initial) };
}
