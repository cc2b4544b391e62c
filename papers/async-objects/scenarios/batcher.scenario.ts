/** A loader that collects keys for 5 ms and asks for them together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Scenario, scenario } from 'straightedge';

interface Request {
  readonly key: string;
  readonly resolve: (value: string) => void;
}

/** The server answers in the order of the keys. */
async function fetchAll(keys: readonly string[]): Promise<string[]> {
  await sleep(20);
  return [...new Set(keys)].sort().map((key) => `value of ${key}`);
}

class Batcher {
  protected batch: Request[] = [];

  load(key: string): Promise<string> {
    return new Promise((resolve) => {
      if (this.batch.length === 0) setTimeout(() => void this.flush(), 5);
      this.batch.push({ key, resolve });
    });
  }

  protected async flush(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    const keys = [...new Set(batch.map(({ key }) => key))].sort();
    const values = await fetchAll(keys);
    for (const { key, resolve } of batch) resolve(values[keys.indexOf(key)]);
  }
}

/** Fault: keys that come during a fetch are thrown away with the batch. */
class LosingBatcher extends Batcher {
  protected override async flush(): Promise<void> {
    const requests = [...this.batch];
    const keys = [...new Set(requests.map(({ key }) => key))].sort();
    const values = await fetchAll(keys);
    this.batch = [];
    for (const { key, resolve } of requests) resolve(values[keys.indexOf(key)]);
  }
}

/** Fault: the answers are given out in the order of the calls. */
class MixingBatcher extends Batcher {
  protected override async flush(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    const values = await fetchAll(batch.map(({ key }) => key));
    for (const [i, { resolve }] of batch.entries()) resolve(values[i]);
  }
}

const using = (create: () => Batcher): Scenario =>
  scenario({
    create,
    calls: [
      ['load', 'a'],
      ['load', 'b'],
    ],
    threads: 2,
    callsPerThread: 2,
  });

export const correct: Scenario = using(() => new Batcher());
export const lostCalls: Scenario = using(() => new LosingBatcher());
export const mixedAnswers: Scenario = using(() => new MixingBatcher());
