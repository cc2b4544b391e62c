/**
 * Runs tasks on the workers of a Redis queue (BullMQ).
 *
 * What Redis holds is not trusted: a task counts as finished only with an outcome that is signed for this task
 * (messages.ts). One that is not is removed, and its task added again.
 *
 * Redis may be unreachable, restarted or flushed, and events may be lost, so correctness does not depend on events. The
 * coordinator polls outstanding tasks, and adds a missing one again. That is safe: a task has one name, and its result does
 * not depend on how often it runs.
 */
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { printable } from '../../base/values/show.js';
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
import {
  type Connected,
  connect,
  expectOwnKeys,
  followEvents,
  forgetRefusals,
  passingProblem,
  problemText,
  queueOf,
  readStored,
  reasonOf,
  refusalsOf,
  type StoredTask,
  sealerFor,
  workersIn,
} from './connect.js';
import {
  newSession,
  openOutcome,
  openTask,
  RESULT_AGE,
  SealError,
  type Sealed,
  type Sealer,
  type Session,
  sealTask,
} from './messages.js';

/** The number of tasks in the queue at once. */
const WINDOW = 200;
const ATTEMPTS = 3;
/** How many invalid outcomes of a task are removed before it is abandoned. */
const MAX_INVALID = 3;
/** How many tasks are read at once: each may be large. */
const READ_AT_ONCE = 8;
/** Milliseconds between two polls of all tasks, of the workers and of the clock; and the time for cleaning up. */
const POLL_INTERVAL = 1_000;
const CENSUS_INTERVAL = 2_000;
const CLOCK_INTERVAL = 50;
const CLEANING = 500;
/** Milliseconds after the time limit of a task: for a worker, which may be lost, so that another one takes over; and for a Redis. */
const TAKEOVER = 20_000;
const SILENCE = 5_000;

interface Outstanding<T extends Task> {
  readonly id: string;
  readonly task: T;
  readonly sealed: Sealed;
  invalid: number;
  /** When a worker took it, and when that was seen here. */
  taken?: { readonly at: string; readonly seen: number };
  outcome?: TaskOutcome<T>;
}

export class RedisExecutor implements Executor {
  readonly #options: RedisOptions;

  constructor(options: RedisOptions) {
    this.#options = options;
  }

  async run<T extends Task>(source: TaskSource<T>, control: RunControl): Promise<void> {
    const { url, resume } = this.#options;
    const { timeout = Number.POSITIVE_INFINITY, maxSilence = Number.POSITIVE_INFINITY } = control;
    const sealer = sealerFor(url);
    const coordinator = new Coordinator(await connect(url), sealer, {
      ...{ ...control, timeout, maxSilence, resume },
    });
    try {
      await coordinator.run(source);
    } finally {
      await coordinator.close();
    }
  }
}

/** `resume`: reuse results of an interrupted run. */
type CoordinatorOptions = Required<RunControl> & { readonly timeout: number; readonly resume: boolean };

class Coordinator {
  readonly #connected: Connected;
  readonly #sealer: Sealer;
  readonly #options: CoordinatorOptions;
  readonly #session: Session = newSession();
  readonly #queue: Queue;
  readonly #events: Redis;
  readonly #given: string[] = [];
  /** Tasks that an event has reported as finished. */
  readonly #finished = new Set<string>();
  readonly #clock: NodeJS.Timeout;
  readonly #reported = new Set<string>();
  #wake: () => void = () => {};
  #isOver = false;
  #lastPoll = 0;
  #lastCensus = performance.now();
  #lastAnswer = this.#lastCensus;

