/** Mutexes and semaphores: callers block until a lock or enough permits are available. */
import { type JepsenAdapter, jepsenAdapter } from '../../formats/common/adapter.js';
import { blocked, returns, type Spec, threw } from '../../spec/spec.js';
import { ensure, isEqual, wholeNumber } from '../common/parameters.js';

/** The methods of a mutex. */
export interface Mutex {
  lock(): void;
  unlock(): void;
  tryLock(): boolean;
}

/**
 * A mutex without owners: any caller may unlock it. Unlocking a free mutex throws `NotLocked`.
 *
 * @example
 * A |- lock() -|        |- unlock() -|
 * B      |- lock() ------------------|
 */
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
      { f: 'acquire', method: 'lock', argument: 'none', result: 'none' },
      { f: 'release', method: 'unlock', argument: 'none', result: 'none' },
      { f: 'lock', argument: 'none', result: 'none' },
      { f: 'unlock', argument: 'none', result: 'none' },
      { f: 'tryLock', argument: 'none', result: 'boolean' },
    ]),
  };
}

/** The methods of a mutex that only its owner may unlock. */
export interface OwnedMutex<P> {
  lock(owner: P): void;
  unlock(owner: P): void;
  tryLock(owner: P): boolean;
}

/** The holder, or null. Wrapped, because an owner may be any value. */
type Holder<P> = { readonly owner: P } | null;

/**
 * A mutex whose calls name the owner.
 *
 * It is not re-entrant: the owner blocks if it locks again. Unlocking the lock of another owner throws
 * `NotOwner`; unlocking a free lock throws `NotLocked`.
 *
 * @example
 * A |- lock("a") -|                |- unlock("a") -|
 * B     |- unlock("b") ! NotOwner -|
 */
export function ownedMutex<P>(): Spec<OwnedMutex<P>, Holder<P>> {
  return {
    name: 'owned-mutex',
    initial: null,
    methods: {
      lock: (holder, owner) => (holder ? blocked : [{ owner }, undefined]),
      unlock: (holder, owner) => {
        if (!holder) return [holder, threw('NotLocked')];
        return isEqual(holder.owner, owner) ? [null, undefined] : [holder, threw('NotOwner')];
      },
      tryLock: (holder, owner) => (holder ? [holder, false] : [{ owner }, true]),
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

const functions = jepsenAdapter([
  { f: 'acquire', method: 'lock', argument: 'value', result: 'none' },
  { f: 'release', method: 'unlock', argument: 'value', result: 'none' },
  { f: 'lock', argument: 'value', result: 'none' },
  { f: 'unlock', argument: 'value', result: 'none' },
  { f: 'tryLock', argument: 'value', result: 'boolean' },
]);

/** The value of an invocation is the owner. With nil everywhere, all callers would be one owner. */
const jepsen: JepsenAdapter = {
  ...functions,
  call: (f, owner, key) => {
    if (owner === null)
      throw new RangeError(
        `${f} has the value nil; expected the owner. For a mutex without owners, use --spec mutex`,
      );
    return functions.call(f, owner, key);
  },
};

/** The methods of a semaphore. */
export interface Semaphore {
  acquire(n?: number): void;
  /** Any caller may release permits, also without acquiring them first. */
  release(n?: number): void;
  tryAcquire(n?: number): boolean;
}

/** The initial permits of a semaphore. */
export interface SemaphoreOptions {
  /** The initial number of permits; 1 by default. */
  readonly permits?: number;
}

/**
 * A semaphore: `acquire(n)` blocks while fewer than n permits are left. The state is that number.
 *
 * @example
 * A |- acquire() -|                |- release() -|
 * B    |- tryAcquire() -> false -|   |- acquire() -|
 */
export function semaphore(options: SemaphoreOptions = {}): Spec<Semaphore, number> {
  const initial = ensure('permits of a semaphore', options.permits ?? 1, wholeNumber);
  return {
    name: 'semaphore',
    initial,
    methods: {
      acquire: (permits, n = 1) =>
        ensure('n of acquire(n)', n, wholeNumber) > permits ? blocked : [permits - n, undefined],
      release: (permits, n = 1) => [permits + ensure('n of release(n)', n, wholeNumber), undefined],
      tryAcquire: (permits, n = 1) =>
        ensure('n of tryAcquire(n)', n, wholeNumber) > permits ? [permits, false] : [permits - n, true],
    },
    readOnly: (_method, [n], outcome) => n === 0 || returns(outcome, false),
    family: {
      kind: 'semaphore',
      roles: { acquire: 'acquire', release: 'release', tryAcquire: 'tryAcquire' },
      initial,
    },
  };
}
