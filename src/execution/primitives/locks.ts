/** Locks of threads: mutexes, semaphores and monitors; and functions for code that runs in a thread. */
import {
  type Access,
  access,
  CHOOSE,
  LOCK,
  NOTHING,
  NOTIFY,
  UNLOCK,
  UPDATE,
  WAIT,
} from '../memory/access.js';
import { type HasContents, primitives } from '../memory/heap-walk.js';
import { activeMemory, type Memory } from '../memory/memory.js';
import type { Coroutine } from '../program.js';

/** A call would wait for another thread where none can run. */
export class BlockedError extends Error {
  /** How many there were in this process, whether or not the program caught them. */
  static count = 0;

  constructor(what: string) {
    super(`${what} where no other thread can run; is its caller instrumented?`);
    BlockedError.count++;
  }
}

/** The owner of a free lock: the number of no thread. */
const NO_OWNER = -2;

/**
 * A lock that one thread holds at a time. It is not reentrant: a thread that locks it twice is blocked forever.
 *
 * In a model: `yield mutex.acquire; mutex.lock(); … yield mutex.release; mutex.unlock();`.
 */
export class Mutex implements HasContents {
  readonly acquire: Access;
  readonly release: Access;
  readonly #memory: Memory = activeMemory();
  readonly #location: number;
  #owner = NO_OWNER;

