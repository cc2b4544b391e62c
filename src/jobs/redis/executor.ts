/**
 * Runs tasks on the workers of a Redis queue (BullMQ).
 *
 * Redis may be unreachable, restarted or flushed, and events may be lost, so correctness does not depend on events. The
 * coordinator polls outstanding tasks, and adds a missing one again. That is safe: a task has one name, and its result does
 * not depend on how often it runs.
 */
import type { Job, Queue, QueueEvents } from 'bullmq';
import { UsageError } from '../../config/usage-error.js';
import type { RedisOptions } from '../model/job.js';
import {
  type Executor,
  idOf,
  type RunControl,
  type Task,
  type TaskOutcome,
  type TaskSource,
} from '../model/task.js';
import { type Connected, connect, forgetRefusals, PREFIX, QUEUE, refusalsOf, workersIn } from './connect.js';

/** The number of tasks in the queue at once. */
const WINDOW = 200;
const ATTEMPTS = 3;
/** Seconds after which Redis forgets a result that no coordinator has fetched. */
const RESULT_AGE = 7 * 24 * 3_600;
/** Milliseconds between two polls of all tasks, of the workers and of the clock; and the time for cleaning up. */
const POLL_INTERVAL = 1_000;
const CENSUS_INTERVAL = 2_000;
const CLOCK_INTERVAL = 50;
const CLEANING = 500;

interface Outstanding<T extends Task> {
  readonly id: string;
  readonly task: T;
  outcome?: TaskOutcome<T>;
}

export class RedisExecutor implements Executor {
  readonly #options: RedisOptions;

  constructor(options: RedisOptions) {
    this.#options = options;
  }

  async run<T extends Task>(source: TaskSource<T>, control: RunControl): Promise<void> {
    const { url, resume } = this.#options;
    const coordinator = new Coordinator(await connect(url), { ...control, resume });
    try {
      await coordinator.run(source);
    } finally {
      await coordinator.close();
    }
  }
}

interface CoordinatorOptions extends RunControl {
  /** Reuse results of an interrupted run? */
  readonly resume: boolean;
}

class Coordinator {
  readonly #connected: Connected;
  readonly #options: CoordinatorOptions;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #given: string[] = [];
  /** Tasks that an event has reported as finished. */
  readonly #finished = new Set<string>();
  readonly #clock: NodeJS.Timeout;
  readonly #reported = new Set<string>();
  #wake: () => void = () => {};
  #isOver = false;
  #lastPoll = 0;
  #lastCensus = performance.now();

