/** Kits of what runs jobs: job queues, worker pools and rate limiters. */
import type { Signal } from '../explore/scenario/scenario.js';
import {
  type Awaitable,
  BrokenGuarantee,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  listed,
  numbers,
  rejected,
  type Tested,
  timeNow,
  World,
} from './kit.js';

/** A function that a queue or limiter runs. */
export type Job = () => Promise<string>;

/** How a queue of jobs, or a pool of workers, is used. */
export interface JobQueueAdapter<Q> extends KitOptions {
  /** Makes a queue that runs at most n jobs at a time. */
  readonly create: (concurrency: number) => Awaitable<Q>;
  /** Adds a job; resolves to its result. */
  readonly add: (queue: Q, job: Job) => unknown;
  /** Default: 2. */
  readonly concurrency?: number;
  /** Does `add` resolve to the result of the job? Default: true. Otherwise the kit only counts the runs. */
  readonly results?: boolean;
  /** Resolves when no job is left. */
  readonly onIdle?: (queue: Q) => unknown;
  /** Stops starting jobs; `resume` starts them again. */
  readonly pause?: (queue: Q) => unknown;
  readonly resume?: (queue: Q) => unknown;
  /** `add`, with a signal that removes the job. */
  readonly abortable?: (queue: Q, job: Job, signal: Signal) => unknown;
  /** May a job throw before it returns a promise? Then that fails only its own job, as a rejection does. Default: false. */
  readonly throws?: boolean;
}

/** What a rate limiter is made with. */
export interface RateLimit {
  /** How many jobs may start in an interval. */
  readonly limit: number;
  /** In milliseconds. */
  readonly interval: number;
}

/** How a rate limiter is used. */
export interface RateLimiterAdapter<L> extends KitOptions {
  readonly create: (limit: RateLimit) => Awaitable<L>;
  /** Runs a job as soon as the limit allows it; resolves to its result. */
  readonly run: (limiter: L, job: Job) => unknown;
  /** Default: 2. */
  readonly limit?: number;
  /** Default: 100. */
  readonly interval?: number;
  /** How many jobs may run at a time, if that is limited too. */
  readonly concurrency?: number;
  /** `run`, with a signal that removes the job. */
  readonly abortable?: (limiter: L, job: Job, signal: Signal) => unknown;
  readonly throws?: boolean;
  /** Are starts limited in every interval, not only in those that begin with the first call? Default: false. */
  readonly sliding?: boolean;
}

interface Limits {
  readonly concurrency: number;
  readonly rate?: RateLimit;
  readonly sliding?: boolean | undefined;
}

/** Does a job end without waiting for anything, reject, or throw before it returns a promise? */
type How = 'brief' | 'throw' | 'throwAtOnce';

/** What runs jobs, and the runs of each job. */
class Jobs<Q> extends World<Q> {
  readonly running: Set<number> = new Set();
  readonly started: Map<number, number> = new Map();
  readonly ended: Set<number> = new Set();
  /** Jobs that were added, in order. */
  readonly added: number[] = [];
  readonly #limits: Limits;
  isPaused = false;
  /** When the first job was added, in virtual time. */
  #begin = 0;
  readonly #starts: number[] = [];

  constructor(object: Q, limits: Limits) {
    super(object);
    this.#limits = limits;
  }

  override state(): string {
    const jobs = (those: readonly number[]): string => listed(those.map((n) => `job ${n}`)) || 'no job';
    return `running: ${jobs([...this.running])}; not started: ${jobs(this.added.filter((n) => !this.started.has(n)))}`;
  }

