/** Mutexes, semaphores and other resources: callers block until a lock, enough permits or a resource are available. */
import { OptionError } from '../../base/errors.js';
import { namedCall, ResultReference } from '../../base/values/result-reference.js';
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
    maxArguments: { lock: 0, unlock: 0, tryLock: 0 },
    methods: {
      lock: (locked) => (locked ? blocked : [true, undefined]),
      unlock: (locked) => [false, locked ? undefined : threw('NotLocked')],
      tryLock: (locked) => [true, !locked],
    },
    describeState: (locked) => (locked ? 'locked' : 'free'),
    readOnly: (_method, _args, outcome) => outcome.kind === 'threw' || returns(outcome, false),
    family: { kind: 'mutex', roles: { lock: 'lock', unlock: 'unlock', tryLock: 'tryLock' }, initial: false },
    jepsen: [
      { f: 'acquire', method: 'lock', argument: 'none', result: 'none' },
      { f: 'release', method: 'unlock', argument: 'none', result: 'none' },
      { f: 'lock', argument: 'none', result: 'none' },
      { f: 'unlock', argument: 'none', result: 'none' },
      { f: 'tryLock', argument: 'none', result: 'boolean' },
    ],
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
    maxArguments: { lock: 1, unlock: 1, tryLock: 1 },
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
    maxArguments: { acquire: 1, release: 1, tryAcquire: 1 },
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

/*
 * Resources that one thread at a time may hold: connections of a pool, permits, locks that return a function.
 *
 * The state is the set of resources that are held. `take` returns one that is not held, while fewer than `max` are held; if `max` are
 * held, it may block. `give` gives one back. The result of `take` identifies the resource, so the check needs no
 * search: in every linearization a resource is held from the return of `take` to the call of `give`, and one linearization
 * holds it no longer (explore/async/judge.ts).
 */

/** How resources are taken and given back. */
export interface ExclusiveOptions {
  /** The method that returns a resource. If it returns `undefined`, `null` or `false`, or throws, it took none. */
  readonly take: string;
  /**
   * How a resource is given back: by calling it (`result('acquire')`), by a method of it (`[result('open'), 'close']`), or
   * by a method with the resource as an argument (`['give', 0]`: argument 0).
   */
  readonly give:
    | ResultReference
    | readonly [ResultReference, string]
    | readonly [method: string, argument: number];
  /** How many may be held at once. Default: any number, and `take` may block while any is held. */
  readonly max?: number;
}

/** What `spec: exclusive(…)` requires of a scenario. */
export class Exclusive {
  readonly name = 'exclusive';
  readonly take: string;
  /** The method that gives a resource back, and the argument that is the resource; undefined if it is a call of the resource. */
  readonly give: string;
  readonly argument: number | undefined;
  readonly max: number | undefined;

  constructor({ take, give, max }: ExclusiveOptions) {
    if (max !== undefined && !(Number.isInteger(max) && max > 0))
      throw new OptionError(`\`max\` of exclusive is ${String(max)}; expected a whole number from 1`);
    const list: readonly unknown[] = give instanceof ResultReference ? [give] : give;
    const [method, argument] = typeof list[0] === 'string' ? list : (namedCall(list) as unknown[]);
    if (typeof take !== 'string' || typeof method !== 'string')
      throw new OptionError(
        "exclusive needs `take: 'acquire'` and `give: result('acquire')` or `['give', 0]`",
      );
    this.take = take;
    this.give = method;
    this.argument = typeof argument === 'number' ? argument : undefined;
    this.max = max;
  }
}

/**
 * Describes resources that one thread at a time may hold, for scenarios of asynchronous code.
 *
 * @example
 * const spec = exclusive({ take: 'acquire', give: result('acquire'), max: 1 });
 */
export const exclusive = (options: ExclusiveOptions): Exclusive => new Exclusive(options);
