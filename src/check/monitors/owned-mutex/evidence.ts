/** Checks causes of a mutex with owners: who surely holds it, and when surely nobody does. Cost: O(n). */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { FamilyCause } from '../../model/monitor-causes.js';
import { holdsAt, isFree } from './definitely-held.js';
import { NO_ACT, type TurnAct, turnActs } from './evidence-operations.js';

type TurnCause = Extract<FamilyCause, { kind: 'two holders' | 'not held' | 'surely held' | 'surely free' }>;

export function confirmTurns(history: History, spec: Spec, cause: TurnCause): boolean {
  const acts = turnActs(history, spec);
  const position = history.positionsById();
  const at = (id: number): TurnAct => acts[position[id]] ?? NO_ACT;
  const own = at(cause.operation);
  if (own.returned === NEVER) return false;
  const count = (what: TurnAct['what'], fits: (act: TurnAct) => boolean): number =>
    acts.filter((act) => act.what === what && act.owner === own.owner && fits(act)).length;
  switch (cause.kind) {
    case 'two holders': {
      const [one = NO_ACT, two = NO_ACT] = cause.holds.map(({ lock }) => at(lock));
      return one !== two && holdsAt(acts, one, own.returned) && holdsAt(acts, two, own.returned);
    }
    case 'surely held': {
      const lock = at(cause.lock);
      const isWrong =
        own.what === 'free' || (own.what === 'held' && own.isUnlock && own.owner === lock.owner);
      return isWrong && lock.returned < own.call && holdsAt(acts, lock, own.returned);
    }
    case 'not held': {
      // more unlocks were over by its return than locks had been called
      const locks = count('lock', ({ call }) => call < own.returned);
      return own.what === 'unlock' && count('unlock', ({ returned }) => returned <= own.returned) > locks;
    }
    case 'surely free':
      return (
        own.what === 'held' && isFree(acts, own, cause.before === undefined ? undefined : at(cause.before))
      );
  }
}
