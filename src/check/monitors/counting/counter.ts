/** Counters whose steps are all equal, as counts of these steps. */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { Calls } from '../common/calls.js';
import type { Monitor } from '../common/monitor.js';
import { amountOf, numberAnswered } from '../common/whole-numbers.js';
import { type Count, countModel, countRuling, IDLE, READ, STEP, STILL } from './count.js';

/** Bytes an operation: roles, what was seen, what waits, and the order. */
const BYTES = 36;

export const counterMonitor: Monitor = {
  name: 'counter monitor',
  kinds: ['counter'],
  read: (history, spec) => {
    const count = readCounter(history, spec);
    if (typeof count === 'string') return count;
    return {
      bytes: BYTES * history.length,
      decide: () => countRuling(count),
      model: () => countModel(count),
    };
  },
};

const [INCREMENT, DECREMENT] = [0, 1];
const METHODS = ['increment', 'decrement', 'read'];

function readCounter(history: History, spec: Spec): Count | string {
  const { initial } = spec.family ?? {};
  if (!Number.isSafeInteger(initial)) return 'a counter that does not begin with a safe integer';
  const calls = new Calls(history, spec, METHODS);
  const role = new Uint8Array(history.length);
  let [step, steps] = [0, 0];
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 0, 1);
    if (typeof method === 'string') return method;
    if (method !== INCREMENT && method !== DECREMENT) {
      if (calls.arguments(k) > 0) return `an operation ${calls.name(k)} with an argument`;
      role[k] = calls.isOpen(k) ? IDLE : READ;
      continue;
    }
    if (!calls.isOpen(k) && !calls.answers(k, calls.done)) return calls.oddAnswer(k);
    const amount = amountOf(calls, k);
    if (amount === undefined) return `an argument of ${calls.name(k)} that is no safe integer`;
    role[k] = amount === 0 ? STILL : STEP;
    if (amount === 0) continue;
    const own = method === INCREMENT ? amount : -amount;
    if (steps > 0 && own !== step) return 'steps that differ';
    step = own;
    steps++;
  }

  const seen = new Int32Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (role[k] !== READ) continue;
    const value = numberAnswered(calls, k);
    if (value === undefined) return `an answer of ${calls.name(k)} that is no safe integer`;
    const count = (value - (initial as number)) / (step || 1);
    seen[k] = Number.isInteger(count) && count >= 0 ? Math.min(count, steps + 1) : -1;
  }
  return { history, role, seen, steps };
}
