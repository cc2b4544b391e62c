/** A barrier that adds up what its parties bring: each round has a sum of its own. */
import { News } from './news.js';

export class AsyncCombiningBarrier {
  private readonly parties: number;
  private sum = 0;
  private waiting: ((sum: number) => void)[] = [];

  constructor(parties: number) {
    this.parties = parties;
  }

  async sync(_me: number, value: number): Promise<number> {
    this.sum += value;
    if (this.waiting.length + 1 < this.parties)
      return new Promise((resolve) => {
        this.waiting.push(resolve);
      });
    const { sum, waiting } = this;
    [this.sum, this.waiting] = [0, []];
    this.answer(waiting, sum);
    return sum;
  }

  protected answer(waiting: readonly ((sum: number) => void)[], sum: number): void {
    for (const go of waiting) go(sum);
  }
}

/** Who is woken reads the sum, to which the next round may have added. */
export class LateReadingBarrier {
  private readonly news = new News();
  private readonly parties: number;
  private round = 0;
  private count = 0;
  private sum = 0;

  constructor(parties: number) {
    this.parties = parties;
  }

  async sync(_me: number, value: number): Promise<number> {
    if (this.count === 0) this.sum = 0;
    this.sum += value;
    const { round } = this;
    if (++this.count === this.parties) {
      this.count = 0;
      this.round++;
      this.news.notifyAll();
    }
    while (this.round === round) await this.news.wait();
    return this.sum;
  }
}

/** The last one wakes only one of the others. */
export class OneWokenBarrier extends AsyncCombiningBarrier {
  protected override answer(waiting: readonly ((sum: number) => void)[], sum: number): void {
    waiting[0]?.(sum);
  }
}
