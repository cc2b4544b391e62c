/**
 * A place for one task of a scenario at a time: a thread that has loaded it, and a watch over that thread.
 *
 * A thread that gives no sign, runs out of memory or ends itself is given up, and the task with it: it has failed, and may be tried
 * again. What a scenario refuses for good reasons it refuses everywhere: that is an answer.
 */
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../base/package-file.js';
import type { Outcome, ScenarioTask, TaskAnswer, ThreadData, ThreadMessage, Work } from '../model/task.js';

/** Milliseconds in which a scenario has to be loaded. */
const LOADING = 60_000;

type Refused = Extract<ThreadMessage, { kind: 'refused' }>;

interface Loaded extends Pick<ScenarioTask, 'kind' | 'file' | 'code'> {
  readonly thread: Worker;
}

export class Slot {
  readonly #bytes: number;
  #loaded: Loaded | undefined;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Is the scenario of a task loaded, for tasks of its kind? */
  has({ kind, file, code }: ScenarioTask): boolean {
    return this.#loaded?.kind === kind && this.#loaded.file === file && this.#loaded.code === code;
  }

  async run<T extends ScenarioTask>(task: T): Promise<TaskAnswer<T>> {
    if (!this.has(task)) {
      await this.end();
      const refused = await this.#load(task);
      if (refused) return refused;
    }
    const { thread } = this.#loaded as Loaded;
    thread.postMessage(task);
    return (await this.#heard(thread, task.silence)) as TaskAnswer<T>;
  }

  async end(): Promise<void> {
    const { thread } = this.#loaded ?? {};
    this.#loaded = undefined;
    await thread?.terminate();
  }

  async #load({ kind, file, code }: ScenarioTask): Promise<Refused | undefined> {
    const thread = new Worker(packageFile('#task-thread'), {
      workerData: { kind, file } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(this.#bytes / 2 ** 20) },
    });
    this.#loaded = { kind, file, code, thread };
    const message = await this.#heard(thread, LOADING);
    if (message.kind === 'loaded') return undefined;
    await this.end();
    return message as Refused;
  }

  /** The next message that is more than a sign; an error after so many milliseconds without any. */
  async #heard(thread: Worker, silence: number): Promise<Exclude<ThreadMessage, { kind: 'moves' }>> {
    let timer: NodeJS.Timeout | undefined;
    const ears = new AbortController();
    const { signal } = ears;
    try {
      return await new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(why));
        const wait = () => {
          clearTimeout(timer);
          timer = setTimeout(fail, silence, `It gave no sign for ${silence / 1_000} s: something never ends`);
        };
        wait();
        const hear = <A>(event: string, listener: (value: A) => void) => {
          thread.on(event, listener);
          signal.addEventListener('abort', () => thread.off(event, listener));
        };
        hear('message', (message: ThreadMessage) => (message.kind === 'moves' ? wait() : resolve(message)));
        hear('error', (error: NodeJS.ErrnoException) =>
          fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'It ran out of memory' : error.message),
        );
        hear('exit', (code: number) => fail(`It ended its thread with code ${code}`));
      });
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      ears.abort();
    }
  }
}

/*
 * Tasks done by threads of this machine, as a fleet would do them: each slot takes the next one when it is done with its last.
 * What fails here is not tried again: a thread is not lost as a machine is.
 */

/** Milliseconds. */
const CLOCK_EVERY = 50;

/** Until all is done, or it is over. */
export async function workHere<T extends ScenarioTask>(
  work: Work<T>,
  slots: readonly Slot[],
  isOver: () => boolean,
): Promise<void> {
  const running = new Map<Slot, T>();
  const serve = async (slot: Slot): Promise<void> => {
    for (let task = work.next(); task !== undefined; task = work.next()) {
      running.set(slot, task);
      const outcome = await outcomeOf(slot, task);
      running.delete(slot);
      if (isOver()) return;
      work.take(outcome);
      for (const [other, own] of running) if (work.isVain?.(own)) void other.end();
    }
  };
  const endAll = () => Promise.all(slots.map((slot) => slot.end()));
  const clock = setInterval(() => {
    if (isOver()) void endAll();
  }, CLOCK_EVERY);
  try {
    await Promise.all(slots.map(serve));
  } finally {
    clearInterval(clock);
    await endAll();
  }
}

async function outcomeOf<T extends ScenarioTask>(slot: Slot, task: T): Promise<Outcome<T>> {
  try {
    return { task, answer: await slot.run(task) };
  } catch (error) {
    return { task, setAside: (error as Error).message };
  }
}