  /** A job, as the object gets it. */
  job(n: number, how?: How, signal?: AbortSignal): Job {
    if (this.#limits.rate && this.added.length === 0) this.#begin = timeNow();
    this.added.push(n);
    const run = async () => {
      const work = how === 'brief' ? Promise.resolve() : this.wait(`job ${n} ends`);
      await (signal ? Promise.race([work, abortOf(signal)]) : work);
      this.running.delete(n);
      this.ended.add(n);
      if (how === 'throw') throw new Error(errorOf(n));
      return resultOf(n);
    };
    return () => {
      this.#start(n);
      if (how !== 'throwAtOnce') return run();
      this.running.delete(n);
      this.ended.add(n);
      throw new Error(errorOf(n));
    };
  }

  #start(n: number): void {
    const { concurrency, rate, sliding } = this.#limits;
    const runs = (this.started.get(n) ?? 0) + 1;
    this.started.set(n, runs);
    if (runs > 1) this.breaks(`job ${n} ran ${runs} times`);
    const others = [...this.running].map((other) => `job ${other}`);
    if (this.isPaused) this.breaks(`job ${n} started while the queue was paused`);
    if (others.length >= concurrency)
      this.breaks(
        `${others.length + 1} jobs at a time instead of ${concurrency}: job ${n} started while ${listed(others)} ran`,
      );
    this.running.add(n);
    if (rate === undefined) return;
    const [starts, { limit, interval }] = [this.#starts, rate];
    starts.push(timeNow());
    const from = sliding ? Math.max(0, starts.length - limit - 1) : 0;
    const passed = starts.at(-1)! - (sliding ? starts[from] : this.#begin);
    const count = starts.length - from;
    if (count > limit * (1 + Math.floor(passed / interval)))
      this.breaks(
        `too fast: ${count} jobs started within ${passed} ms, with a limit of ${limit} in ${interval} ms`,
      );
  }
}

const resultOf = (n: number): string => `result of job ${n}`;
const errorOf = (n: number): string => `error of job ${n}`;

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );

interface Adapter<Q> extends Omit<JobQueueAdapter<Q>, 'create' | 'concurrency'> {
  /** How `add` is called in messages. */
  readonly call: string;
}

function methodsOf<Q>({ add, onIdle, pause, resume, abortable, results = true, call }: Adapter<Q>) {
  type Own = Jobs<Q>;
  const adding = (world: Own, n: number, fails?: How): Promise<void> =>
    world.call(`${call}(${n}${fails ? `, '${fails}'` : ''})`, async (caller) => {
      caller.doing = call;
      let result: unknown;
      try {
        result = await add(world.object, world.job(n, fails));
      } catch (error) {
        if (!fails || !String(error).includes(errorOf(n))) throw rejected(caller, error);
        return;
      }
      if (results && fails)
        throw new BrokenGuarantee(`the error of job ${n} is lost: ${call}() returned ${String(result)}`);
      if (results && result !== resultOf(n))
        throw new BrokenGuarantee(`${call}() returned ${String(result)} for job ${n}`);
    });
  return {
    [call]: adding,
    /** Adds several jobs at once, from job `first` on. */
    burst: (world: Own, first: number, count: number) =>
      world.call(`burst(${first}, ${count})`, async (caller) => {
        caller.doing = call;
        const jobs = numbers(count, first).map(async (n) => {
          const result = await add(world.object, world.job(n, 'brief'));
          if (results && result !== resultOf(n))
            throw new BrokenGuarantee(`${call}() returned ${String(result)} for job ${n}`);
        });
        await Promise.all(jobs).catch((error: unknown) => {
          throw rejected(caller, error);
        });
      }),
    onIdle: (world: Own) =>
      world.call('onIdle()', async (caller) => {
        caller.doing = 'onIdle';
        const before = [...world.added];
        await onIdle!(world.object);
        const left = before.filter((n) => !world.ended.has(n));
        if (left.length > 0)
          throw new BrokenGuarantee(
            `onIdle() resolved before ${listed(left.map((n) => `job ${n}`))} had ended`,
          );
      }),
    pause: async (world: Own) => {
      await pause!(world.object);
      world.isPaused = true;
    },
    resume: async (world: Own) => {
      world.isPaused = false;
      await resume!(world.object);
    },
    aborted: (world: Own, n: number) =>
      world.call(`aborted(${n})`, async (caller) => {
        caller.doing = call;
        const { signal } = world.controllerOf(n);
        try {
          await abortable!(world.object, world.job(n, undefined, signal), signal);
        } catch (error) {
          if (!signal.aborted) throw rejected(caller, error);
        }
        const runs = world.started.get(n) ?? 0;
        await world.quiet();
        if (runs === 0 && world.started.has(n)) throw new BrokenGuarantee(`job ${n} ran after its abort`);
      }),
    abort: (world: Own, n: number) => world.controllerOf(n).abort(),
    /** When nothing else can happen: every job has run. */
    allRan: (world: Own) =>
      world.call('allRan()', async () => {
        await world.quiet();
        const missing = world.added.filter((n) => !world.started.has(n) && !world.isAborted(n));
        if (missing.length > 0)
          throw new BrokenGuarantee(`${listed(missing.map((n) => `job ${n}`))} never ran`);
      }),
  };
}

function guaranteesOf<Q>(
  { onIdle, pause, resume, abortable, call, results = true, throws }: Adapter<Q>,
  first: string,
  places: number,
): readonly (Tested | false | undefined)[] {
  /** Clients that fill all places but `left`. */
  const others = (left: number): string =>
    numbers(places - left, 2)
      .map((n) => `${call} ${n} | `)
      .join('');
  const [all, rest] = [others(0), others(1)];
  const n = places + 2;
  return [
    {
      guarantee: first,
      tests: [
        clients(`${all} ${call} 1`, 'allRan'),
        clients(`burst 1 ${2 * places + 1}`, 'allRan'),
        clients(`${rest} ${call} 1, ${call} ${n} | ${call} ${n + 1}`, 'allRan'),
        clients(
          `burst 1 ${2 * places}, burst ${2 * places + 1} ${places} | ${call} ${3 * places + 1}`,
          'allRan',
        ),
        // the largest one last: a limit leaves it what others did not need
        clients(`${all} ${call} 1 | ${call} ${n}`, 'allRan'),
      ],
    },
    results && {
      guarantee: 'an error fails only its own job',
      tests: [
        clients(`${rest} ${call} 1 throw | ${call} ${n}`, 'allRan'),
        clients(`${rest} ${call} 1 throw | ${call} ${n} throw, ${call} ${n + 1}`, 'allRan'),
      ],
    },
    throws && {
      guarantee: 'a job that throws before it returns a promise fails only itself',
      tests: [
        clients(`${rest} ${call} 1 throwAtOnce | ${call} ${n}`, 'allRan'),
        clients(
          `${call} 1 throwAtOnce, ${call} 2 throwAtOnce, ${call} 3 throwAtOnce`,
          `${call} ${n + 3}, allRan`,
        ),
      ],
    },
    onIdle && {
      guarantee: 'onIdle resolves when every earlier job has ended',
      tests: [
        clients(`${call} 1 | onIdle`, 'allRan'),
        clients(`${call} 1, ${call} 2 | onIdle`, 'allRan'),
        clients(`${call} 1 | ${call} 2 | onIdle`, 'allRan'),
      ],
    },
    pause &&
      resume && {
        guarantee: 'nothing starts while the queue is paused',
        tests: [
          clients(`${call} 1 | ${call} 2 | resume`, 'allRan', 'pause'),
          clients(`${call} 1 | pause, resume | ${call} 2`, 'allRan'),
        ],
      },
    abortable && {
      guarantee: 'an aborted job leaves its place to others',
      tests: [
        clients(`${all} aborted 1 | abort 1`, 'allRan'),
        clients(`${rest} aborted 1 | abort 1 | ${call} ${n}`, 'allRan'),
      ],
    },
  ];
}

/**
 * A kit of job queues and worker pools: at most n jobs at a time, each exactly once, and more. Guide: `docs/guide/kits/job-queue.md`.
 *
 * @example
 * export default jobQueueKit({
 *   create: (concurrency) => new yours.Queue({ concurrency }),
 *   add: (queue, job) => queue.add(job),
 * });
 */
export function jobQueueKit<Q>(adapter: JobQueueAdapter<Q>): Kit {
  const { concurrency = 2 } = adapter;
  const own = { ...adapter, call: 'add' };
  const jobs = concurrency === 1 ? 'one job' : `${concurrency} jobs`;
  return kitOf({
    kind: 'job queue',
    options: adapter,
    create: async () => new Jobs(await adapter.create(concurrency), { concurrency }),
    methods: methodsOf(own),
    guarantees: guaranteesOf(own, `at most ${jobs} at a time, each exactly once`, concurrency),
  });
}

/**
 * A kit of rate limiters: at most n jobs start in an interval, each runs exactly once, and what else the adapter names.
 *
 * Jobs are counted from the first call on: after t milliseconds, at most `limit · (1 + ⌊t / interval⌋)` may have started.
 * Guide: `docs/guide/kits/rate-limiter.md`.
 *
 * @example
 * export default rateLimiterKit({
 *   create: ({ limit, interval }) => new yours.Limiter(limit, interval),
 *   run: (limiter, job) => limiter.schedule(job),
 * });
 */
export function rateLimiterKit<L>({ run, ...adapter }: RateLimiterAdapter<L>): Kit {
  const { limit = 2, interval = 100, concurrency = Number.POSITIVE_INFINITY } = adapter;
  const rate = { limit, interval };
  const own = { ...adapter, add: run, call: 'run' };
  return kitOf({
    kind: 'rate limiter',
    options: adapter,
    create: async () => new Jobs(await adapter.create(rate), { ...adapter, concurrency, rate }),
    methods: methodsOf(own),
    guarantees: guaranteesOf(own, `at most ${limit} jobs start in ${interval} ms, each exactly once`, limit),
  });
}
