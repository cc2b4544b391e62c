/** Semaphores: a stock of permits. Who does not get them at once is beyond this. */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { Calls } from '../common/calls.js';
import type { Monitor } from '../common/monitor.js';
import { amountOf } from '../common/whole-numbers.js';
import { LACK, OPEN_TAKE, PUT, type Stock, stockMonitor, TAKE } from './permits.js';

export const semaphoreMonitor: Monitor = stockMonitor('semaphore', readSemaphore);

const [ACQUIRE, RELEASE, TRY_ACQUIRE] = [0, 1, 2];
const METHODS = ['acquire', 'release', 'tryAcquire'];

function readSemaphore(history: History, spec: Spec): Stock | string {
  const { initial } = spec.family ?? {};
  if (typeof initial !== 'number')
    return 'the family of the spec does not tell how many permits there are at first';
  const calls = new Calls(history, spec, METHODS);
  const { return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const amount = new Float64Array(history.length);
  let all = initial;
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 0, 1);
    if (typeof method === 'string') return method;
    const permits = amountOf(calls, k);
    if (permits === undefined || permits < 0) return `an argument of ${calls.name(k)} that is no count`;
    amount[k] = permits;
    all += amount[k];
    if (calls.isOpen(k)) role[k] = method === RELEASE ? PUT : method === ACQUIRE ? TAKE : OPEN_TAKE;
    else if (method !== TRY_ACQUIRE && calls.answers(k, calls.done))
      role[k] = method === RELEASE ? PUT : TAKE;
    else if (method === TRY_ACQUIRE && calls.answers(k, calls.yes)) role[k] = TAKE;
    else if (method !== TRY_ACQUIRE || !calls.answers(k, calls.no)) return calls.oddAnswer(k);
    else if (returned[k] !== NEVER) return `${calls.name(k)} that found too few permits`;
    else role[k] = LACK;
  }
  if (!Number.isSafeInteger(all)) return 'more permits than can be counted exactly';
  return { history, role, key: new Int32Array(history.length), amount, initial: Float64Array.of(initial) };
}
