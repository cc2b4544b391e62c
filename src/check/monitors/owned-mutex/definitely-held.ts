/** When somebody surely holds a mutex, and when surely nobody does: for those who check a cause. Cost: O(n). */
import { NEVER } from '../../../history/model/columns.js';
import type { TurnAct } from './evidence-operations.js';

/** Has a lock returned by a moment, behind which its owner had not called unlock by then? */
export function holdsAt(acts: readonly TurnAct[], lock: TurnAct, moment: number): boolean {
  const isOver = ({ what, owner, call, returned }: TurnAct): boolean =>
    what === 'unlock' && owner === lock.owner && returned >= lock.call && call <= moment;
  return lock.what === 'lock' && lock.returned <= moment && !acts.some(isOver);
}

/** Was the last turn over when it was called, and did the next begin only after its return? No two calls of one owner overlap. */
export function isFree(acts: readonly TurnAct[], seen: TurnAct, next: TurnAct | undefined): boolean {
  if (next && (next.what !== 'lock' || next.returned === NEVER || next.call < seen.returned)) return false;
  const until = new Map<number, number>();
  let last: TurnAct | undefined;
  for (const act of acts) {
    const { what, owner, call, returned } = act;
    if ((until.get(owner) ?? -1) > call) return false;
    until.set(owner, returned);
    // who locks and returns later than the next one would have held it all the time
    const isEarlier = next ? returned < next.returned : call < seen.returned;
    if (what === 'lock' && isEarlier && returned >= (last?.returned ?? 0)) last = act;
  }
  // when the last lock returned, all earlier turns were over
  const { owner, returned: begun } = last ?? { owner: -1, returned: -1 };
  const ends = (act: TurnAct): boolean =>
    act.what === 'unlock' && act.owner === owner && act.call > begun && act.returned < seen.call;
  return last === undefined || acts.some(ends);
}
