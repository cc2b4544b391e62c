/** The kits of locks, semaphores and condition variables: what correct ones do is accepted, and each fault is found and named. */
import { expect, test } from 'vitest';
import { brokenBy, sentencesOf } from '../../test/support/fixtures/kits.js';
import type { Kit } from './kit.js';
import { conditionKit, mutexKit, semaphoreKit } from './locks.js';

type Release = () => void;
type Waiter = (release: Release) => void;

/** Hands the permit to the first waiter. */
class Semaphore {
  protected free: number;
  protected readonly waiters: Waiter[] = [];

  constructor(permits: number) {
    this.free = permits;
  }

  get isLocked(): boolean {
    return this.free === 0;
  }

  acquire(signal?: AbortSignal, milliseconds?: number): Promise<Release> {
    if (signal?.aborted) return Promise.reject(new Error('aborted'));
    if (this.free > 0) {
      this.free--;
      return Promise.resolve(this.releaser());
    }
    return new Promise((resolve, reject) => {
      const timer =
        milliseconds === undefined ? undefined : setTimeout(() => this.giveUp(waiter, reject), milliseconds);
      const waiter: Waiter = (release) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        resolve(release);
      };
      const abort = () => this.giveUp(waiter, reject);
      signal?.addEventListener('abort', abort);
      this.waiters.push(waiter);
    });
  }

  tryAcquire(): Release | null {
    if (this.free === 0) return null;
    this.free--;
    return this.releaser();
  }

  async use<T>(run: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await run();
    } finally {
      release();
    }
  }

  cancel(): void {
    for (const waiter of this.waiters.splice(0)) (waiter as Waiter & { reject?: () => void }).reject?.();
  }

  protected giveUp(waiter: Waiter, reject: (error: Error) => void): void {
    const at = this.waiters.indexOf(waiter);
    if (at >= 0) this.waiters.splice(at, 1);
    reject(new Error('given up'));
  }

  protected releaser(): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.release();
    };
  }

  protected release(): void {
    const next = this.waiters.shift();
    if (next) next(this.releaser());
    else this.free++;
  }
}

/** Another style: each caller waits for the promise of the one before. */
class ChainLock {
  #tail: Promise<void> = Promise.resolve();

