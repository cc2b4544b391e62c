/**
 * Has the workers of a fleet do tasks, and tells what came of each.
 *
 * Redis may be away, restarted or forgetful, and events may be lost: so nothing rests on them. What is still wanted is
 * looked at again and again, and a task that is not there is added again. That is safe, because a task comes to
 * the same however often it is done, and has one name.
 */
import type { Job, Queue, QueueEvents } from 'bullmq';
import { UsageError } from '../../config/usage-error.js';
import { idOf, type Outcome, type Task, type TaskAnswer, type Work } from '../model/task.js';
import { type Connected, connect, forgetRefusals, PREFIX, QUEUE, refusalsOf, workersIn } from './connect.js';

interface CoordinatorOptions {
  /** Is what was done before taken as done? */
  readonly resume: boolean;
  /** When, by `performance.now`, there is no more time. */
  readonly until: number;
  readonly interrupted: () => boolean;
  /** Told what a person should know. */
  readonly onNews: (text: string) => void;
}

/** So many tasks are in the queue at once. */
const WINDOW = 200;
const TRIES = 3;
/** In seconds: what nobody came back for. */
const FORGOTTEN_AFTER = 7 * 24 * 3_600;
/** Milliseconds between two looks at all tasks, at the fleet, at the clock; and for tidying up. */
const LOOK_EVERY = 1_000;
const CENSUS_EVERY = 2_000;
const CLOCK_EVERY = 50;
const TIDYING = 500;

interface Wanted<T extends Task> {
  readonly id: string;
  readonly task: T;
  outcome?: Outcome<T>;
}

/** Until all is done, or there is no more time. */
export async function coordinate<T extends Task>(
  address: string,
  work: Work<T>,
  options: CoordinatorOptions,
): Promise<void> {
  const coordinator = new Coordinator(await connect(address), options);
  try {
    await coordinator.run(work);
  } finally {
    await coordinator.close();
  }
}

class Coordinator {
  readonly #connected: Connected;
  readonly #options: CoordinatorOptions;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #given: string[] = [];
  /** Tasks that are said to be done. */
  readonly #noted = new Set<string>();
  readonly #clock: NodeJS.Timeout;
  readonly #told = new Set<string>();
  #wake: () => void = () => {};
  #isOver = false;
  #lastLook = 0;
  #lastCensus = performance.now();

