/** A barrier: each round has a promise of its own, so that who comes again is in the next one. */
import { News } from './news.js';

export class AsyncBarrier {
  private readonly parties: number;
  private waiting: (() => void)[] = [];

  constructor(parties: number) {
    this.parties = parties;
  }

  async sync(_me: number): Promise<void> {
    if (this.waiting.length + 1 < this.parties)
      return new Promise((resolve) => {
        this.waiting.push(resolve);
      });
    const all = this.waiting;
    this.waiting = [];
    for (const go of all) go();
  }
}

/** No call waits. */
export class OpenBarrier {
  async sync(_me: number): Promise<void> {}
}

/** One count for all rounds: who comes again does not wait until the others have left. */
export class ReentrantBarrier {
  private readonly news = new News();
  private readonly parties: number;
  private count = 0;
  private isLeaving = false;

  constructor(parties: number) {
    this.parties = parties;
  }

  async sync(_me: number): Promise<void> {
    this.isLeaving = ++this.count === this.parties || this.isLeaving;
    this.news.notifyAll();
    while (!this.isLeaving) await this.news.wait();
    if (--this.count === 0) this.isLeaving = false;
  }
}

/** Who leaves is not counted: later ones pass alone. */
export class CountlessBarrier {
  private readonly news = new News();
  private readonly parties: number;
  private count = 0;

  constructor(parties: number) {
    this.parties = parties;
  }

  async sync(_me: number): Promise<void> {
    if (++this.count >= this.parties) this.news.notifyAll();
    while (this.count < this.parties) await this.news.wait();
  }
}