  async acquire(): Promise<Release> {
    const before = this.#tail;
    let release: Release = () => {};
    this.#tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

/** Another style: who is woken looks again. */
class LoopLock {
  #isHeld = false;
  readonly #waiters: (() => void)[] = [];

  async acquire(): Promise<void> {
    while (this.#isHeld) await new Promise<void>((resolve) => this.#waiters.push(resolve));
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#waiters.shift()?.();
  }
}

const ALL = {
  acquire: (own: Semaphore) => own.acquire(),
  release: (_own: Semaphore, release: Release) => release(),
  tryAcquire: (own: Semaphore) => own.tryAcquire(),
  abortable: (own: Semaphore, signal: AbortSignal) => own.acquire(signal),
  timed: (own: Semaphore, milliseconds: number) => own.acquire(undefined, milliseconds),
  use: (own: Semaphore, run: () => Promise<void>) => own.use(run),
  fair: true,
  releaseTwice: true,
};
const asMutex = (create: () => Semaphore): Kit => mutexKit({ ...ALL, create });
const asSemaphore = (create: (permits: number) => Semaphore): Kit => semaphoreKit({ ...ALL, create });

test('correct locks and semaphores keep all guarantees', async () => {
  expect(await brokenBy(asMutex(() => new Semaphore(1)))).toEqual({});
  expect(
    await brokenBy(mutexKit({ ...ALL, create: () => new Semaphore(1), isLocked: (own) => own.isLocked })),
  ).toEqual({});
  expect(await brokenBy(asSemaphore((permits) => new Semaphore(permits)))).toEqual({});
  expect(
    await brokenBy(
      mutexKit({
        create: () => new ChainLock(),
        acquire: (own) => own.acquire(),
        release: (_, release) => release(),
        fair: true,
      }),
    ),
  ).toEqual({});
  expect(
    await brokenBy(
      mutexKit({
        create: () => new LoopLock(),
        acquire: (own) => own.acquire(),
        release: (own) => own.release(),
      }),
    ),
  ).toEqual({});
});

/** Each fault, and the sentence about it. */
const FAULTS: Readonly<
  Record<string, { readonly fault: new (permits: number) => Semaphore; readonly says: RegExp }>
> = {
  'the permit is free until the waiter continues': {
    fault: class extends Semaphore {
      override async acquire(): Promise<Release> {
        if (this.free === 0) await new Promise<void>((resolve) => this.waiters.push(() => resolve()));
        this.free--;
        return this.releaser();
      }
      protected override release(): void {
        this.free++;
        this.waiters.shift()?.(() => {});
      }
    },
    says: /two holders at once: \w+\(\d\) acquired the lock while \w+\(\d\) still held it|permits in use/,
  },
  'the permit is counted after an await': {
    fault: class extends Semaphore {
      override async acquire(): Promise<Release> {
        if (this.free === 0) return super.acquire();
        await Promise.resolve();
        this.free--;
        return this.releaser();
      }
    },
    says: /two holders at once|permits in use/,
  },
  'a release between check and registration wakes no call': {
    fault: class extends Semaphore {
      override async acquire(): Promise<Release> {
        if (this.free > 0) return super.acquire();
        await Promise.resolve();
        return new Promise((resolve) => this.waiters.push(resolve));
      }
    },
    says: /is blocked forever in acquire\(\): (no call holds the lock|\d of 2 permits are free)/,
  },
  'an aborted waiter stays in the queue': {
    fault: class extends Semaphore {
      protected override giveUp(_waiter: Waiter, reject: (error: Error) => void): void {
        reject(new Error('given up'));
      }
    },
    says: /is blocked forever in acquire|tryAcquire\(\) fails though/,
  },
  'a wait that is aborted ends with the release': {
    fault: class extends Semaphore {
      override async acquire(signal?: AbortSignal, milliseconds?: number): Promise<Release> {
        const release = await super.acquire(undefined, milliseconds);
        if (!signal?.aborted) return release;
        release();
        throw new Error('aborted');
      }
    },
    says: /abortedUse\(1\) still waits: it does not give up before/,
  },
  'an error of the work keeps the permit': {
    fault: class extends Semaphore {
      override async use<T>(run: () => Promise<T>): Promise<T> {
        const release = await this.acquire();
        const result = await run();
        release();
        return result;
      }
    },
    says: /is blocked forever in run\(\)|is blocked forever in use\(\)|tryAcquire\(\) fails though/,
  },
  'a second release frees a second permit': {
    fault: class extends Semaphore {
      protected override releaser(): Release {
        return () => this.release();
      }
    },
    says: /two holders at once|permits in use/,
  },
  'a permit that is given back is counted when its waiter continues': {
    fault: class extends Semaphore {
      override async acquire(): Promise<Release> {
        if (this.free === 0) {
          await new Promise<void>((resolve) => this.waiters.push(() => resolve()));
        }
        this.free--;
        return this.releaser();
      }
      protected override release(): void {
        this.free++;
        this.waiters.shift()?.(() => {});
      }
    },
    says: /two holders at once|permits in use/,
  },
  'a handle is valid until the next holder continues': {
    fault: class extends Semaphore {
      protected override releaser(): Release {
        let isHeld = true;
        return () => {
          if (!isHeld) return;
          if (this.waiters.length > 0) void Promise.resolve().then(() => (isHeld = false));
          else isHeld = false;
          this.release();
        };
      }
    },
    says: /two holders at once|permits in use/,
  },
  'the last waiter is woken first': {
    fault: class extends Semaphore {
      protected override release(): void {
        const next = this.waiters.pop();
        if (next) next(this.releaser());
        else this.free++;
      }
    },
    says: /not in order: queue\(\d\) acquired (the lock|a permit) before queue\(\d\), which had called earlier/,
  },
  'tryAcquire takes a permit that it does not give': {
    fault: class extends Semaphore {
      override tryAcquire(): Release | null {
        this.free--;
        return this.free < 0 ? null : this.releaser();
      }
    },
    says: /blocked forever|tryAcquire\(\) fails though/,
  },
  'a time-out that comes with the permit loses it': {
    fault: class extends Semaphore {
      override acquire(signal?: AbortSignal, milliseconds?: number): Promise<Release> {
        if (milliseconds === undefined) return super.acquire(signal);
        return Promise.race([
          super.acquire(signal),
          new Promise<Release>((_, reject) => setTimeout(() => reject(new Error('timed out')), milliseconds)),
        ]);
      }
    },
    says: /blocked forever|tryAcquire\(\) fails though/,
  },
};

test.each(Object.entries(FAULTS))('%s', async (_name, { fault: Fault, says }) => {
  expect(
    await sentencesOf(
      asMutex(() => new Fault(1)),
      says,
    ),
  ).toMatch(says);
  if (process.env.AGREE !== 'all') return;
  expect(
    await sentencesOf(
      asSemaphore((permits) => new Fault(permits)),
      says,
    ),
  ).toMatch(says);
});

test('isLocked is checked while a call holds the lock', async () => {
  const kit = mutexKit({ ...ALL, create: () => new Semaphore(1), isLocked: () => false });
  expect(Object.values(await brokenBy(kit))[0]).toMatch(
    /isLocked\(\) is false while use\(\d\) holds the lock/,
  );
});

/* Weights and cancelled waits; a class has each fault under a name */

interface WeightedWaiter {
  readonly weight: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

class Weighted {
  #free: number;
  readonly #waiters: WeightedWaiter[] = [];
  readonly #fault: string;
  readonly #permits: number;
  readonly #overtakes: boolean;

  constructor(permits: number, fault: string, overtakes: boolean) {
    this.#free = permits;
    this.#permits = permits;
    this.#fault = fault;
    this.#overtakes = overtakes;
  }

  async acquire(weight: number): Promise<void> {
    const isEnough = this.#fault === 'asks for one permit' ? this.#free > 0 : this.#free >= weight;
    const isFirst = this.#overtakes || this.#waiters.length === 0;
    if (isEnough && isFirst) this.#take(weight);
    else await new Promise<void>((resolve, reject) => this.#waiters.push({ weight, resolve, reject }));
  }

  release(weight: number): void {
    this.#free += this.#fault === 'gives one permit back' ? 1 : weight;
    this.#serve();
  }

  cancel(): void {
    const waiters =
      this.#fault === 'keeps a wait that was cancelled' ? this.#waiters : this.#waiters.splice(0);
    if (this.#fault === 'forgets a wait that was cancelled') return;
    for (const { reject } of waiters) reject(new Error('cancelled'));
    if (this.#fault === 'frees everything') this.#free = this.#permits;
    if (this.#fault === 'takes a permit for each cancelled wait') this.#free -= waiters.length;
    if (this.#fault === 'can be cancelled once' && waiters.length > 0) this.#free = Number.NEGATIVE_INFINITY;
  }

  #take(weight: number): void {
    this.#free -= this.#fault === 'takes one permit' ? 1 : weight;
  }

  #serve(): void {
    for (let i = 0; i < this.#waiters.length; ) {
      const { weight, resolve } = this.#waiters[i];
      if (weight <= this.#free) {
        this.#waiters.splice(i, 1);
        this.#take(weight);
        resolve();
      } else if (!this.#overtakes || this.#fault === 'stops at the first waiter') return;
      else i++;
    }
  }
}

const weighted = (fault = '', overtaking = false): Kit =>
  semaphoreKit({
    create: (permits) => new Weighted(permits, fault, overtaking),
    acquire: (own, weight) => own.acquire(weight),
    release: (own, _handle, weight) => own.release(weight),
    cancel: (own) => own.cancel(),
    weighted: true,
    overtaking,
  });

test('correct semaphores with weights keep all guarantees', async () => {
  expect(await brokenBy(weighted())).toEqual({});
  expect(await brokenBy(weighted('', true))).toEqual({});
});

test.each([
  ['asks for one permit', /permits in use/],
  ['takes one permit', /permits in use/],
  ['gives one permit back', /blocked forever/],
  ['keeps a wait that was cancelled', /blocked forever/],
  ['forgets a wait that was cancelled', /cancelledUse\(\d\) is blocked forever/],
  ['frees everything', /permits in use/],
  ['takes a permit for each cancelled wait', /blocked forever/],
  ['can be cancelled once', /blocked forever/],
] as const)('a semaphore with weights that %s', async (fault, says) => {
  expect(await sentencesOf(weighted(fault), says)).toMatch(says);
});

test('a semaphore with weights that stops at the first waiter', async () => {
  const says = /is blocked forever in acquire\(\): 1 of 2 permits are free/;
  expect(await sentencesOf(weighted('stops at the first waiter', true), says)).toMatch(says);
});

/* Condition variables; a class has each fault under a name */

class Monitor {
  #isHeld = false;
  readonly #queue: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #fault: string;

  constructor(fault = '') {
    this.#fault = fault;
  }

  async lock(): Promise<void> {
    if (!this.#isHeld) this.#isHeld = true;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  unlock(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#isHeld = false;
  }

  async wait(milliseconds?: number): Promise<void> {
    const fault = this.#fault;
    if (fault === 'releases the lock before it waits') {
      this.unlock();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const woken = new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer =
        milliseconds === undefined
          ? undefined
          : setTimeout(() => {
              const at = this.#waiting.indexOf(wake);
              if (at >= 0 && fault !== 'keeps a wait that timed out') this.#waiting.splice(at, 1);
              resolve();
            }, milliseconds);
      this.#waiting.push(wake);
    });
    if (fault !== 'releases the lock before it waits' && fault !== 'keeps the lock') this.unlock();
    await woken;
    if (fault !== 'continues without the lock') await this.lock();
  }

  async waitUntil(isReady: () => boolean): Promise<void> {
    if (this.#fault === 'waits once for its condition') await this.wait();
    else while (!isReady()) await this.wait();
  }

  notify(): void {
    if (this.#fault === 'wakes the last, and forgets the others') this.#waiting.splice(0).pop()?.();
    else this.#waiting.shift()?.();
  }

  notifyAll(): void {
    if (this.#fault === 'wakes one call of all') this.notify();
    else for (const wake of this.#waiting.splice(0)) wake();
  }
}

const monitor = (fault?: string): Kit =>
  conditionKit({
    create: () => new Monitor(fault),
    acquire: (own) => own.lock(),
    release: (own) => own.unlock(),
    wait: (own) => own.wait(),
    notify: (own) => own.notify(),
    notifyAll: (own) => own.notifyAll(),
    timed: (own, _handle, milliseconds) => own.wait(milliseconds),
    waitUntil: (own, _handle, isReady) => own.waitUntil(isReady),
  });

test('a correct condition variable keeps all guarantees', async () => {
  expect(await sentencesOf(monitor())).toBe('');
});

test.each([
  [
    'releases the lock before it waits',
    /is blocked forever in wait\(\)|lost wake-up: \w+\(\d\) waits though an item is there/,
  ],
  ['keeps a wait that timed out', /lost wake-up: consume\(2\) waits though an item is there/],
  ['keeps the lock', /is blocked forever in wait\(\)/],
  [
    'continues without the lock',
    /two holders at once: \w+\(\d+\) has the lock while \w+\(\d+\) still holds it/,
  ],
  ['waits once for its condition', /blocked forever|lost wake-up|continues though its condition is false/],
  ['wakes the last, and forgets the others', /blocked forever|lost wake-up/],
  ['wakes one call of all', /blocked forever/],
] as const)('a condition variable that %s', async (fault, says) => {
  expect(await sentencesOf(monitor(fault), says)).toMatch(says);
});
