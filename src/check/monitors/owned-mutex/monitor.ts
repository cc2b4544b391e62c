/** The monitor of mutexes with owners, if no two calls of one owner overlap. */
import type { History } from '../../../history/history.js';
import { THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { CallReader, ValueNumbers } from '../common/call-reader.js';
import { type Monitor, simpleMonitor } from '../common/monitor.js';
import {
  BUSY,
  CriticalSections,
  LOCK,
  NOT_LOCKED,
  NOT_OWNER,
  OPEN_TRY,
  OPEN_UNLOCK,
  type Owned,
  UNLOCK,
} from './critical-sections.js';
import { sectionOrder } from './order.js';

export const ownedMutexMonitor: Monitor = simpleMonitor({
  name: 'owned-mutex monitor',
  bytesPerOperation: 50,
  read: readOwned,
  decide: (owned) => {
    const sections = new CriticalSections(owned);
    return sections.contradiction ?? sectionOrder(owned, sections);
  },
});

const [IS_LOCK, IS_UNLOCK] = [0, 1];
const METHODS = ['lock', 'unlock', 'tryLock'];

function readOwned(history: History, spec: Spec): Owned | string {
  if (spec.family?.initial !== null) return 'the family of the spec does not say that it is initially free';
  const calls = new CallReader(history, spec, METHODS);
  const { argument, argumentStart, call, return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const owner = new Int32Array(history.length);
  const numbers = new ValueNumbers(history, 0);
  /** For each owner, the return of the last call. */
  const until = new Int32Array(history.length);
  for (let k = 0; k < history.length; k++) {
    const what = roleOf(calls, k);
    if (typeof what === 'string') return what;
    role[k] = what;
    const own = numbers.take(argument[argumentStart[k]]);
    if (until[own] > call[k]) return 'calls of one owner overlap';
    until[own] = returned[k];
    owner[k] = own;
  }
  return { history, role, owner, owners: numbers.count };
}

function roleOf(calls: CallReader, k: number): number | string {
  const { status } = calls.history.columns;
  const own = calls.role(k);
  if (own === IS_UNLOCK && status[k] === THREW && calls.arguments(k) === 1) {
    if (calls.threw(k, 'NotOwner')) return NOT_OWNER;
    if (calls.threw(k, 'NotLocked')) return NOT_LOCKED;
  }
  const method = calls.read(k, 1);
  if (typeof method === 'string') return method;
  if (method !== IS_LOCK && method !== IS_UNLOCK) {
    if (calls.isOpen(k)) return OPEN_TRY;
    return calls.answers(k, calls.yes) ? LOCK : calls.answers(k, calls.no) ? BUSY : calls.unexpectedResult(k);
  }
  if (calls.isOpen(k)) return method === IS_LOCK ? LOCK : OPEN_UNLOCK;
  if (!calls.answers(k, calls.done)) return calls.unexpectedResult(k);
  return method === IS_LOCK ? LOCK : UNLOCK;
}
