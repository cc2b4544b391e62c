/**
 * A mutex: one holds it, the others wait. It does not know who holds it.
 *
 * To unlock what is not locked is an error, `NotLocked`: an implementation that
 * lets it pass in silence is not linearizable.
 */
import { type JepsenAdapter, jepsenAdapter } from '../../formats/common/adapter.js';
import { blocked, returns, type Spec, threw } from '../../spec/spec.js';
import { count, demand, sameValue } from '../common/parameters.js';

/*
 * A mutex that knows its owner: each call says who makes it.
 *
 * It is not re-entrant: the owner who locks again waits like all others. To
 * unlock what another holds is an error, `NotOwner`; what nobody holds, `NotLocked`.
 */

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

/* A semaphore: so many permits, taken and given back; who finds too few waits. The state is how many are left. */

export interface Semaphore {
  acquire(n?: number): void;
  /** Anyone may give permits, also ones that nobody took. */
  release(n?: number): void;
  tryAcquire(n?: number): boolean;
}

export interface SemaphoreOptions {
  /** How many there are at first; 1 unless told. */
  readonly permits?: number;
}

export function semaphore(options: SemaphoreOptions = {}): Spec<Semaphore, number> {
  const initial = demand('the permits of a semaphore', options.permits ?? 1, count);
  return {
    name: 'semaphore',
    initial,
    methods: {
      acquire: (permits, n = 1) =>
        demand('n of acquire(n)', n, count) > permits ? blocked : [permits - n, undefined],
      release: (permits, n = 1) => [permits + demand('n of release(n)', n, count), undefined],
      tryAcquire: (permits, n = 1) =>
        demand('n of tryAcquire(n)', n, count) > permits ? [permits, false] : [permits - n, true],
    },
    readOnly: (_method, [n], outcome) => n === 0 || returns(outcome, false),
    family: {
      kind: 'semaphore',
      roles: { acquire: 'acquire', release: 'release', tryAcquire: 'tryAcquire' },
      initial,
    },
  };
}

export interface Mutex {
  lock(): void;
  unlock(): void;
  tryLock(): boolean;
}

export function mutex(): Spec<Mutex, boolean> {
  return {
    name: 'mutex',
    initial: false,
    methods: {
      lock: (locked) => (locked ? blocked : [true, undefined]),
      unlock: (locked) => [false, locked ? undefined : threw('NotLocked')],
      tryLock: (locked) => [true, !locked],
    },
    readOnly: (_method, _args, outcome) => outcome.kind === 'threw' || returns(outcome, false),
    family: { kind: 'mutex', roles: { lock: 'lock', unlock: 'unlock', tryLock: 'tryLock' }, initial: false },
    jepsen: jepsenAdapter([
      { f: 'acquire', method: 'lock', takes: 'nothing', answers: 'nothing' },
      { f: 'release', method: 'unlock', takes: 'nothing', answers: 'nothing' },
      { f: 'lock', takes: 'nothing', answers: 'nothing' },
      { f: 'unlock', takes: 'nothing', answers: 'nothing' },
      { f: 'tryLock', takes: 'nothing', answers: 'truth' },
    ]),
  };
}
