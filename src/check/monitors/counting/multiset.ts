/** Multisets: a stock of each key. Who finds none there is beyond this. */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { Calls } from '../common/calls.js';
import type { Monitor } from '../common/monitor.js';
import { Numbers } from '../common/value-numbers.js';
import { IDLE, LACK, OPEN_TAKE, PUT, SEE, type Stock, stockMonitor, TAKE } from './permits.js';

export const multisetMonitor: Monitor = stockMonitor('multiset', readMultiset);

const [ADD, REMOVE] = [0, 1];
const METHODS = ['add', 'remove', 'contains'];

function readMultiset(history: History, spec: Spec): Stock | string {
  const { initial: inside } = spec.family ?? {};
  if (!Array.isArray(inside)) return 'the family of the spec does not tell what is inside at first';
  const calls = new Calls(history, spec, METHODS);
  const { argument, argumentStart, return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const key = new Int32Array(history.length);
  const numbers = new Numbers(history, 0);
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 1);
    if (typeof method === 'string') return method;
    key[k] = numbers.take(argument[argumentStart[k]]);
    if (calls.isOpen(k)) role[k] = method === ADD ? PUT : method === REMOVE ? OPEN_TAKE : IDLE;
    else if (method === ADD && calls.answers(k, calls.done)) role[k] = PUT;
    else if (method !== ADD && calls.answers(k, calls.yes)) role[k] = method === REMOVE ? TAKE : SEE;
    else if (method === ADD || !calls.answers(k, calls.no)) return calls.oddAnswer(k);
    else if (returned[k] !== NEVER) return `${calls.name(k)} that found none`;
    else role[k] = LACK;
  }
  const initial = new Float64Array(numbers.count);
  for (const value of inside) {
    const number = history.tables.values.find(value);
    if (number !== undefined && numbers.of(number) >= 0) initial[numbers.of(number)]++;
  }
  return { history, role, key, amount: new Float64Array(history.length).fill(1), initial };
}
