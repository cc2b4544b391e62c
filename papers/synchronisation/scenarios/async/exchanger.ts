/** An exchanger: who comes first leaves its value, and how to answer it; who comes second answers. */
import { News } from './news.js';

interface First {
  readonly value: number;
  readonly answer: (value: number) => void;
}

export class AsyncExchanger {
  private first: First | undefined;

  async exchange(value: number): Promise<number> {
    const { first } = this;
    if (!first)
      return new Promise((answer) => {
        this.first = { value, answer };
      });
    this.first = undefined;
    first.answer(value);
    return first.value;
  }
}

/** Both values go through one slot, which the second opens again at once: a newcomer may come before the first has read. */
export class EarlyExchanger {
  private readonly news = new News();
  private isWaiting = false;
  private slot = 0;

  async exchange(value: number): Promise<number> {
    const other = this.slot;
    this.slot = value;
    this.isWaiting = !this.isWaiting;
    if (!this.isWaiting) {
      this.news.notifyAll();
      return other;
    }
    while (this.isWaiting) await this.news.wait();
    return this.slot;
  }
}
