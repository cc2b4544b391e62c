/** Semaphores, reader–writer locks, latches and events: correct ones, and versions with one fault each. */
import { type Scenario, scenario } from 'straightedge';

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count));

/** Word 0: permits. Word 1: threads that may sleep. */
class FutexSemaphore {
  readonly word: Int32Array = words(2);
  constructor(permits: number) {
    this.word[0] = permits;
  }
  acquire(): void {
    for (;;) {
      const permits = Atomics.load(this.word, 0);
      if (permits > 0) {
        if (Atomics.compareExchange(this.word, 0, permits, permits - 1) === permits) return;
      } else {
        Atomics.add(this.word, 1, 1);
        Atomics.wait(this.word, 0, 0);
        Atomics.sub(this.word, 1, 1);
      }
    }
  }
  release(): void {
    Atomics.add(this.word, 0, 1);
    if (Atomics.load(this.word, 1) > 0) Atomics.notify(this.word, 0, 1);
  }
}

/** Wakes a sleeper only when the first permit comes back. With two permits, the second sleeper is forgotten. */
class ForgetfulSemaphore extends FutexSemaphore {
  override release(): void {
    if (Atomics.add(this.word, 0, 1) === 0) Atomics.notify(this.word, 0, 1);
  }
}

/** Readers are counted; -1: a writer. */
class ReadWriteLock {
  readonly word: Int32Array = words(1);
  readLock(): void {
    for (;;) {
      const readers = Atomics.load(this.word, 0);
      if (readers >= 0 && Atomics.compareExchange(this.word, 0, readers, readers + 1) === readers) return;
    }
  }
  readUnlock(): void {
    Atomics.sub(this.word, 0, 1);
  }
  writeLock(): void {
    while (Atomics.compareExchange(this.word, 0, 0, -1) !== 0);
  }
  writeUnlock(): void {
    Atomics.store(this.word, 0, 0);
  }
}

class LossyReadWriteLock extends ReadWriteLock {
  override readLock(): void {
    for (;;) {
      const readers = Atomics.load(this.word, 0);
      if (readers < 0) continue;
      Atomics.store(this.word, 0, readers + 1);
      return;
    }
  }
}

/** Sleeps instead of spinning; each unlock that frees the lock wakes all sleepers. */
class FutexReadWriteLock extends ReadWriteLock {
  override readLock(): void {
    for (;;) {
      const readers = Atomics.load(this.word, 0);
      if (readers < 0) Atomics.wait(this.word, 0, -1);
      else if (Atomics.compareExchange(this.word, 0, readers, readers + 1) === readers) return;
    }
  }
  override readUnlock(): void {
    if (Atomics.sub(this.word, 0, 1) === 1) Atomics.notify(this.word, 0);
  }
  override writeLock(): void {
    for (;;) {
      const was = Atomics.compareExchange(this.word, 0, 0, -1);
      if (was === 0) return;
      Atomics.wait(this.word, 0, was);
    }
  }
  override writeUnlock(): void {
    Atomics.store(this.word, 0, 0);
    Atomics.notify(this.word, 0);
  }
}

/** The last reader wakes no writer. */
class SilentReadWriteLock extends FutexReadWriteLock {
  override readUnlock(): void {
    Atomics.sub(this.word, 0, 1);
  }
}

class Latch {
  readonly word: Int32Array = words(1);
  constructor(count: number) {
    this.word[0] = count;
  }
  countDown(): void {
    for (;;) {
      const left = Atomics.load(this.word, 0);
      if (left === 0) return;
      if (Atomics.compareExchange(this.word, 0, left, left - 1) !== left) continue;
      if (left === 1) Atomics.notify(this.word, 0);
      return;
    }
  }
  wait(): void {
    for (;;) {
      const left = Atomics.load(this.word, 0);
      if (left === 0) return;
      Atomics.wait(this.word, 0, left);
    }
  }
}

class LossyLatch extends Latch {
  override countDown(): void {
    const left = Atomics.load(this.word, 0);
    if (left === 0) return;
    Atomics.store(this.word, 0, left - 1);
    if (left === 1) Atomics.notify(this.word, 0);
  }
}

/** A manual-reset event. */
class ManualEvent {
  readonly word: Int32Array = words(1);
  set(): void {
    if (Atomics.exchange(this.word, 0, 1) === 0) Atomics.notify(this.word, 0);
  }
  reset(): void {
    Atomics.store(this.word, 0, 0);
  }
  isSet(): boolean {
    return Atomics.load(this.word, 0) === 1;
  }
  wait(): void {
    while (Atomics.load(this.word, 0) === 0) Atomics.wait(this.word, 0, 0);
  }
}

/** Sleeps on whatever the word holds by then. */
class LateManualEvent extends ManualEvent {
  override wait(): void {
    while (Atomics.load(this.word, 0) === 0) Atomics.wait(this.word, 0, Atomics.load(this.word, 0));
  }
}

const semaphore = (create: () => FutexSemaphore) =>
  scenario({ backend: 'instrumented', create, calls: [[['acquire'], ['release']]] });
const readWriteLock = (create: () => ReadWriteLock) =>
  scenario({
    backend: 'instrumented',
    create,
    calls: [
      [['readLock'], ['readUnlock']],
      [['writeLock'], ['writeUnlock']],
    ],
  });
const latch = (create: () => Latch) =>
  scenario({ backend: 'instrumented', create, calls: [['countDown'], ['wait']] });
const event = (create: () => ManualEvent) =>
  scenario({ backend: 'instrumented', create, calls: [['set'], ['reset'], ['isSet'], ['wait']] });

export const futexSemaphore: Scenario = semaphore(() => new FutexSemaphore(2));
export const forgetfulSemaphore: Scenario = semaphore(() => new ForgetfulSemaphore(2));
export const spinReadWriteLock: Scenario = readWriteLock(() => new ReadWriteLock());
export const lossyReadWriteLock: Scenario = readWriteLock(() => new LossyReadWriteLock());
export const futexReadWriteLock: Scenario = readWriteLock(() => new FutexReadWriteLock());
export const silentReadWriteLock: Scenario = readWriteLock(() => new SilentReadWriteLock());
export const countDownLatch: Scenario = latch(() => new Latch(2));
export const lossyLatch: Scenario = latch(() => new LossyLatch(2));
export const manualEvent: Scenario = event(() => new ManualEvent());
export const lateManualEvent: Scenario = event(() => new LateManualEvent());
