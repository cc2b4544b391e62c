/**
 * Rounds with real threads over shared memory. Threads are kept from one round to the next. One that is stuck is interrupted; if that does
 * not help, all are ended.
 *
 * How long threads take to load the scenario is up to the machine: only the time for all rounds limits it.
 */

import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { ScenarioError } from '../execution/memory/program-error.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { MemoryLog } from '../record/log.js';
import {
  Client,
  type Ended,
  type Logs,
  type Round,
  type Rounds,
  type Stillness,
  stillness,
} from './round.js';
import { Gate, newSharedLog, operationsIn, writtenOf } from './shared-log.js';
import type { ThreadMessage, ThreadRound } from './thread-client.js';

/** Runs one round in a thread. Gives the names of errors that the scenario does not classify. */
function runInThread(worker: Worker, round: ThreadRound): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      worker.off('message', answered);
      worker.off('error', broken);
      worker.off('exit', ended);
      settle();
    };
    const broken = (error: Error): void => end(() => reject(error));
    const ended = (code: number): void =>
      broken(new ScenarioError(`a thread has ended itself, with exit code ${code}`));
    const answered = (message: ThreadMessage): void =>
      message.kind === 'failed'
        ? broken(new ScenarioError(message.message))
        : end(() => resolve(message.unknown));
    worker.on('message', answered);
    worker.on('error', broken);
    worker.on('exit', ended);
    worker.postMessage(round);
  });
}

/** The shared memory that can be reached from what threads are given. */
function sharedMemory(value: unknown): SharedArrayBuffer[] {
  const found = new Set<SharedArrayBuffer>();
  const seen = new Set<object>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof SharedArrayBuffer) found.add(part);
    else if (ArrayBuffer.isView(part)) look(part.buffer);
    else if (part instanceof Map || part instanceof Set) for (const own of part.entries()) own.forEach(look);
    else Object.values(part).forEach(look);
  };
  look(value);
  return [...found];
}

/** Milliseconds for an interrupted thread to return, and the number of times that it is woken. */
const COMING_BACK = 100;
const WAKINGS = 20;

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

  async run(scenario: Scenario, { matrix, mayRest, isOver, onWait }: Round): Promise<Ended | undefined> {
    const { before, threads, after } = matrix;
    const shared: unknown = await (scenario.create as (stubs: object) => unknown)(scenario.stubs);
    const main = new MemoryLog();
    const own = new Client(scenario, (scenario.attach as (given: unknown) => object)(shared), main, 'main');
    await own.run(before);
    const logs = threads.map(newSharedLog);
    const gate = Gate.of(threads.length);
    while (this.#workers.length < threads.length) this.#workers.push(this.#spawn());
    const working = Promise.all(
      threads.map((calls: readonly PlainCall[], thread) =>
        this.#serve(thread, {
          shared,
          calls,
          process: nameOf(thread),
          log: logs[thread],
          thread,
          gate: gate.words,
        }),
      ),
    );
    const operations = () => [
      ...logs.map((log, p) => operationsIn(log, threads[p], nameOf(p))),
      main.operations,
    ];
    let seen: Logs = [];
    const why = await stillness(working, this.#still, {
      // until each thread has begun its first call, time is what moves
      moves: () => {
        const written = logs.map(writtenOf);
        if (written.every((lines, thread) => lines > 0 || threads[thread].length === 0))
          return written.reduce((sum, lines) => sum + lines, 0);
        if (!gate.isOpen) onWait();
        return performance.now();
      },
      mayRest: () => {
        seen = operations();
        return mayRest(seen);
      },
      isOver,
    });
    if (why === 'done') {
      await own.run(after);
      return { operations: operations(), annotations: [], isStuck: false };
    }
    if (!(await interrupted(working, () => gate.end(sharedMemory(shared))))) await this.close();
    return why === 'stuck' ? { operations: seen, annotations: [], isStuck: true } : undefined;
  }

  async close(): Promise<void> {
    const workers = this.#workers;
    this.#workers = [];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  async #serve(thread: number, round: ThreadRound): Promise<void> {
    for (const name of await runInThread(this.#workers[thread], round))
      this.unknown.set(name, (this.unknown.get(name) ?? 0) + 1);
  }
}

/** Have all threads returned? */
async function interrupted(working: Promise<unknown>, wake: () => void): Promise<boolean> {
  let isBack = false;
  const back = working.then(
    () => {
      isBack = true;
    },
    () => {},
  );
  for (let time = 0; time < WAKINGS && !isBack; time++) {
    wake();
    await Promise.race([back, setTimeout(COMING_BACK / WAKINGS)]);
  }
  return isBack;
}
