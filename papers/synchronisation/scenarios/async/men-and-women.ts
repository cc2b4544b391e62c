/** A dance: he writes his name, she hers, and then he goes with hers. */
import { News } from './news.js';

export class AsyncDance {
  protected readonly news: News = new News();
  private stage = 'empty';
  private him = -1;
  private her = -1;

  async man(me: number): Promise<number> {
    while (this.stage !== 'empty') await this.news.wait();
    this.him = me;
    this.stage = 'man';
    this.wake();
    while (this.stage !== 'both') await this.news.wait();
    this.stage = 'empty';
    this.wake();
    return this.her;
  }

  async woman(me: number): Promise<number> {
    while (this.stage !== 'man') await this.news.wait();
    this.her = me;
    this.stage = 'both';
    this.wake();
    return this.him;
  }

  protected wake(): void {
    this.news.notifyAll();
  }
}

/** One is woken, who may be the wrong one. */
export class OneWokenDance extends AsyncDance {
  protected override wake(): void {
    this.news.notify();
  }
}

/** Two slots that are filled and emptied apart: a third may take the answer. */
export class TwoSlotDance {
  private readonly news = new News();
  private him = -1;
  private her = -1;

  async man(me: number): Promise<number> {
    while (this.him >= 0) await this.news.wait();
    this.him = me;
    this.news.notifyAll();
    while (this.her < 0) await this.news.wait();
    const { her } = this;
    this.her = -1;
    this.news.notifyAll();
    return her;
  }

  async woman(me: number): Promise<number> {
    while (this.her >= 0) await this.news.wait();
    this.her = me;
    this.news.notifyAll();
    while (this.him < 0) await this.news.wait();
    const { him } = this;
    this.him = -1;
    this.news.notifyAll();
    return him;
  }
}
