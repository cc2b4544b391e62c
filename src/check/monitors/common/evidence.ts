/**
 * Verifies the causes of fetch-and-add (two operations that contradict each other, or a sum that no operations make) and of
 * a mutex with owners (who definitely holds it, and when it is definitely free). Independent of the monitors. Cost: O(n).
 *
 * All amounts of fetch-and-add have the same sign, so an operation with a smaller result comes first, and no sum recurs.
 */
import type { History } from '../../../history/history.js';
import { NEVER, RETURNED, THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause } from '../../model/causes.js';

/* What each operation on a sum did, read plainly. */

/** `found` is NaN if it is unknown. */
interface SumAct {
  readonly adds: number;
  readonly found: number;
  readonly call: number;
  readonly returned: number;
}

function sumActs({ columns, tables, length }: History, { family }: Spec): SumAct[] {
  const { method, status, result, argument, argumentStart, call, return: returned } = columns;
  const { values } = tables.values;
  return Array.from({ length }, (_, k): SumAct => {
    const adds = tables.methods[method[k]] === family?.roles.add ? values[argument[argumentStart[k]]] : 0;
    const found = status[k] === RETURNED ? values[result[k]] : Number.NaN;
    return { adds: adds as number, found: found as number, call: call[k], returned: returned[k] };
  });
}

export function verifySumCause(history: History, spec: Spec, cause: MonitorCause): boolean {
  if (cause.kind !== 'overlap' && cause.kind !== 'backwards' && cause.kind !== 'unreached') return false;
  const acts = sumActs(history, spec);
  const up = acts.some(({ adds }) => adds > 0);
  if (up && acts.some(({ adds }) => adds < 0)) return false;
  const isLess = (a: number, b: number): boolean => (up ? a < b : a > b);
  const position = history.positionsById();
  const own = acts[position[cause.operation]];
  if (!own || own.returned === NEVER) return false;
  if (cause.kind === 'unreached') {
    const before = acts.filter(({ found }) => isLess(found, own.found));
    const sum = before.reduce((all, { adds }) => all + adds, spec.family?.initial as number);
    return cause.sum === sum && isOutOfReach(acts, own, own.found - sum, cause.each);
  }
  const other = acts[position[cause.other]];
  if (!other || other.returned === NEVER || own === other) return false;
  if (cause.kind === 'overlap') return isInside(own, other, isLess) || isInside(other, own, isLess);
  const comesFirst =
    isLess(own.found, other.found) || (own.found === other.found && own.adds === 0 && other.adds !== 0);
  return comesFirst && other.returned < own.call;
}

/** Whether no number of pending calls can have added this before one returned. They all add `each`. */
function isOutOfReach(acts: readonly SumAct[], { returned }: SumAct, missing: number, each: number): boolean {
  const open = acts.filter((act) => act.adds !== 0 && act.returned === NEVER);
  const available = open.filter(({ call }) => call < returned).length;
  const needed = missing / (each || 1);
  return (
    open.every(({ adds, found }) => adds === each && Number.isNaN(found)) &&
    !(Number.isInteger(needed) && needed >= 0 && needed <= available)
  );
}

/** Whether one found a sum that the other had left or skipped. */
function isInside(one: SumAct, { found, adds }: SumAct, isLess: (a: number, b: number) => boolean): boolean {
  const isSame = one.found === found && one.adds !== 0;
  return (isSame || isLess(found, one.found)) && isLess(one.found, found + adds);
}

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
