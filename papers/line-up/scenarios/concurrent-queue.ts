/** First in, first out. Who changes it holds its lock; who only looks does so in one step, and takes none. */
import { Mutex } from 'straightedge/explore';

export class ConcurrentQueue {
  protected readonly lock: Mutex = new Mutex();
  private readonly items: number[] = [];

  enqueue(value: number): void {
    this.lock.lock();
    this.items.push(value);
    this.lock.unlock();
  }

  tryDequeue(): number | null {
    this.lock.lock();
    return this.dequeue();
  }

  tryPeek(): number | null {
    return this.items[0] ?? null;
  }

  count(): number {
    return this.items.length;
  }

  isEmpty(): boolean {
    return this.count() === 0;
  }

  toArray(): number[] {
    return [...this.items];
  }

  /** With the lock held, which is given back. */
  protected dequeue(): number | null {
    const first = this.items.shift() ?? null;
    this.lock.unlock();
    return first;
  }
}
