/** A lock for readers and writers, and a pair of numbers that it protects. */
import { type Scenario, scenario } from 'straightedge';

class ReadWriteLock {
  protected readers = 0;
  protected writing = false;
  protected waiting: (() => void)[] = [];

  async read<T>(work: () => Promise<T>): Promise<T> {
    while (this.writing) await this.change();
    this.readers++;
    try {
      return await work();
    } finally {
      this.readers--;
      this.wake();
    }
  }

  async write<T>(work: () => Promise<T>): Promise<T> {
    while (this.writing || this.readers > 0) await this.change();
    this.writing = true;
    try {
      return await work();
    } finally {
      this.writing = false;
      this.wake();
    }
  }

  protected change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  protected wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Fault: a writer that was woken does not look again. */
class CarelessLock extends ReadWriteLock {
  override async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.writing || this.readers > 0) await this.change();
    this.writing = true;
    try {
      return await work();
    } finally {
      this.writing = false;
      this.wake();
    }
  }
}

/** Fault: a reader registers too late, so that a writer does not see it. */
class LateReaderLock extends ReadWriteLock {
  override async read<T>(work: () => Promise<T>): Promise<T> {
    while (this.writing) await this.change();
    const result = work();
    await Promise.resolve();
    this.readers++;
    try {
      return await result;
    } finally {
      this.readers--;
      this.wake();
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Both values are always equal, unless a reader and a writer, or two writers, run at the same time. */
class Pair {
  private left = 0;
  private right = 0;
  private readonly lock: ReadWriteLock;

  constructor(lock: ReadWriteLock) {
    this.lock = lock;
  }

  get(): Promise<string> {
    return this.lock.read(async () => {
      const { left } = this;
      await sleep(10);
      return `${left} ${this.right}`;
    });
  }

  add(amount: number): Promise<number> {
    return this.lock.write(async () => {
      const sum = this.left + amount;
      this.left = sum;
      await sleep(5);
      this.right = sum;
      return this.right;
    });
  }
}

const using = (create: () => ReadWriteLock): Scenario =>
  scenario({
    create: () => new Pair(create()),
    calls: [['get'], ['add', 1]],
    threads: 3,
    callsPerThread: 1,
  });

export const correct: Scenario = using(() => new ReadWriteLock());
export const carelessWriter: Scenario = using(() => new CarelessLock());
export const unseenReader: Scenario = using(() => new LateReaderLock());
