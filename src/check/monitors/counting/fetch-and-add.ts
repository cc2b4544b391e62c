/** Fetch-and-add, where all go in one direction, as sums. */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { Calls } from '../common/calls.js';
import type { Monitor } from '../common/monitor.js';
import { amountOf, numberAnswered } from '../common/whole-numbers.js';
import { ADD, IDLE, OPEN_ADD, READ, type Sums, sumModel, sumRuling } from './sums.js';

/** Bytes an operation: roles, what was found and added, and the order. */
const BYTES = 40;

export const fetchAndAddMonitor: Monitor = {
  name: 'fetch-and-add monitor',
  kinds: ['fetch-and-add'],
  read: (history, spec) => {
    const sums = readSums(history, spec);
    if (typeof sums === 'string') return sums;
    return {
      bytes: BYTES * history.length,
      decide: () => sumRuling(sums),
      model: () => sumModel(sums),
    };
  },
};

const METHODS = ['add', 'read'];

function readSums(history: History, spec: Spec): Sums | string {
  const { initial } = spec.family ?? {};
  if (!Number.isSafeInteger(initial)) return 'a sum that does not begin with a safe integer';
  const calls = new Calls(history, spec, METHODS);
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
    if (own === undefined) return `an argument of ${calls.name(k)} that is no safe integer`;
    if (own * sign < 0) return 'some add, and some take away';
    sign = sign || Math.sign(own);
    amount[k] = own;
    role[k] = own === 0 ? (calls.isOpen(k) ? IDLE : READ) : calls.isOpen(k) ? OPEN_ADD : ADD;
    if (calls.isOpen(k)) continue;
    if (role[k] === ADD && returned[k] === NEVER) return `an operation ${calls.name(k)} that is cut off`;
    const value = numberAnswered(calls, k);
    if (value === undefined) return `an answer of ${calls.name(k)} that is no safe integer`;
    found[k] = value;
  }

  const open = history.columns.id.map((_, k) => k).filter((k) => role[k] === OPEN_ADD);
  const each = open.length === 0 ? 0 : amount[open[0]];
  if (open.some((k) => amount[k] !== each)) return 'calls that never returned and add different amounts';
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