  constructor() {
    this.#location = this.#memory.location(this.#memory.object());
    this.#memory.give(this.#location);
    this.acquire = access(LOCK, this.#location);
    this.release = access(UNLOCK, this.#location);
  }

  /** The thread that holds it; negative if it is free. */
  get owner(): number {
    return this.#owner;
  }

  /** Is the current thread the owner? */
  get isMine(): boolean {
    return this.#owner === this.#memory.current;
  }

  lock(): void {
    if (this.#owner !== NO_OWNER) throw new BlockedError('Mutex.lock would block');
    this.#own();
  }

  tryLock(): boolean {
    const isFree = this.#owner === NO_OWNER;
    if (isFree) this.#own();
    else this.#memory.unchanged(this.#location);
    this.#memory.observe(isFree);
    return isFree;
  }

  unlock(): void {
    if (!this.isMine) throw new Error('Mutex.unlock by a thread that does not hold it');
    this.#owner = NO_OWNER;
    this.#memory.give(this.#location);
  }

  #own(): void {
    this.#owner = this.#memory.current;
    this.#memory.take(this.#location);
  }

  *$lock(): Coroutine<void> {
    yield this.acquire;
    this.lock();
  }

  *$tryLock(): Coroutine<boolean> {
    yield access(UPDATE, this.#location);
    return this.tryLock();
  }

  *$unlock(): Coroutine<void> {
    // if the thread is not the owner, `unlock` throws without an access
    if (this.isMine) yield this.release;
    this.unlock();
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#owner);
  }
}

/**
 * A counter of permits that threads acquire and release. A thread that needs more than are available is blocked.
 *
 * In a model: `yield* semaphore.$acquire();`.
 */
export class Semaphore implements HasContents {
  readonly #memory: Memory = activeMemory();
  readonly #location: number;

  constructor(permits: number) {
    this.#location = this.#memory.location(this.#memory.object());
    this.#memory.give(this.#location, permits);
  }

  acquire(permits = 1): void {
    if (this.#memory.permits(this.#location) < permits)
      throw new BlockedError(`Semaphore.acquire(${permits}) would block`);
    this.#memory.take(this.#location, permits);
  }

  tryAcquire(permits = 1): boolean {
    const isEnough = this.#memory.permits(this.#location) >= permits;
    if (isEnough) this.#memory.take(this.#location, permits);
    else this.#memory.unchanged(this.#location);
    this.#memory.observe(isEnough);
    return isEnough;
  }

  release(permits = 1): void {
    this.#memory.give(this.#location, permits);
  }

  *$acquire(permits = 1): Coroutine<void> {
    this.#memory.need(permits);
    yield access(LOCK, this.#location);
    this.acquire(permits);
  }

  *$tryAcquire(permits = 1): Coroutine<boolean> {
    yield access(UPDATE, this.#location);
    return this.tryAcquire(permits);
  }

  *$release(permits = 1): Coroutine<void> {
    yield access(UNLOCK, this.#location);
    this.release(permits);
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#memory.permits(this.#location));
  }
}

/**
 * A lock with a condition, whose waiting threads form its wait set (C. A. R. Hoare, Monitors, CACM 17, 1974; the variant of Java and C#).
 *
 * `wait` releases the lock and sleeps; `notify` wakes one sleeper, any of them, and `notifyAll` all. A woken sleeper acquires the lock
 * again before it continues, and other threads may get it first. The lock is reentrant. Only its holder can wait or notify.
 *
 * In a model: `yield* monitor.$enter(); … yield* monitor.$exit();`.
 */
export class Monitor implements HasContents {
  readonly #memory: Memory = activeMemory();
  readonly #location: number;
  #owner = NO_OWNER;
  /** The number of times that the owner has entered. */
  #depth = 0;

  constructor() {
    this.#location = this.#memory.location(this.#memory.object());
    this.#memory.give(this.#location);
  }

  /** The thread that holds it; negative if it is free. */
  get owner(): number {
    return this.#owner;
  }

  /** The number of times that the owner has entered. */
  get depth(): number {
    return this.#depth;
  }

  /** Is the current thread the owner? */
  get isMine(): boolean {
    return this.#owner === this.#memory.current;
  }

  enter(): void {
    if (!this.isMine && this.#owner !== NO_OWNER) throw new BlockedError('Monitor.enter would block');
    if (!this.isMine) this.#own();
    this.#depth++;
  }

  tryEnter(): boolean {
    const isFree = this.isMine || this.#owner === NO_OWNER;
    if (isFree) this.enter();
    else this.#memory.unchanged(this.#location);
    this.#memory.observe(isFree);
    return isFree;
  }

  exit(): void {
    this.#demand('exit');
    if (--this.#depth > 0) return;
    this.#disown();
  }

  wait(): void {
    this.#demand('wait');
    throw new BlockedError('Monitor.wait would block forever');
  }

  notify(): void {
    this.#demand('notify');
    const sleepers = this.#memory.sleepers(this.#location);
    // the first of several is chosen by its number
    if (sleepers > 1) this.#memory.isThreadObserved = true;
    if (sleepers > 0) this.#memory.wake(this.#location, 0);
  }

  notifyAll(): void {
    this.#demand('notifyAll');
    while (this.#memory.sleepers(this.#location) > 0) this.#memory.wake(this.#location, 0);
  }

  *$enter(): Coroutine<void> {
    if (!this.isMine) yield access(LOCK, this.#location);
    this.enter();
  }

  *$tryEnter(): Coroutine<boolean> {
    if (!this.isMine) yield access(UPDATE, this.#location);
    return this.tryEnter();
  }

  *$exit(): Coroutine<void> {
    if (this.isMine && this.#depth === 1) yield access(UNLOCK, this.#location);
    this.exit();
  }

  *$wait(): Coroutine<void> {
    this.#demand('wait');
    yield access(WAIT, this.#location);
    const depth = this.#depth;
    this.#depth = 0;
    this.#disown();
    this.#memory.sleep(this.#location);
    yield access(LOCK, this.#location);
    this.#own();
    this.#depth = depth;
  }

  *$notify(): Coroutine<void> {
    this.#demand('notify');
    yield access(NOTIFY, this.#location);
    const sleepers = this.#memory.sleepers(this.#location);
    const which = sleepers > 1 ? yield access(CHOOSE, sleepers) : 0;
    if (sleepers > 0) this.#memory.wake(this.#location, which);
  }

  *$notifyAll(): Coroutine<void> {
    this.#demand('notifyAll');
    yield access(NOTIFY, this.#location);
    this.notifyAll();
  }

  #own(): void {
    this.#owner = this.#memory.current;
    this.#memory.take(this.#location);
  }

  #disown(): void {
    this.#owner = NO_OWNER;
    this.#memory.give(this.#location);
  }

  #demand(method: string): void {
    if (!this.isMine) throw new Error(`Monitor.${method} by a thread that does not hold it`);
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#owner);
    visit(this.#depth);
  }
}

/* Threads */

/**
 * The number of the calling thread: 0, 1, 2 …, for objects with state per thread. Constant outside of any exploration.
 *
 * Threads that observe it are distinguishable, so threads with equal calls are not treated as symmetric.
 *
 * @example
 * class Slots {
 *   readonly slots = [0, 0];
 *   add(n: number): void {
 *     this.slots[currentThread()] += n;
 *   }
 * }
 */
export function currentThread(): number {
  const memory = activeMemory();
  memory.isThreadObserved = true;
  return memory.current;
}

/**
 * Lets other threads run in code without shared accesses, for example between two calls that are not instrumented, which would be one
 * step otherwise. Does nothing outside of any exploration. In a model: `yield access(NOTHING, 0)`.
 *
 * @example
 * class Lazy {
 *   get(): number {
 *     yieldNow(); // another thread may run here
 *     return 1;
 *   }
 * }
 */
export function yieldNow(): void {
  activeMemory();
}

export function* $yieldNow(): Coroutine<void> {
  yield access(NOTHING, 0);
}

for (const { prototype } of [Mutex, Semaphore, Monitor]) primitives.add(prototype);
