/**
 * A shared variable whose accesses are atomic, compare-and-set among them.
 *
 * In a model: `yield ref.read; const value = ref.get();`, `yield ref.write; ref.set(value);`,
 * `yield ref.update; ref.compareAndSet(old, value);`.
 */
import { type Access, access, READ, UPDATE, WRITE } from '../memory/access.js';
import { type HasContents, primitives } from '../memory/heap-walk.js';
import { activeMemory, type Memory } from '../memory/memory.js';
import type { Coroutine } from '../program.js';

/** A reference with atomic operations; each operation is one step of an exploration. */
export class AtomicRef<T> implements HasContents {
  readonly read: Access;
  readonly write: Access;
  readonly update: Access;
  readonly #memory: Memory = activeMemory();
  readonly #location: number;
  #value: T;

  constructor(value: T) {
    this.#value = value;
    this.#location = this.#memory.location(this.#memory.object());
    this.read = access(READ, this.#location);
    this.write = access(WRITE, this.#location);
    this.update = access(UPDATE, this.#location);
  }

  get(): T {
    this.#memory.observe(this.#value);
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    this.#memory.stored(this.#location, value);
  }

  /** Stores a value if the current one is `old`. Returns whether it did. */
  compareAndSet(old: T, value: T): boolean {
    const isOld = Object.is(this.#value, old);
    this.#memory.observe(isOld);
    if (isOld) this.set(value);
    else this.#memory.unchanged(this.#location);
    return isOld;
  }

  /** Stores a value and returns the previous one. */
  exchange(value: T): T {
    const old = this.get();
    this.set(value);
    return old;
  }

  *$get(): Coroutine<T> {
    yield this.read;
    return this.get();
  }

  *$set(value: T): Coroutine<void> {
    yield this.write;
    this.set(value);
  }

  *$compareAndSet(old: T, value: T): Coroutine<boolean> {
    yield this.update;
    return this.compareAndSet(old, value);
  }

  *$exchange(value: T): Coroutine<T> {
    yield this.update;
    return this.exchange(value);
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#value);
  }
}

primitives.add(AtomicRef.prototype);
