/** A queue that ends when it is empty and all its clients wait. Between looking and taking there is no await. */
import { News } from './news.js';

export class AsyncTerminatingQueue {
  protected readonly news: News = new News();
  private readonly parties: number;
  private readonly items: number[] = [];
  protected waiting = 0;
  private isOver = false;

  constructor(parties: number) {
    this.parties = parties;
  }

  async enqueue(value: number): Promise<void> {
    this.items.push(value);
    this.wake();
  }

  async dequeue(): Promise<number | null> {
    if (this.mustWait(false) && ++this.waiting === this.parties) {
      this.isOver = true;
      this.news.notifyAll();
    }
    for (let wasWoken = false; this.mustWait(wasWoken); wasWoken = true) {
      await this.news.wait();
      if (!this.mustWait(true)) this.countOut();
    }
    return this.isOver ? null : (this.items.shift() ?? null);
  }

  protected mustWait(_wasWoken: boolean): boolean {
    return this.items.length === 0 && !this.isOver;
  }

  protected countOut(): void {
    this.waiting--;
  }

  protected wake(): void {
    this.news.notify();
  }
}

/** A call that finds it empty returns. */
export class ImpatientQueue extends AsyncTerminatingQueue {
  protected override mustWait(): boolean {
    return false;
  }
}

/** No waiting call is woken for a new item. */
export class SilentQueue extends AsyncTerminatingQueue {
  protected override wake(): void {}
}

/** `if` for `while`: the item may be gone when who was woken looks. */
export class TrustingQueue extends AsyncTerminatingQueue {
  protected override mustWait(wasWoken: boolean): boolean {
    return !wasWoken && super.mustWait(wasWoken);
  }
}

/** Who was woken is counted out a little later: another may think that all wait. */
export class LateCountingQueue extends AsyncTerminatingQueue {
  protected override countOut(): void {
    setImmediate(() => super.countOut());
  }
}
