/**
 * A lock that one thread holds at a time. It is not reentrant: a thread that locks it twice is blocked forever.
 *
 * In a model: `yield mutex.acquire; mutex.lock(); … yield mutex.release; mutex.unlock();`.
 */
import { type Access, access, LOCK, UNLOCK, UPDATE } from '../memory/access.js';
import type { HasContents } from '../memory/heap-walk.js';
import { activeMemory, type Memory } from '../memory/memory.js';
import type { Coroutine } from '../program.js';

/** The owner of a free lock: the number of no thread. */
const NO_OWNER = -2;

/** A lock that one thread holds at a time. */
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
    if (this.#owner !== NO_OWNER)
      throw new Error('Mutex.lock would block where no other thread can run; is its caller instrumented?');
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