  constructor(connected: Connected, sealer: Sealer, options: CoordinatorOptions) {
    this.#connected = connected;
    this.#sealer = sealer;
    this.#options = options;
    const onError = (error: Error) => this.#report(problemText(error, 'Redis'));
    this.#queue = queueOf(connected, onError);
    this.#events = connected.redis.duplicate();
    this.#events.on('error', onError);
    const note = (id: string) => {
      this.#finished.add(id);
      this.#wake();
    };
    // without events, each poll finds what has finished
    followEvents(this.#events, note).catch(() => {});
    this.#clock = setInterval(() => {
      this.#isOver = options.isOver();
      if (this.#isOver || this.#isSilent) this.#wake();
    }, CLOCK_INTERVAL);
  }

  get #isSilent(): boolean {
    return performance.now() > this.#lastAnswer + this.#options.maxSilence + SILENCE;
  }

  async run<T extends Task>(source: TaskSource<T>): Promise<void> {
    let outstanding: Outstanding<T>[] = [];
    try {
      await this.#orOver(expectOwnKeys(this.#connected));
      for (;;) {
        const added = await this.#more(source, outstanding.length);
        outstanding.push(...added);
        await this.#orOver(this.#begin(added));
        if (outstanding.length === 0 || this.#isOver) return;
        await this.#pause();
        await this.#orOver(this.#poll(outstanding));
        if (this.#isSilent) {
          const reason = `Redis has not answered for ${(this.#options.maxSilence + SILENCE) / 1_000} s`;
          for (const one of outstanding) one.outcome ??= { kind: 'abandoned', reason };
        }
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
  async #more<T extends Task>(source: TaskSource<T>, count: number): Promise<Outstanding<T>[]> {
    const tasks: T[] = [];
    while (tasks.length < WINDOW - count) {
      const task = source.next(1);
      if (task === undefined) break;
      tasks.push(task);
    }
    return Promise.all(
      tasks.map(async (task) => ({
        id: idOf(task),
        task,
        sealed: await sealTask(this.#sealer, this.#session, task),
        invalid: 0,
      })),
    );
  }

  /** Results of an interrupted run stay in Redis, for `resume`. */
  async close(): Promise<void> {
    clearInterval(this.#clock);
    const forgotten = forgetRefusals(this.#connected.redis, this.#session.name);
    const removed = this.#isOver ? [] : this.#given.map((id) => this.#queue.remove(id));
    await this.#clean(Promise.all([forgotten, ...removed]));
    this.#events.disconnect();
    this.#connected.redis.disconnect();
  }

  async #begin(added: readonly Outstanding<Task>[]): Promise<void> {
    if (added.length === 0) return;
    this.#given.push(...added.map(({ id }) => id));
    await Promise.all(added.map((one) => this.#removeEarlier(one)));
    await this.#add(added);
    // some may be finished already
    if (this.#options.resume) for (const { id } of added) this.#finished.add(id);
  }

  /** What an earlier run has left, except finished tasks for `resume`. A task that a worker runs stays until it ends. */
  async #removeEarlier({ id }: Outstanding<Task>): Promise<void> {
    if (this.#options.resume) {
      const stored = await readStored(this.#connected.redis, id);
      if (typeof stored === 'object' && stored.isFinished) return;
    }
    await this.#queue.remove(id).catch(() => 0);
  }

  async #add(added: readonly Outstanding<Task>[]): Promise<void> {
    const age = { age: RESULT_AGE / 1_000 };
    await this.#queue.addBulk(
      added.map(({ id, task, sealed }) => ({
        name: task.kind,
        data: sealed,
        // stacks would tell about the files of the worker
        opts: { jobId: id, attempts: ATTEMPTS, removeOnComplete: age, removeOnFail: age, stackTraceLimit: 0 },
      })),
    );
  }

  /** Waits for an event about a task, or for the next poll. */
  async #pause(): Promise<void> {
    if (this.#finished.size > 0 || this.#isOver || this.#isSilent) return;
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
    const lost: Outstanding<T>[] = [];
    for (let i = 0; i < open.length; i += READ_AT_ONCE)
      await Promise.all(
        open.slice(i, i + READ_AT_ONCE).map(async (one) => {
          const stored = await readStored(this.#connected.redis, one.id);
          this.#lastAnswer = performance.now();
          if (stored === 'absent') lost.push(one);
          else if (stored === 'large') await this.#reject(one, 'is too large', lost);
          else if (stored.isFinished) await this.#finish(one, stored, lost);
          else this.#watch(one, stored);
        }),
      );
    if (lost.length > 0) await this.#add(lost);
  }

  /** Abandons a task if a worker took it long ago. */
  #watch<T extends Task>(one: Outstanding<T>, { takenAt }: StoredTask): void {
    if (takenAt === undefined) return;
    if (one.taken?.at !== takenAt) one.taken = { at: takenAt, seen: performance.now() };
    if (performance.now() - one.taken.seen > this.#options.timeout + TAKEOVER)
      one.outcome = { kind: 'abandoned', reason: 'its worker has not answered within the time limit' };
  }

  /** Takes the outcome of a task, if it is one. */
  async #finish<T extends Task>(
    one: Outstanding<T>,
    { data, returned, failure }: StoredTask,
    lost: Outstanding<T>[],
  ): Promise<void> {
    try {
      const asked = await this.#asked(one, data);
      if (returned !== undefined) one.outcome = await openOutcome(this.#sealer, one.task, asked, returned);
      else one.outcome = { kind: 'abandoned', reason: reasonOf(failure) };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      await this.#reject(one, error.message, lost);
    }
  }

  /** The message that a stored task has to answer: ours, or with `resume` that of an equal task. */
  async #asked({ id, sealed }: Outstanding<Task>, stored: unknown): Promise<Sealed> {
    if (JSON.stringify(stored) === JSON.stringify(sealed)) return sealed;
    if (!this.#options.resume) throw new SealError('belongs to another run');
    // equal work has an equal name
    await openTask(this.#sealer, id, stored);
    return stored as Sealed;
  }

  /** Removes an invalid outcome; the task runs again. */
  async #reject<T extends Task>(one: Outstanding<T>, why: string, lost: Outstanding<T>[]): Promise<void> {
    this.#report(`ignored a result in Redis: it ${printable(why)}`);
    await this.#queue.remove(one.id).catch(() => 0);
    if (++one.invalid < MAX_INVALID) lost.push(one);
    else one.outcome = { kind: 'abandoned', reason: `its result ${why}` };
  }

  /** Reports if there is no worker, and fails if none has the same code. */
  async #census(outstanding: readonly Outstanding<Task>[]): Promise<void> {
    if (outstanding.length === 0 || performance.now() - this.#lastCensus < CENSUS_INTERVAL) return;
    this.#lastCensus = performance.now();
    await expectOwnKeys(this.#connected);
    const { redis, address } = this.#connected;
    const { workers, strangers } = await workersIn(redis, this.#sealer);
    const refusals = await refusalsOf(redis, this.#sealer, this.#session.name);
    const others = `${strangers === 1 ? 'one worker has' : `${strangers} workers have`} another secret, or none`;
    if (workers.length === 0 && strangers > 0)
      throw new UsageError(`no worker has the secret of this command: ${others}`);
    if (strangers > 0) this.#report(others);
    if (workers.length === 0)
      this.#report(`no worker yet; start some in the same folder: straightedge worker ${address.shown}`);
    for (const [id, why] of refusals) this.#report(printable(`${id} takes no tasks: ${why}`));
    if (workers.length > 0 && workers.every(({ id }) => refusals.has(id)))
      throw new UsageError(printable(`no worker takes the tasks. ${[...refusals][0].join(': ')}`));
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
        if (this.#isOver || this.#isSilent) resolve();
      }, CLOCK_INTERVAL);
    });
    try {
      await Promise.race([work, over]);
    } catch (error) {
      this.#report(passingProblem(error as Error, this.#connected.address));
    } finally {
      clearInterval(timer);
    }
  }

  async #clean(work: Promise<unknown>): Promise<void> {
    const ended = work.catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLEANING).unref())]);
  }
}