  constructor(connected: Connected, options: CoordinatorOptions) {
    this.#connected = connected;
    this.#options = options;
    const { bullmq } = connected;
    const settings = { connection: connected.options, prefix: PREFIX };
    this.#queue = new bullmq.Queue(QUEUE, settings);
    this.#events = new bullmq.QueueEvents(QUEUE, settings);
    const note = ({ jobId }: { jobId: string }) => {
      this.#noted.add(jobId);
      this.#wake();
    };
    this.#events.on('completed', note).on('failed', note);
    const onError = () => this.#tell('the connection to Redis is cut; waiting for it');
    this.#queue.on('error', onError);
    this.#events.on('error', onError);
    this.#clock = setInterval(() => {
      this.#isOver = options.interrupted() || performance.now() >= options.until;
      if (this.#isOver) this.#wake();
    }, CLOCK_EVERY);
  }

  async run<T extends Task>(work: Work<T>): Promise<void> {
    let wanted: Wanted<T>[] = [];
    try {
      for (;;) {
        const added = [...this.#more(work, wanted.length)];
        wanted.push(...added);
        await this.#orOver(this.#begin(added));
        if (wanted.length === 0 || this.#isOver) return;
        await this.#pause();
        await this.#orOver(this.#look(wanted));
        for (const { outcome } of wanted) if (outcome) work.take(outcome);
        wanted = wanted.filter(({ outcome }) => outcome === undefined);
        if (wanted.length > 0 && wanted.every(({ task }) => work.isVain?.(task))) return;
        await this.#orOver(this.#census(wanted));
      }
    } finally {
      await this.#tidy(Promise.all(wanted.map(({ id }) => this.#queue.remove(id))));
    }
  }

  *#more<T extends Task>(work: Work<T>, count: number): Generator<Wanted<T>> {
    for (let room = WINDOW - count; room > 0; room--) {
      const task = work.next();
      if (task === undefined) return;
      yield { id: idOf(task), task };
    }
  }

  /** What was done stays for whoever resumes, unless all is. */
  async close(): Promise<void> {
    clearInterval(this.#clock);
    if (!this.#isOver) await this.#tidy(Promise.all(this.#given.map((id) => this.#queue.remove(id))));
    await this.#tidy(Promise.all([this.#events.close(), this.#queue.close()]));
    this.#connected.redis.disconnect();
  }

  async #begin(added: readonly Wanted<Task>[]): Promise<void> {
    if (added.length === 0) return;
    const isFirst = this.#given.length === 0;
    this.#given.push(...added.map(({ id }) => id));
    if (isFirst) await forgetRefusals(this.#connected.redis, added[0].task.run);
    if (!this.#options.resume) await Promise.all(added.map(({ id }) => this.#queue.remove(id)));
    await this.#add(added);
    // some may have been done before
    if (this.#options.resume) for (const { id } of added) this.#noted.add(id);
  }

  async #add(added: readonly Wanted<Task>[]): Promise<void> {
    const age = { age: FORGOTTEN_AFTER };
    await this.#queue.addBulk(
      added.map(({ id, task }) => ({
        name: task.kind,
        data: task,
        opts: { jobId: id, attempts: TRIES, removeOnComplete: age, removeOnFail: age },
      })),
    );
  }

  /** Until somebody says that a task is done, or for a while. */
  async #pause(): Promise<void> {
    if (this.#noted.size > 0 || this.#isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #look<T extends Task>(wanted: readonly Wanted<T>[]): Promise<void> {
    const isAll = performance.now() - this.#lastLook >= LOOK_EVERY;
    if (isAll) this.#lastLook = performance.now();
    const open = wanted.filter(({ id, outcome }) => outcome === undefined && (isAll || this.#noted.has(id)));
    this.#noted.clear();
    const jobs = await Promise.all(open.map(({ id }) => this.#queue.getJob(id)));
    const lost: Wanted<T>[] = [];
    for (const [i, one] of open.entries()) {
      const job = jobs[i] as Job<T, TaskAnswer<T> | null> | undefined;
      if (job === undefined) lost.push(one);
      else if (job.finishedOn !== undefined) one.outcome = outcomeOf(one.task, job);
    }
    if (lost.length > 0) await this.#add(lost);
  }

  /** Says so where nobody is there, or nobody has the same code. */
  async #census(wanted: readonly Wanted<Task>[]): Promise<void> {
    if (wanted.length === 0 || performance.now() - this.#lastCensus < CENSUS_EVERY) return;
    this.#lastCensus = performance.now();
    const { redis, address } = this.#connected;
    const workers = await workersIn(redis);
    const refusals = await refusalsOf(redis, wanted[0].task.run);
    if (workers.length === 0)
      this.#tell(
        `no worker is there yet; start some, in the same folder: straightedge worker ${address.shown}`,
      );
    for (const [id, why] of Object.entries(refusals)) this.#tell(`${id} takes no tasks: ${why}`);
    if (workers.length > 0 && workers.every(({ id }) => Object.hasOwn(refusals, id)))
      throw new UsageError(`no worker takes the tasks. ${Object.entries(refusals)[0].join(': ')}`);
  }

  /** Each news once. */
  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#options.onNews(text);
  }

  /** Commands wait as long as Redis is away; we do so only while there is time. What fails is tried at the next look. */
  async #orOver(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setInterval(() => {
        if (this.#isOver) resolve();
      }, CLOCK_EVERY);
    });
    try {
      await Promise.race([work, over]);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.#tell(`Redis: ${(error as Error).message}`);
    } finally {
      clearInterval(timer);
    }
  }

  async #tidy(work: Promise<unknown>): Promise<void> {
    const ended = work.catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, TIDYING).unref())]);
  }
}

function outcomeOf<T extends Task>(task: T, job: Job<T, TaskAnswer<T> | null>): Outcome<T> {
  if (job.returnvalue) return { task, answer: job.returnvalue };
  const why = /stalled/.test(job.failedReason) ? 'its worker was lost each time' : job.failedReason;
  return { task, setAside: why };
}
