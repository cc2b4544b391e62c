/**
 * A mutex that knows its owner: each call says who makes it.
 *
 * It is not re-entrant: the owner who locks again waits like all others. To
 * unlock what another holds is an error, `NotOwner`; what nobody holds, `NotLocked`.
 */
import type { JepsenAdapter } from '../../formats/common/adapter.js';
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import { blocked, returns, type Spec, threw } from '../../spec/spec.js';
import { sameValue } from '../common/same-value.js';

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
    family: {
      kind: 'owned-mutex',
      roles: { lock: 'lock', unlock: 'unlock', tryLock: 'tryLock' },
      initial: null,
    },
    jepsen,
  };
}

const phrases = jepsenAdapter([
  { f: 'acquire', method: 'lock', takes: 'value', answers: 'nothing' },
  { f: 'release', method: 'unlock', takes: 'value', answers: 'nothing' },
  { f: 'lock', takes: 'value', answers: 'nothing' },
  { f: 'unlock', takes: 'value', answers: 'nothing' },
  { f: 'tryLock', takes: 'value', answers: 'truth' },
]);

/** The value of an invocation says who makes it. If all were nil, one could unlock what another holds. */
const jepsen: JepsenAdapter = {
  ...phrases,
  call: (f, owner, key) => {
    if (owner === null)
      throw new RangeError(
        `nil as the value of ${f}; expected who calls. A mutex that does not know: --spec mutex`,
      );
    return phrases.call(f, owner, key);
  },
};
