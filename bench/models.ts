/**
 * Two published algorithms and a readers–writer spin lock as coroutines: they announce each shared access by
 * yielding it, and then do it.
 *
 *   R. K. Treiber. Systems programming: coping with parallelism. IBM RJ 5118, 1986.
 *   M. Michael, M. Scott. Simple, fast, and practical non-blocking and blocking
 *   concurrent queue algorithms. PODC 1996.
 */

/** The used part of `AtomicRef`. */
interface Ref<T> {
  readonly read: number;
  readonly update: number;
  get(): T;
  set(value: T): void;
  compareAndSet(old: T, value: T): boolean;
}
type MakeRef = <T>(value: T) => Ref<T>;
/** The used part of `Memory`. */
interface Loops {
  mark(): number;
  again(mark: number, site: number): void;
}
type Coroutine<R> = Generator<number, R, number>;

interface Cell {
  readonly value: number;
  readonly next: Ref<Cell | null>;
}

export class TreiberStack {
  readonly #ref: MakeRef;
  readonly #head: Ref<Cell | null>;

  constructor(ref: MakeRef) {
    this.#ref = ref;
    this.#head = ref<Cell | null>(null);
  }

  *push(memory: Loops, value: number): Coroutine<void> {
    const cell: Cell = { value, next: this.#ref<Cell | null>(null) };
    const mark = memory.mark();
    for (;;) {
      yield this.#head.read;
      const first = this.#head.get();
      // no other thread can see it yet
      cell.next.set(first);
      yield this.#head.update;
      if (this.#head.compareAndSet(first, cell)) return;
      memory.again(mark, 1);
    }
  }

  *pop(memory: Loops): Coroutine<number | null> {
    const mark = memory.mark();
    for (;;) {
      yield this.#head.read;
      const first = this.#head.get();
      if (first === null) return null;
      yield first.next.read;
      const next = first.next.get();
      yield this.#head.update;
      if (this.#head.compareAndSet(first, next)) return first.value;
      memory.again(mark, 2);
    }
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#head);
  }
}

interface QueueCell {
  readonly value: number | null;
  readonly next: Ref<QueueCell | null>;
}

export class MichaelScottQueue {
  readonly #ref: MakeRef;
  readonly #head: Ref<QueueCell>;
  readonly #tail: Ref<QueueCell>;

  constructor(ref: MakeRef) {
    this.#ref = ref;
    const cell: QueueCell = { value: null, next: ref<QueueCell | null>(null) };
    this.#head = ref(cell);
    this.#tail = ref(cell);
  }

  *enqueue(memory: Loops, value: number): Coroutine<void> {
    const cell: QueueCell = { value, next: this.#ref<QueueCell | null>(null) };
    const mark = memory.mark();
    for (;;) {
      yield this.#tail.read;
      const tail = this.#tail.get();
      yield tail.next.read;
      const next = tail.next.get();
      yield this.#tail.read;
      if (tail === this.#tail.get()) {
        if (next === null) {
          yield tail.next.update;
          if (tail.next.compareAndSet(null, cell)) {
            yield this.#tail.update;
            this.#tail.compareAndSet(tail, cell);
            return;
          }
        } else {
          yield this.#tail.update;
          this.#tail.compareAndSet(tail, next);
        }
      }
      memory.again(mark, 1);
    }
  }

  *dequeue(memory: Loops): Coroutine<number | null> {
    const mark = memory.mark();
    for (;;) {
      yield this.#head.read;
      const head = this.#head.get();
      yield this.#tail.read;
      const tail = this.#tail.get();
      yield head.next.read;
      const next = head.next.get();
      yield this.#head.read;
      if (head === this.#head.get()) {
        if (head === tail) {
          if (next === null) return null;
          yield this.#tail.update;
          this.#tail.compareAndSet(tail, next);
        } else {
          yield this.#head.update;
          if (this.#head.compareAndSet(head, next!)) return next!.value;
        }
      }
      memory.again(mark, 2);
    }
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#head);
    visit(this.#tail);
  }
}

/** Negative while a writer holds it, else the number of readers. */
export class ReadWriteLock {
  readonly #holders: Ref<number>;

  constructor(ref: MakeRef) {
    this.#holders = ref(0);
  }

  *readLock(memory: Loops): Coroutine<void> {
    const mark = memory.mark();
    for (;;) {
      yield this.#holders.read;
      const holders = this.#holders.get();
      if (holders >= 0) {
        yield this.#holders.update;
        if (this.#holders.compareAndSet(holders, holders + 1)) return;
      }
      memory.again(mark, 1);
    }
  }

  *readUnlock(memory: Loops): Coroutine<void> {
    const mark = memory.mark();
    for (;;) {
      yield this.#holders.read;
      const holders = this.#holders.get();
      yield this.#holders.update;
      if (this.#holders.compareAndSet(holders, holders - 1)) return;
      memory.again(mark, 2);
    }
  }

  *writeLock(memory: Loops): Coroutine<void> {
    const mark = memory.mark();
    for (;;) {
      yield this.#holders.update;
      if (this.#holders.compareAndSet(0, -1)) return;
      memory.again(mark, 3);
    }
  }

  *writeUnlock(_: Loops): Coroutine<void> {
    yield this.#holders.update;
    this.#holders.set(0);
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#holders);
  }
}
