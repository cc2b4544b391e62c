/** What calls do to a mutex that knows its owner, and that mutex as simple as can be. */
import type { History } from '../../../history/history.js';

/** lock, and tryLock → true. */
export const LOCK = 0;
export const UNLOCK = 1;
/** tryLock → false: somebody holds it. */
export const BUSY = 2;
/** unlock that threw NotOwner: somebody else holds it. */
export const NOT_OWNER = 3;
/** unlock that threw NotLocked: nobody holds it. */
export const NOT_LOCKED = 4;
/** It never returned: it does so if it can. */
export const OPEN_TRY = 5;
export const OPEN_UNLOCK = 6;

/** No operation, no turn, nobody. */
export const NONE = -1;

export interface Owned {
  readonly history: History;
  readonly role: Uint8Array;
  /** Operation to the number of its owner; how many owners there are. */
  readonly owner: Int32Array;
  readonly owners: number;
}

export function ownedModel({ role, owner }: Owned): (operation: number) => boolean {
  let holder = NONE;
  return (k) => {
    const before = holder;
    switch (role[k]) {
      case LOCK:
        holder = owner[k];
        return before === NONE;
      case OPEN_TRY:
        if (before === NONE) holder = owner[k];
        return true;
      case UNLOCK:
        holder = NONE;
        return before === owner[k];
      case OPEN_UNLOCK:
        if (before === owner[k]) holder = NONE;
        return true;
      case BUSY:
        return before !== NONE;
      case NOT_OWNER:
        return before !== NONE && before !== owner[k];
      default:
        return before === NONE;
    }
  };
}
