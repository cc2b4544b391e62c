/**
 * A place for one task of a scenario at a time: a thread that has loaded it, and a watch over that thread.
 *
 * A thread that gives no sign, runs out of memory or ends itself is given up, and the task with it: it has failed, and may be tried
 * again. What a scenario refuses for good reasons it refuses everywhere: that is an answer.
 */
import { Worker } from 'node:worker_threads';
import { ownFile } from '../../base/package-file.js';
import type { ScenarioTask, TaskAnswer, ThreadData, ThreadMessage } from '../model/task.js';

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
    const thread = new Worker(ownFile('#task-thread'), {
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
