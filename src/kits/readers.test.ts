/** The kit of locks for readers and writers. A class has each fault under a name. */
import { expect, test } from 'vitest';
import { sentencesOf } from '../../test/support/fixtures/kits.js';
import { readWriteLockKit } from './readers.js';

interface Waiter {
  readonly isWrite: boolean;
  readonly wake: () => void;
}

interface Giving {
  readonly signal?: AbortSignal;
  readonly milliseconds?: number;
}

class ReadWriteLock {
  #readers = 0;
  #isWritten = false;
  #waiting: Waiter[] = [];
  readonly #fault: string;

  constructor(fault = '') {
    this.#fault = fault;
  }

  async acquire(isWrite: boolean, { signal, milliseconds }: Giving = {}): Promise<void> {
    signal?.throwIfAborted();
    const isFree = this.#canEnter(isWrite) && this.#waiting.length === 0;
    if (isFree && this.#fault === 'counts after an await') await Promise.resolve();
    if (isFree) {
      this.#enter(isWrite);
      return;
    }
    if (this.#fault === 'registers after an await') await Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        if (this.#fault === 'forgets to remove a wait that gave up') {
          reject(new Error('given up'));
          return;
        }
        const at = this.#waiting.indexOf(waiter);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        reject(new Error('given up'));
        if (this.#fault !== 'wakes nothing when a wait gives up') this.#next();
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds);
      signal?.addEventListener('abort', giveUp);
      const waiter: Waiter = {
        isWrite,
        wake: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.push(waiter);
    });
    if (this.#fault === 'enters when it continues') this.#enter(isWrite);
  }

  release(isWrite: boolean): void {
    if (isWrite) this.#isWritten = false;
    else this.#readers--;
    this.#next();
  }

  #canEnter(isWrite: boolean): boolean {
    if (this.#fault === 'lets writers in beside readers') return !this.#isWritten;
    if (this.#fault === 'lets one reader in') return !this.#isWritten && this.#readers === 0;
    return !this.#isWritten && (!isWrite || this.#readers === 0);
  }

  #enter(isWrite: boolean): void {
    if (isWrite) this.#isWritten = true;
    else this.#readers++;
  }

  #next(): void {
    for (let [next] = this.#waiting; next && this.#canEnter(next.isWrite); [next] = this.#waiting) {
      this.#waiting.shift();
      if (this.#fault !== 'enters when it continues') this.#enter(next.isWrite);
      next.wake();
      if (this.#fault === 'wakes one reader') return;
    }
  }
}

const lock = (fault?: string) =>
  readWriteLockKit({
    create: () => new ReadWriteLock(fault),
    acquireRead: (own) => own.acquire(false),
    releaseRead: (own) => own.release(false),
    acquireWrite: (own) => own.acquire(true),
    releaseWrite: (own) => own.release(true),
    abortableRead: (own, signal) => own.acquire(false, { signal }),
    abortableWrite: (own, signal) => own.acquire(true, { signal }),
    timedRead: (own, milliseconds) => own.acquire(false, { milliseconds }),
    timedWrite: (own, milliseconds) => own.acquire(true, { milliseconds }),
  });

/** Another style: who is woken looks again. */
class LoopLock {
  #readers = 0;
  #isWritten = false;
  #waiting: (() => void)[] = [];

  async read(): Promise<void> {
    while (this.#isWritten) await this.#change();
    this.#readers++;
  }

  async write(): Promise<void> {
    while (this.#isWritten || this.#readers > 0) await this.#change();
    this.#isWritten = true;
  }

  endRead(): void {
    this.#readers--;
    this.#wake();
  }

  endWrite(): void {
    this.#isWritten = false;
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

test('correct locks for readers and writers keep all guarantees', async () => {
  expect(await sentencesOf(lock())).toBe('');
  const loops = readWriteLockKit({
    create: () => new LoopLock(),
    acquireRead: (own) => own.read(),
    releaseRead: (own) => own.endRead(),
    acquireWrite: (own) => own.write(),
    releaseWrite: (own) => own.endWrite(),
  });
  expect(await sentencesOf(loops)).toBe('');
});

test.each([
  [
    'counts after an await',
    /a writer is not alone: write\w*\(\d\) acquired the lock while \w+\(\d\) still held it/,
  ],
  ['lets writers in beside readers', /a writer is not alone/],
  ['lets one reader in', /is blocked forever in acquireRead\(\)/],
  ['enters when it continues', /is not alone|beside a writer/],
  ['registers after an await', /is blocked forever in acquire(Read|Write)\(\): no call holds the lock/],
  ['wakes one reader', /blocked forever/],
  ['forgets to remove a wait that gave up', /blocked forever/],
  [
    'wakes nothing when a wait gives up',
    /read\(2\) waits, though only readFirst\(\) holds the lock and no writer waits/,
  ],
] as const)('a lock that %s', async (fault, says) => {
  expect(await sentencesOf(lock(fault), says)).toMatch(says);
});
