/** What each operation on a mutex with owners did, read plainly: for those who check a cause. */
import type { History } from '../../../history/history.js';
import { NEVER, RETURNED, THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

/** A call that took the lock or gave it back, or may have, or only saw that it was held, or free. */
export interface TurnAct {
  readonly what: 'lock' | 'unlock' | 'held' | 'free';
  readonly isUnlock: boolean;
  readonly owner: number;
  readonly call: number;
  readonly returned: number;
}

export const NO_ACT: TurnAct = { what: 'held', isUnlock: false, owner: -1, call: NEVER, returned: NEVER };

export function turnActs({ columns, tables, length }: History, { family }: Spec): TurnAct[] {
  const { method, status, result, argument, argumentStart, call, return: returned } = columns;
  const { values } = tables.values;
  return Array.from({ length }, (_, k): TurnAct => {
    const end = values[result[k]];
    const isUnlock = tables.methods[method[k]] === family?.roles.unlock;
    const own = isUnlock ? 'unlock' : 'lock';
    const sees = status[k] === THREW ? (end === 'NotLocked' ? 'free' : 'held') : 'held';
    const what = status[k] === THREW || (status[k] === RETURNED && end === false) ? sees : own;
    return { what, isUnlock, owner: argument[argumentStart[k]], call: call[k], returned: returned[k] };
  });
}
