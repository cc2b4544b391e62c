/** Sets: each key is a switch. What `insert` does nobody knows, and `members` ties all keys together: beyond this. */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { Calls } from '../common/calls.js';
import type { Monitor } from '../common/monitor.js';
import { Numbers } from '../common/value-numbers.js';
import { switchMonitor } from './decide.js';
import { IDLE, OPEN_OFF, OPEN_ON, SEE_OFF, SEE_ON, type Switches, TURN_OFF, TURN_ON } from './flags.js';

export const setMonitor: Monitor = switchMonitor('set', readSet);

/** The methods, and what each is by its answer: yes, no, or nobody knows. */
const METHODS = ['add', 'remove', 'contains'];
const ROLES = [
  [TURN_ON, SEE_ON, OPEN_ON],
  [TURN_OFF, SEE_OFF, OPEN_OFF],
  [SEE_ON, SEE_OFF, IDLE],
];

function readSet(history: History, spec: Spec): Switches | string {
  const { initial } = spec.family ?? {};
  if (!Array.isArray(initial)) return 'the family of the spec does not tell what is inside at first';
  const calls = new Calls(history, spec, METHODS);
  const { argument, argumentStart } = history.columns;
  const role = new Uint8Array(history.length);
  const key = new Int32Array(history.length);
  const numbers = new Numbers(history, 0);
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 1);
    if (typeof method === 'string') return method;
    const answer = calls.isOpen(k)
      ? 2
      : calls.answers(k, calls.yes)
        ? 0
        : calls.answers(k, calls.no)
          ? 1
          : -1;
    if (answer < 0) return calls.oddAnswer(k);
    role[k] = ROLES[method][answer];
    key[k] = numbers.take(argument[argumentStart[k]]);
  }
  const on = new Uint8Array(numbers.count);
  for (const value of initial) {
    const number = history.tables.values.find(value);
    if (number !== undefined && numbers.of(number) >= 0) on[numbers.of(number)] = 1;
  }
  return { history, role, key, on };
}
