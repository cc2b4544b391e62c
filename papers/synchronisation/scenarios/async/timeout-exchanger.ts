/** An exchanger whose callers give up after a time. */
import { News } from './news.js';

const TIMEOUT = 10;

interface First {
  readonly value: number;
  other: number | null;
}

export class AsyncTimeoutExchanger {
  private readonly news = new News();
  protected first: First | undefined;

  async exchange(value: number): Promise<number | null> {
    const { first } = this;
    if (first) return this.answer(first, value);
    const own: First = { value, other: null };
    this.first = own;
    await this.timeOut();
    this.leave(own);
    return own.other;
  }

  protected timeOut(): Promise<void> {
    return this.news.pause(TIMEOUT);
  }

  protected answer(first: First, value: number): number {
    first.other = value;
    this.first = undefined;
    return first.value;
  }

  protected leave(own: First): void {
    if (this.first === own) this.first = undefined;
  }
}

/** Who gives up leaves its value behind. */
export class LittererExchanger extends AsyncTimeoutExchanger {
  protected override leave(): void {}
}

/** A third is taken for the second. */
export class CrowdedExchanger extends AsyncTimeoutExchanger {
  protected override answer(first: First, value: number): number {
    first.other = value;
    return first.value;
  }
}

/** The time-out never starts. */
export class EndlessExchanger extends AsyncTimeoutExchanger {
  protected override timeOut(): Promise<void> {
    return new Promise(() => {});
  }
}
