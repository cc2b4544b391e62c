/** Rounds with real threads over shared memory. Threads are kept from one round to the next; one that is stuck is ended. */
import type { Worker } from 'node:worker_threads';
import { MemoryLog } from '../../record/index.js';
import type { Scenario } from '../scenario.js';
import { ScenarioError } from '../scenario-error.js';
import type { PlainCall } from '../transform/index.js';
import { Client } from './client.js';
import type { Ended, Round, Rounds } from './round.js';
import { newSharedLog, operationsIn, writtenOf } from './shared-log.js';
import { type Stillness, stillness } from './stillness.js';
import type { ThreadMessage, ThreadRound } from './thread-client.js';

/** Threads take a while to load the scenario; in milliseconds. */
const BEGINNING = 30_000;

const nameOf = (thread: number): string => `${thread + 1}`;

export class ThreadRounds implements Rounds {
  readonly unknown: Map<string, number> = new Map();
  readonly #spawn: () => Worker;
  readonly #still: Stillness;
  #workers: Worker[] = [];

  /** `spawn` begins a thread that serves rounds. */
  constructor(spawn: () => Worker, still: Stillness) {
    this.#spawn = spawn;
    this.#still = still;
  }

  async run(scenario: Scenario, { matrix, mayRest }: Round): Promise<Ended> {
    const { before, threads, after } = matrix;
    const shared: unknown = await (scenario.create as (stubs: object) => unknown)(scenario.stubs);
    const main = new MemoryLog();
    const own = new Client(scenario, (scenario.attach as (given: unknown) => object)(shared), main, 'main');
    await own.run(before);
    const logs = threads.map(newSharedLog);
    const gate = new Int32Array(new SharedArrayBuffer(8));
    while (this.#workers.length < threads.length) this.#workers.push(this.#spawn());
    const working = threads.map((calls: readonly PlainCall[], p) => {
      const round: ThreadRound = {
        shared,
        calls,
        process: nameOf(p),
        log: logs[p],
        gate,
        threads: threads.length,
      };
      return this.#served(this.#workers[p], round);
    });
    const operations = () => [
      ...logs.map((log, p) => operationsIn(log, threads[p], nameOf(p))),
      main.operations,
    ];
    const begin = performance.now();
    const isStuck = await stillness(
      Promise.all(working),
      this.#still,
      () => this.#moves(logs, gate, begin),
      () => mayRest(operations()),
    );
    if (isStuck) await this.close();
    else await own.run(after);
    return { operations: operations(), annotations: [], isStuck };
  }

  async close(): Promise<void> {
    const workers = this.#workers;
    this.#workers = [];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #served(worker: Worker, round: ThreadRound): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        worker.off('message', answered);
        worker.off('error', broken);
        settle();
      };
      const broken = (error: Error): void => end(() => reject(error));
      const answered = (message: ThreadMessage): void =>
        end(() => {
          if (message.kind === 'failed') reject(new ScenarioError(message.message));
          else {
            for (const name of message.unknown) this.unknown.set(name, (this.unknown.get(name) ?? 0) + 1);
            resolve();
          }
        });
      worker.on('message', answered);
      worker.on('error', broken);
      worker.postMessage(round);
    });
  }

  /** How much the threads have logged; until all have begun, time is what moves. */
  #moves(logs: readonly SharedArrayBuffer[], gate: Int32Array, begin: number): number {
    if (Atomics.load(gate, 1) === 1) return logs.reduce((sum, log) => sum + writtenOf(log), 0);
    const now = performance.now();
    if (now - begin > BEGINNING)
      throw new ScenarioError(
        `threads have not begun after ${BEGINNING / 1_000} s: does the scenario load in a worker?`,
      );
    return now;
  }
}
