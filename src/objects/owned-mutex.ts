/**
 * A mutex that knows its owner: each call says who makes it.
 *
 * It is not re-entrant: the owner who locks again waits like all others. To
 * unlock what another holds is an error, `NotOwner`; what nobody holds, `NotLocked`.
 */
import { blocked, returns, type Spec, threw } from '../spec/index.js';
import { sameValue } from './same-value.js';

export interface OwnedMutex<P> {
  lock(owner: P): void;
  unlock(owner: P): void;
  tryLock(owner: P): boolean;
}

/** Who holds it, if someone does. Wrapped, since an owner may be any value. */
type Held<P> = { readonly owner: P } | null;

export function ownedMutex<P>(): Spec<OwnedMutex<P>, Held<P>> {
  return {
    name: 'owned-mutex',
    initial: null,
    methods: {
      lock: (held, owner) => (held ? blocked : [{ owner }, undefined]),
      unlock: (held, owner) => {
        if (!held) return [held, threw('NotLocked')];
        return sameValue(held.owner, owner) ? [null, undefined] : [held, threw('NotOwner')];
      },
      tryLock: (held, owner) => (held ? [held, false] : [{ owner }, true]),
    },
    readOnly: (_method, _args, outcome) => outcome.kind === 'threw' || returns(outcome, false),
    family: { kind: 'owned-mutex', roles: { lock: 'lock', unlock: 'unlock', tryLock: 'tryLock' } },
  };
}
