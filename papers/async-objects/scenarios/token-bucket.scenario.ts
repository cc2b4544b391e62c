/** A rate limiter: two calls pass, and one more every 100 ms. `take` returns the number of tokens that are left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Scenario, scenario } from 'straightedge';

const CAPACITY = 2;
const MS_PER_TOKEN = 100;

class TokenBucket {
  protected tokens = CAPACITY;
  private refilled = Date.now();

  async take(): Promise<number> {
    for (this.refill(); this.tokens === 0; this.refill()) await sleep(MS_PER_TOKEN);
    return --this.tokens;
  }

  async tryTake(): Promise<boolean> {
    this.refill();
    if (this.tokens === 0) return false;
    this.tokens--;
    return true;
  }

  protected refill(): void {
    const made = Math.floor((Date.now() - this.refilled) / MS_PER_TOKEN);
    this.tokens = Math.min(CAPACITY, this.tokens + made);
    this.refilled += made * MS_PER_TOKEN;
  }
}

/** Fault: calls that wait at the same time take the same token. */
class ImpatientBucket extends TokenBucket {
  override async take(): Promise<number> {
    this.refill();
    if (this.tokens === 0) {
      await sleep(MS_PER_TOKEN);
      this.refill();
    }
    return --this.tokens;
  }
}

/** Fault: the number of tokens is read, and written after an await. */
class RemoteBucket extends TokenBucket {
  override async tryTake(): Promise<boolean> {
    this.refill();
    const { tokens } = this;
    if (tokens === 0) return false;
    await this.log('taken');
    this.tokens = tokens - 1;
    return true;
  }

  private async log(_text: string): Promise<void> {}
}

const using = (create: () => TokenBucket): Scenario =>
  scenario({ create, calls: [['take'], ['tryTake']], threads: 2, callsPerThread: 2 });

export const correct: Scenario = using(() => new TokenBucket());
export const sameToken: Scenario = using(() => new ImpatientBucket());
export const lostUpdate: Scenario = using(() => new RemoteBucket());
