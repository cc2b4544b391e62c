/** Rounds with asynchronous clients, on the real event loop. */
import { MemoryLog } from '../../record/index.js';
import type { Matrix } from '../matrix.js';
import type { Scenario } from '../scenario.js';
import { Client } from './client.js';
import type { Ended, Rounds } from './round.js';

export class AsyncRounds implements Rounds {
  readonly unknown: Map<string, number> = new Map();
  /** Milliseconds without a call or a return after which a round is stuck. */
  readonly #patience: number;

  constructor(patience: number) {
    this.#patience = patience;
  }

  async run(scenario: Scenario, { before, threads, after }: Matrix, round: number): Promise<Ended> {
    const object = await (scenario.create as (stubs: object) => object | Promise<object>)(scenario.stubs);
    const logs = [...threads, before].map(() => new MemoryLog());
    const client = (p: number): Client =>
      new Client(scenario, object, logs[p], p === threads.length ? 'main' : `${p + 1}`, (error) => {
        const name = error instanceof Error ? error.name : String(error);
        this.unknown.set(name, (this.unknown.get(name) ?? 0) + 1);
      });
    const main = client(threads.length);
    const annotations: { text: string; at: bigint }[] = [];
    const over = new AbortController();
    const annotate = (text: string): void => {
      annotations.push({ text, at: process.hrtime.bigint() });
    };
    const faults = scenario.faults?.({ annotate, signal: over.signal, round });
    const work = async (): Promise<void> => {
      await main.run(before);
      await Promise.all(threads.map((calls, p) => client(p).run(calls)));
      await main.run(after);
    };
    const isStuck = await this.#isStuck(work(), () => logs.reduce((sum, log) => sum + log.moved, 0));
    over.abort();
    await faults;
    // what is elsewhere may only be slow
    return {
      operations: logs.map(({ operations }) => operations),
      annotations,
      isStuck: isStuck && !scenario.remote,
    };
  }

  async close(): Promise<void> {}

  /** Tells true if nothing has moved for too long. */
  #isStuck(work: Promise<void>, moves: () => number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let last = -1;
      const watchdog = setInterval(() => {
        const now = moves();
        if (now === last) done(true);
        last = now;
      }, this.#patience);
      const done = (isStuck: boolean) => {
        clearInterval(watchdog);
        resolve(isStuck);
      };
      work.then(
        () => done(false),
        (error: unknown) => {
          clearInterval(watchdog);
          reject(error as Error);
        },
      );
    });
  }
}