  constructor(connected: Connected, options: CoordinatorOptions) {
    this.#connected = connected;
    this.#options = options;
    const { bullmq } = connected;
    const settings = { connection: connected.options, prefix: PREFIX };
    this.#queue = new bullmq.Queue(QUEUE, settings);
    this.#events = new bullmq.QueueEvents(QUEUE, settings);
    const note = ({ jobId }: { jobId: string }) => {
      this.#finished.add(jobId);
      this.#wake();
    };
    this.#events.on('completed', note).on('failed', note);
    const onError = () => this.#report('the connection to Redis is cut; waiting for it');
    this.#queue.on('error', onError);
    this.#events.on('error', onError);
    this.#clock = setInterval(() => {
      this.#isOver = options.isOver();
      if (this.#isOver) this.#wake();
    }, CLOCK_INTERVAL);
  }

  async run<T extends Task>(source: TaskSource<T>): Promise<void> {
    let outstanding: Outstanding<T>[] = [];
    try {
      for (;;) {
        const added = [...this.#more(source, outstanding.length)];
        outstanding.push(...added);
        await this.#orOver(this.#begin(added));
        if (outstanding.length === 0 || this.#isOver) return;
        await this.#pause();
        await this.#orOver(this.#poll(outstanding));
        for (const { task, outcome } of outstanding) if (outcome) await source.complete(task, outcome);
        outstanding = outstanding.filter(({ outcome }) => outcome === undefined);
        if (outstanding.length > 0 && outstanding.every(({ task }) => source.isObsolete?.(task))) return;
        await this.#orOver(this.#census(outstanding));
      }
    } finally {
      await this.#clean(Promise.all(outstanding.map(({ id }) => this.#queue.remove(id))));
    }
  }

  /** Workers do not share the time: they count steps. */
  *#more<T extends Task>(source: TaskSource<T>, count: number): Generator<Outstanding<T>> {
    for (let room = WINDOW - count; room > 0; room--) {
      const task = source.next(1);
      if (task === undefined) return;
      yield { id: idOf(task), task };
    }
  }

  /** Results of an interrupted run stay in Redis, for `resume`. */
  async close(): Promise<void> {
    clearInterval(this.#clock);
    if (!this.#isOver) await this.#clean(Promise.all(this.#given.map((id) => this.#queue.remove(id))));
    await this.#clean(Promise.all([this.#events.close(), this.#queue.close()]));
    this.#connected.redis.disconnect();
  }

  async #begin(added: readonly Outstanding<Task>[]): Promise<void> {
    if (added.length === 0) return;
    const isFirst = this.#given.length === 0;
    this.#given.push(...added.map(({ id }) => id));
    if (isFirst) await forgetRefusals(this.#connected.redis, added[0].task.run);
    if (!this.#options.resume) await Promise.all(added.map(({ id }) => this.#queue.remove(id)));
    await this.#add(added);
    // some may be finished already
    if (this.#options.resume) for (const { id } of added) this.#finished.add(id);
  }

  async #add(added: readonly Outstanding<Task>[]): Promise<void> {
    const age = { age: RESULT_AGE };
    await this.#queue.addBulk(
      added.map(({ id, task }) => ({
        name: task.kind,
        data: task,
        opts: { jobId: id, attempts: ATTEMPTS, removeOnComplete: age, removeOnFail: age },
      })),
    );
  }

  /** Waits for an event about a task, or for the next poll. */
  async #pause(): Promise<void> {
    if (this.#finished.size > 0 || this.#isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_INTERVAL);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #poll<T extends Task>(outstanding: readonly Outstanding<T>[]): Promise<void> {
    const isAll = performance.now() - this.#lastPoll >= POLL_INTERVAL;
    if (isAll) this.#lastPoll = performance.now();
    const open = outstanding.filter(
      ({ id, outcome }) => outcome === undefined && (isAll || this.#finished.has(id)),
    );
    this.#finished.clear();
    const jobs = await Promise.all(open.map(({ id }) => this.#queue.getJob(id)));
    const lost: Outstanding<T>[] = [];
    for (const [i, one] of open.entries()) {
      const job = jobs[i] as Job<T, TaskOutcome<T> | null> | undefined;
      if (job === undefined) lost.push(one);
      else if (job.finishedOn !== undefined) one.outcome = outcomeOf(job);
    }
    if (lost.length > 0) await this.#add(lost);
  }

  /** Reports if there is no worker, and fails if none has the same code. */
  async #census(outstanding: readonly Outstanding<Task>[]): Promise<void> {
    if (outstanding.length === 0 || performance.now() - this.#lastCensus < CENSUS_INTERVAL) return;
    this.#lastCensus = performance.now();
    const { redis, address } = this.#connected;
    const workers = await workersIn(redis);
    const refusals = await refusalsOf(redis, outstanding[0].task.run);
    if (workers.length === 0)
      this.#report(`no worker yet; start some in the same folder: straightedge worker ${address.shown}`);
    for (const [id, why] of Object.entries(refusals)) this.#report(`${id} takes no tasks: ${why}`);
    if (workers.length > 0 && workers.every(({ id }) => Object.hasOwn(refusals, id)))
      throw new UsageError(`no worker takes the tasks. ${Object.entries(refusals)[0].join(': ')}`);
  }

  /** Reports each message once. */
  #report(text: string): void {
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    this.#options.onNews(text);
  }

  /** Redis commands wait while Redis is unreachable; this waits only until the run is over. The next poll repeats what failed. */
  async #orOver(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setInterval(() => {
        if (this.#isOver) resolve();
      }, CLOCK_INTERVAL);
    });
    try {
      await Promise.race([work, over]);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#report(`Redis: ${(error as Error).message}`);
    } finally {
      clearInterval(timer);
    }
  }

  async #clean(work: Promise<unknown>): Promise<void> {
    const ended = work.catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLEANING).unref())]);
  }
}

function outcomeOf<T extends Task>(job: Job<T, TaskOutcome<T> | null>): TaskOutcome<T> {
  if (job.returnvalue) return job.returnvalue;
  const isLost = /stalled/.test(job.failedReason);
  return { kind: 'abandoned', reason: isLost ? 'its worker was lost each time' : job.failedReason };
}
