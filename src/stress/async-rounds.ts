/**
 * Rounds with asynchronous clients, on the real event loop.
 *
 * A client lets others go first before some of its calls, by chance, since the event loop by itself always does the same. Calls that are
 * open when a round is over are interrupted, as a scenario says by `cancel`; whatever comes of them is not part of the history.
 */
import { Random } from '../base/random.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { MemoryLog } from '../record/log.js';
import { Client } from './client.js';
import { type Ended, type Round, type Rounds, type Stillness, stillness } from './round.js';

export class AsyncRounds implements Rounds {
  readonly unknown: Map<string, number> = new Map();
  readonly #still: Stillness;

  constructor(still: Stillness) {
    this.#still = still;
  }

  async run(
    scenario: Scenario,
    { matrix, number, chance, mayRest, isOver }: Round,
  ): Promise<Ended | undefined> {
    const { before, threads, after } = matrix;
    const object = await (scenario.create as (stubs: object) => object | Promise<object>)(scenario.stubs);
    const logs = [...threads, before].map(() => new MemoryLog());
    const over = new AbortController();
    const client = (p: number): Client =>
      new Client(scenario, object, logs[p], p === threads.length ? 'main' : `${p + 1}`, {
        signal: over.signal,
        pause: pauses(chance),
        onUnknown: (error) => {
          const name = error instanceof Error ? error.name : String(error);
          this.unknown.set(name, (this.unknown.get(name) ?? 0) + 1);
        },
      });
    const main = client(threads.length);
    const annotations: { text: string; at: bigint }[] = [];
    const annotate = (text: string): void => {
      annotations.push({ text, at: process.hrtime.bigint() });
    };
    const faults = scenario.faults?.({ annotate, signal: over.signal, round: number });
    const work = async (): Promise<void> => {
      await main.run(before);
      await Promise.all(threads.map((calls, p) => client(p).run(calls)));
      await main.run(after);
    };
    const operations = () => logs.map((log) => log.operations);
    const moves = () => logs.reduce((sum, log) => sum + log.eventCount, 0);
    const why = await stillness(work(), this.#still, {
      moves,
      // what is elsewhere may only be slow
      mayRest: () => !scenario.remote && mayRest(operations()),
      isOver,
    });
    over.abort();
    await faults;
    if (why === 'cut off') return undefined;
    return { operations: operations(), annotations, isStuck: why === 'stuck' && !scenario.remote };
  }

  async close(): Promise<void> {}
}

/** Microtasks that may go first. */
const MOST_TURNS = 8;

/** Before a call: nothing, or some microtasks, or the next turn of the event loop. */
function pauses(chance: Random): () => Promise<unknown> | undefined {
  const own = new Random(chance.below(2 ** 31));
  return () => {
    const turns = own.below(MOST_TURNS + 3) - 1;
    if (turns <= 0) return undefined;
    return turns > MOST_TURNS ? new Promise((resolve) => setImmediate(resolve)) : microtasks(turns);
  };
}

async function microtasks(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}
