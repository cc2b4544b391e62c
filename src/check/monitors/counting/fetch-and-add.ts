/** The fetch-and-add monitor: decides fetch-and-add in one direction, in linear time after sorting. */
import { mergeSort, range } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause } from '../../model/causes.js';
import { linearizable, violation } from '../../model/verdict.js';
import { amountOf, CallReader, numericResult } from '../common/call-reader.js';
import { type Monitor, type MonitorResult, simpleMonitor } from '../common/monitor.js';

/*
 * An add returns the sum before it, so the results determine the order.
 *
 * All amounts are positive, or all are negative (then all signs are reversed). So each sum exists once, from one add
 * to the next:
 *
 *   add(n) → old                   takes effect when the sum is old, and makes it old + n
 *   read → v, and add(0) → v       take effect while the sum is v
 *   a pending add                  fills a gap between the sum after one add and the result of another
 *
 * Adds that fill gaps all have the same amount, and take effect in order of call: an earlier call is never worse.
 * What remains is real time: no operation may follow one that was called only after its return.
 */

const ADD = 0;
const READ = 1;
/** A pending add: its result is unknown. */
const OPEN_ADD = 2;
/** It is pending and changes nothing. */
const IDLE = 3;

interface Sums {
  readonly history: History;
  readonly role: Uint8Array;
  /** For each operation, its result and its amount, with signs reversed if needed. */
  readonly found: Float64Array;
  readonly amount: Float64Array;
  readonly initial: number;
  /** The pending adds, by call, and their common amount. */
  readonly open: Int32Array;
  readonly each: number;
  /** -1 if signs are reversed. */
  readonly sign: number;
}

const NONE = -1;

function decideSums(sums: Sums): MonitorResult {
  const { history, role, found, amount, initial, open, each } = sums;
  const { call, return: returned } = history.columns;
  const order = new Int32Array(history.length);
  let [length, used] = [0, 0];
  let [sum, added] = [initial, initial];
  let [before, latest, last] = [NONE, -1, NONE];
  const put = (k: number): void => {
    order[length++] = k;
    if (call[k] > latest) [latest, last] = [call[k], k];
  };
  for (const k of byFound(sums)) {
    if (found[k] < sum && before !== NONE) return pair('overlap', sums, k, before);
    while (sum < found[k] && used < open.length) {
      put(open[used++]);
      sum += each;
    }
    if (sum !== found[k]) return unreached(sums, k, before, added);
    if (returned[k] < latest)
      return role[last] === OPEN_ADD ? unreached(sums, k, before, added) : pair('backwards', sums, last, k);
    put(k);
    before = k;
    if (role[k] !== ADD) continue;
    sum += amount[k];
    added += amount[k];
  }
  return linearizable(order.subarray(0, length));
}

/** The returned operations by result; of equal ones, adds come last. */
function byFound({ history, role, found }: Sums): Int32Array {
  const { return: returned } = history.columns;
  const known = range(history.length).filter((k) => role[k] <= READ && returned[k] !== NEVER);
  return mergeSort(known, (a, b) => found[a] - found[b] || role[b] - role[a]);
}

function pair(kind: 'overlap' | 'backwards', { history }: Sums, one: number, two: number): MonitorResult {
  const { id, return: returned } = history.columns;
  // the faulty operation is the one that returned last
  const [operation, other] = kind === 'backwards' || returned[one] > returned[two] ? [one, two] : [two, one];
  return violation({
    operations: [one, two],
    cause: { kind, operation: id[operation], other: id[other] },
  });
}

/** No operations make the sum that it found. */
function unreached(
  { history, open, each, sign }: Sums,
  k: number,
  before: number,
  sum: number,
): MonitorResult {
  const { id, call, return: returned } = history.columns;
  const calledBefore = open.filter((other) => call[other] < returned[k]);
  const cause: MonitorCause = {
    kind: 'unreached',
    operation: id[k],
    sum: sign * sum,
    open: Array.from(calledBefore, (other) => id[other]),
    each: sign * each,
  };
  return violation({
    operations: [k, ...(before === NONE ? [] : [before]), ...calledBefore],
    cause,
  });
}

export const fetchAndAddMonitor: Monitor = simpleMonitor({
  name: 'fetch-and-add monitor',
  bytesPerOperation: 40,
  read: readSums,
  decide: decideSums,
});

const METHODS = ['add', 'read'];

function readSums(history: History, spec: Spec): Sums | string {
  const { initial } = spec.family ?? {};
  if (!Number.isSafeInteger(initial)) return 'the initial sum is not a safe integer';
  const calls = new CallReader(history, spec, METHODS);
  const { return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const found = new Float64Array(history.length);
  const amount = new Float64Array(history.length);
  let sign = 0;
  for (let k = 0; k < history.length; k++) {
    const takes = calls.role(k) === 0 ? 1 : 0;
    const method = calls.read(k, takes);
    if (typeof method === 'string') return method;
    const own = takes === 0 ? 0 : amountOf(calls, k);
    if (own === undefined) return `an argument of ${calls.name(k)} is not a safe integer`;
    if (own * sign < 0) return 'some amounts are positive and some are negative';
    sign = sign || Math.sign(own);
    amount[k] = own;
    role[k] = own === 0 ? (calls.isOpen(k) ? IDLE : READ) : calls.isOpen(k) ? OPEN_ADD : ADD;
    if (calls.isOpen(k)) continue;
    if (role[k] === ADD && returned[k] === NEVER) return `${calls.name(k)} is cut off before its return`;
    const value = numericResult(calls, k);
    if (value === undefined) return `a result of ${calls.name(k)} is not a safe integer`;
    found[k] = value;
  }

  const open = history.columns.id.map((_, k) => k).filter((k) => role[k] === OPEN_ADD);
  const each = open.length === 0 ? 0 : amount[open[0]];
  if (open.some((k) => amount[k] !== each)) return 'pending calls add different amounts';
  if (sign >= 0) return { history, role, found, amount, initial: initial as number, open, each, sign: 1 };
  return {
    history,
    role,
    found: found.map((value) => -value),
    amount: amount.map((value) => -value),
    initial: -(initial as number),
    open,
    each: -each,
    sign,
  };
}
