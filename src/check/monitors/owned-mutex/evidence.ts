/**
 * Verifies the causes of a mutex with owners: who definitely holds it, and when it is definitely free. Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { NEVER, RETURNED, THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause } from '../../model/causes.js';

/* What each operation on a mutex with owners did, read plainly. */

/** A call that locked or unlocked, or may have, or only saw that it was held, or free. */
interface MutexAct {
  readonly what: 'lock' | 'unlock' | 'held' | 'free';
  readonly isUnlock: boolean;
  readonly owner: number;
  readonly call: number;
  readonly returned: number;
}

const NO_ACT: MutexAct = { what: 'held', isUnlock: false, owner: -1, call: NEVER, returned: NEVER };

function mutexActs({ columns, tables, length }: History, { family }: Spec): MutexAct[] {
  const { method, status, result, argument, argumentStart, call, return: returned } = columns;
  const { values } = tables.values;
  return Array.from({ length }, (_, k): MutexAct => {
    const end = values[result[k]];
    const isUnlock = tables.methods[method[k]] === family?.roles.unlock;
    const own = isUnlock ? 'unlock' : 'lock';
    const sees = status[k] === THREW ? (end === 'NotLocked' ? 'free' : 'held') : 'held';
    const what = status[k] === THREW || (status[k] === RETURNED && end === false) ? sees : own;
    return { what, isUnlock, owner: argument[argumentStart[k]], call: call[k], returned: returned[k] };
  });
}

/* When a mutex is definitely held, and when it is definitely free. Cost: O(n). */

/** Whether a lock has returned by a moment and its owner has not called unlock since. */
function holdsAt(acts: readonly MutexAct[], lock: MutexAct, moment: number): boolean {
  const isOver = ({ what, owner, call, returned }: MutexAct): boolean =>
    what === 'unlock' && owner === lock.owner && returned >= lock.call && call <= moment;
  return lock.what === 'lock' && lock.returned <= moment && !acts.some(isOver);
}

/**
 * Whether the last section had ended at its call, and the next started only after its return. No two calls of one
 * owner overlap.
 */
function isFree(acts: readonly MutexAct[], seen: MutexAct, next: MutexAct | undefined): boolean {
  if (next && (next.what !== 'lock' || next.returned === NEVER || next.call < seen.returned)) return false;
  const until = new Map<number, number>();
  let last: MutexAct | undefined;
  for (const act of acts) {
    const { what, owner, call, returned } = act;
    if ((until.get(owner) ?? -1) > call) return false;
    until.set(owner, returned);
    // a lock that returns later than the next one would have held it all the time
    const isEarlier = next ? returned < next.returned : call < seen.returned;
    if (what === 'lock' && isEarlier && returned >= (last?.returned ?? 0)) last = act;
  }
  // when the last lock returned, all earlier sections had ended
  const { owner, returned: begun } = last ?? { owner: -1, returned: -1 };
  const ends = (act: MutexAct): boolean =>
    act.what === 'unlock' && act.owner === owner && act.call > begun && act.returned < seen.call;
  return last === undefined || acts.some(ends);
}

export function verifyOwnedMutexCause(history: History, spec: Spec, cause: MonitorCause): boolean {
  const acts = mutexActs(history, spec);
  const position = history.positionsById();
  const at = (id: number): MutexAct => acts[position[id]] ?? NO_ACT;
  const own = at(cause.operation);
  if (own.returned === NEVER) return false;
  const count = (what: MutexAct['what'], fits: (act: MutexAct) => boolean): number =>
    acts.filter((act) => act.what === what && act.owner === own.owner && fits(act)).length;
  switch (cause.kind) {
    case 'two holders': {
      const [one = NO_ACT, two = NO_ACT] = cause.holds.map(({ lock }) => at(lock));
      return one !== two && holdsAt(acts, one, own.returned) && holdsAt(acts, two, own.returned);
    }
    case 'definitely held': {
      const lock = at(cause.lock);
      const isWrong =
        own.what === 'free' || (own.what === 'held' && own.isUnlock && own.owner === lock.owner);
      return isWrong && lock.returned < own.call && holdsAt(acts, lock, own.returned);
    }
    case 'not held': {
      // more unlocks had ended by its return than locks had been called
      const locks = count('lock', ({ call }) => call < own.returned);
      return own.what === 'unlock' && count('unlock', ({ returned }) => returned <= own.returned) > locks;
    }
    case 'definitely free':
      return (
        own.what === 'held' && isFree(acts, own, cause.before === undefined ? undefined : at(cause.before))
      );
    default:
      return false;
  }
}
