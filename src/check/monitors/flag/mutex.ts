/** A mutex that does not know who holds it: one switch, locked or free. */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { Calls } from '../common/calls.js';
import type { Monitor } from '../common/monitor.js';
import { switchMonitor } from './decide.js';
import { OPEN_OFF, OPEN_ON, SEE_OFF, SEE_ON, type Switches, TURN_OFF, TURN_ON } from './flags.js';

export const mutexMonitor: Monitor = switchMonitor('mutex', readMutex);

const [LOCK, UNLOCK, TRY_LOCK] = [0, 1, 2];
const METHODS = ['lock', 'unlock', 'tryLock'];

function readMutex(history: History, spec: Spec): Switches | string {
  const { initial } = spec.family ?? {};
  if (typeof initial !== 'boolean')
    return 'the family of the spec does not tell whether it is locked at first';
  const calls = new Calls(history, spec, METHODS);
  const role = new Uint8Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (calls.role(k) === UNLOCK && calls.threw(k, 'NotLocked') && calls.arguments(k) === 0) {
      role[k] = SEE_OFF;
      continue;
    }
    const method = calls.read(k, 0);
    if (typeof method === 'string') return method;
    // a lock waits until it can turn the switch; the others return whatever they find
    if (calls.isOpen(k)) role[k] = method === LOCK ? TURN_ON : method === UNLOCK ? OPEN_OFF : OPEN_ON;
    else if (method === TRY_LOCK && calls.answers(k, calls.yes)) role[k] = TURN_ON;
    else if (method === TRY_LOCK && calls.answers(k, calls.no)) role[k] = SEE_ON;
    else if (method !== TRY_LOCK && calls.answers(k, calls.done))
      role[k] = method === LOCK ? TURN_ON : TURN_OFF;
    else return calls.oddAnswer(k);
  }
  return { history, role, key: new Int32Array(history.length), on: Uint8Array.of(Number(initial)) };
}
