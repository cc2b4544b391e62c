/** Each lock by its name, which threads find beside the memory that they share: they know the default scenario only. */
import { type Scenario, scenario } from 'straightedge';
import { AsyncFutex, BrokenSpinLock, Futex, SilentFutex, SpinLock } from './locks.js';

interface Counts {
  increment(): number | Promise<number>;
}

export type LockName = 'SpinLock' | 'BrokenSpinLock' | 'Futex' | 'SilentFutex' | 'AsyncFutex';

interface Shared {
  readonly lock: LockName;
  readonly words: Int32Array;
}

const LOCKS: Readonly<Record<LockName, new (words: Int32Array) => Counts>> = {
  SpinLock,
  BrokenSpinLock,
  Futex,
  SilentFutex,
  AsyncFutex,
};

export const locked = (lock: LockName): Scenario =>
  scenario({
    name: lock,
    backend: 'workers',
    module: import.meta.url,
    create: (): Shared => ({ lock, words: new Int32Array(new SharedArrayBuffer(8)) }),
    attach: (shared: Shared) => new LOCKS[shared.lock](shared.words),
    test: [[['increment']], [['increment']]],
  });

const spinLock: Scenario = locked('SpinLock');
export default spinLock;
