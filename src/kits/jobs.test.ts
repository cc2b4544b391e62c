/** The kits of job queues and rate limiters. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { brokenBy, sentencesOf } from '../../test/support/fixtures/kits.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { explore } from '../explore/explore.js';
import { isExhaustive } from '../explore/result.js';
import { type Job, jobQueueKit, type RateLimit, rateLimiterKit } from './jobs.js';
import type { Kit } from './kit.js';

class JobQueue {
  protected readonly waiting: (() => void)[] = [];
  protected readonly idle: (() => void)[] = [];
  protected running = 0;
  protected isPaused = false;
  protected readonly concurrency: number;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  add(job: Job, signal?: AbortSignal): Promise<string> {
    if (signal?.aborted) return Promise.reject(new Error('aborted'));
    return new Promise((resolve, reject) => {
      const start = () => void this.run(job).then(resolve, reject);
      signal?.addEventListener('abort', () => {
        const at = this.waiting.indexOf(start);
        if (at < 0) return;
        this.waiting.splice(at, 1);
        reject(new Error('aborted'));
        this.next();
      });
      this.waiting.push(start);
      this.next();
    });
  }

  async onIdle(): Promise<void> {
    if (this.running > 0 || this.waiting.length > 0)
      await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.next();
  }

  protected async run(job: Job): Promise<string> {
    this.running++;
    try {
      return await job();
    } finally {
      this.running--;
      this.next();
    }
  }

  protected next(): void {
    while (!this.isPaused && this.running < this.concurrency && this.waiting.length > 0)
      this.waiting.shift()!();
    if (this.running === 0 && this.waiting.length === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}

/** Another style: workers that take jobs from a list. */
class Workers {
  readonly #jobs: (() => Promise<void>)[] = [];
  #idle: number;

  constructor(count: number) {
    this.#idle = count;
  }

  add(job: Job): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#jobs.push(() => job().then(resolve, reject));
      if (this.#idle > 0) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#idle--;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job();
    this.#idle++;
  }
}

const asQueue = (create: (concurrency: number) => JobQueue): Kit =>
  jobQueueKit({
    create,
    add: (queue, job) => queue.add(job),
    onIdle: (queue) => queue.onIdle(),
    pause: (queue) => queue.pause(),
    resume: (queue) => queue.resume(),
    abortable: (queue, job, signal) => queue.add(job, signal),
    throws: true,
  });

class Limiter {
  protected readonly waiting: (() => void)[] = [];
  protected free: number;
  protected readonly rate: RateLimit;

  constructor(rate: RateLimit) {
    this.rate = rate;
    this.free = rate.limit;
  }

  async run(job: Job): Promise<string> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.take();
    return job();
  }

  protected take(): void {
    this.free--;
    setTimeout(() => this.give(), this.rate.interval);
  }

  protected give(): void {
    this.free++;
    const next = this.waiting.shift();
    if (!next) return;
    this.take();
    next();
  }
}

const asLimiter = (create: (rate: RateLimit) => Limiter): Kit =>
  rateLimiterKit({ create, run: (limiter, job) => limiter.run(job), throws: true, sliding: true });

test('correct job queues and limiters keep all guarantees', async () => {
  expect(await brokenBy(asQueue((concurrency) => new JobQueue(concurrency)))).toEqual({});
  const workers = jobQueueKit({ create: (count) => new Workers(count), add: (own, job) => own.add(job) });
  expect(await brokenBy(workers)).toEqual({});
  expect(await brokenBy(asLimiter((rate) => new Limiter(rate)))).toEqual({});
});

const IN_KIT = 'Date.now (in the kit)';
class Clocked extends Limiter {
  override run(job: Job): Promise<string> {
    Date.now();
    return super.run(job);
  }
}

test.each<[string, Kit, readonly string[]]>([
  ['a job queue', asQueue((concurrency) => new JobQueue(concurrency)), []],
  ['a limiter', asLimiter((rate) => new Limiter(rate)), [IN_KIT]],
  ['a limiter that reads the time', asLimiter((rate) => new Clocked(rate)), ['Date.now', IN_KIT]],
])('the clock is read only for guarantees about time, and the kit is named: %s', async (_, kit, names) => {
  const calls = kit.tests![0].threads.flat().slice(0, 2);
  const small = { ...kit, tests: [{ before: [], threads: calls.map((call) => [call]), after: [] }] };
  const { verdict, results, assumptions } = await explore(small);
  expect(verdict).toBe('holds');
  expect([...new Set(results.flatMap(({ replaced }) => replaced))].sort()).toEqual(names);
  expect(isExhaustive(assumptions)).toBe(names.length === 0);
});

const QUEUE_FAULTS: Readonly<
  Record<string, { readonly fault: new (concurrency: number) => JobQueue; readonly says: RegExp }>
> = {
  'a job counts one microtask after it was chosen': {
    fault: class extends JobQueue {
      protected override async run(job: Job): Promise<string> {
        await Promise.resolve();
        return super.run(job);
      }
    },
    says: /3 jobs at a time instead of 2: job \d started while job \d and job \d ran/,
  },
  'an error keeps the place': {
    fault: class extends JobQueue {
      protected override async run(job: Job): Promise<string> {
        this.running++;
        const result = await job();
        this.running--;
        this.next();
        return result;
      }
    },
    says: /is blocked forever in (add|onIdle)\(\): running: no job; not started: job \d/,
  },
  'onIdle forgets the jobs that wait': {
    fault: class extends JobQueue {
      override async onIdle(): Promise<void> {
        if (this.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
        await Promise.resolve();
      }
      protected override next(): void {
        super.next();
        if (this.running < this.concurrency) for (const resolve of this.idle.splice(0)) resolve();
      }
    },
    says: /onIdle\(\) resolved before job \d/,
  },
  'a job starts while the queue is paused': {
    fault: class extends JobQueue {
      override add(job: Job, signal?: AbortSignal): Promise<string> {
        return this.running === 0 ? this.run(job) : super.add(job, signal);
      }
    },
    says: /job \d started while the queue was paused/,
  },
  'a queue that stops misses the job that comes meanwhile': {
    fault: class extends JobQueue {
      #isStarting = false;
      protected override next(): void {
        if (this.#isStarting) return;
        this.#isStarting = true;
        super.next();
        void Promise.resolve().then(() => {
          this.#isStarting = false;
        });
      }
    },
    says: /is blocked forever in add\(\)/,
  },
  'a job that is aborted runs all the same': {
    fault: class extends JobQueue {
      override add(job: Job, signal?: AbortSignal): Promise<string> {
        const result = super.add(job);
        if (signal === undefined) return result;
        return Promise.race([
          result,
          new Promise<string>((_, reject) =>
            signal.addEventListener('abort', () => reject(new Error('aborted'))),
          ),
        ]);
      }
    },
    says: /job 1 ran after its abort/,
  },
  'a job that throws keeps the place': {
    fault: class extends JobQueue {
      protected override run(job: Job): Promise<string> {
        this.running++;
        return job().finally(() => {
          this.running--;
          this.next();
        });
      }
    },
    says: /is blocked forever in add\(\)|job 1 threw|rejected|uncaught/,
  },
  'a result goes to another caller': {
    fault: class extends JobQueue {
      #last = Promise.resolve('');
      override async add(job: Job, signal?: AbortSignal): Promise<string> {
        this.#last = super.add(job, signal);
        await Promise.resolve();
        return this.#last;
      }
    },
    says: /add\(\) returned result of job \d for job \d/,
  },
};

test.each(Object.entries(QUEUE_FAULTS))('queue: %s', async (_name, { fault: Fault, says }) => {
  const sentences = await sentencesOf(
    asQueue((concurrency) => new Fault(concurrency)),
    says,
  );
  expect(sentences).toMatch(says);
});

const LIMITER_FAULTS: Readonly<
  Record<string, { readonly fault: new (rate: RateLimit) => Limiter; readonly says: RegExp }>
> = {
  'a start is counted after an await': {
    fault: class extends Limiter {
      override async run(job: Job): Promise<string> {
        if (this.free === 0) return super.run(job);
        await Promise.resolve();
        this.take();
        return job();
      }
    },
    says: /too fast: 3 jobs started within 0 ms, with a limit of 2 in 100 ms/,
  },
  'an interval wakes no call': {
    fault: class extends Limiter {
      protected override give(): void {
        this.free++;
      }
    },
    says: /is blocked forever in run\(\): running: no job; not started: job \d/,
  },
  'intervals begin at fixed times': {
    fault: class extends Limiter {
      #begin: number | undefined;
      protected override take(): void {
        this.free--;
        this.#begin ??= Date.now();
        if (this.free > 0) return;
        const { interval } = this.rate;
        setTimeout(() => this.#refill(), interval - ((Date.now() - this.#begin) % interval));
      }
      #refill(): void {
        while (this.free < this.rate.limit && this.waiting.length > 0) this.waiting.shift()!();
        this.free = this.rate.limit;
      }
    },
    says: /too fast: 3 jobs started within \d+ ms/,
  },
  'a job that waited is not counted': {
    fault: class extends Limiter {
      protected override give(): void {
        this.free++;
        this.waiting.shift()?.();
      }
    },
    says: /burst\(1, 5\) is blocked forever in run\(\)/,
  },
  'an interval wakes all calls': {
    fault: class extends Limiter {
      protected override give(): void {
        this.free++;
        for (const next of this.waiting.splice(0)) {
          this.take();
          next();
        }
      }
    },
    says: /too fast/,
  },
  'the end of a job counts as the end of the interval': {
    fault: class extends Limiter {
      override async run(job: Job): Promise<string> {
        const result = await super.run(job);
        this.give();
        return result;
      }
    },
    says: /too fast/,
  },
  'a job that waits between check and registration is forgotten': {
    fault: class extends Limiter {
      override async run(job: Job): Promise<string> {
        if (this.free > 0) return super.run(job);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await new Promise<void>((resolve) => this.waiting.push(resolve));
        return job();
      }
    },
    says: /is blocked forever in run\(\)/,
  },
};

test.each(Object.entries(LIMITER_FAULTS))('limiter: %s', async (_name, { fault: Fault, says }) => {
  const sentences = await sentencesOf(
    asLimiter((rate) => new Fault(rate)),
    says,
  );
  expect(sentences).toMatch(says);
});

/** Node's own functions, as a package keeps them that was loaded before the first exploration. */
const { setTimeout: keptTimeout, setImmediate: keptImmediate } = globalThis;

const OUTSIDE: Readonly<Record<string, (run: () => void) => unknown>> = {
  'a timer': (run) => keptTimeout(run, 1),
  'an immediate': (run) => keptImmediate(run),
  'a file': (run) => readFile('package.json').then(run),
};

test.each(Object.entries(OUTSIDE))(
  'a queue that waits for %s of Node itself breaks no guarantee',
  async (_name, later) => {
    class Outside extends JobQueue {
      override add(job: Job): Promise<string> {
        return new Promise((resolve) => later(() => resolve(super.add(job))));
      }
    }
    const kit = jobQueueKit({ create: (n) => new Outside(n), add: (queue, job) => queue.add(job) });
    await expect(brokenBy(kit)).rejects.toThrow(/add waits for something outside of the event loop/);
  },
);

test('a queue is decided within the executions that the survey allows', async () => {
  const kit = jobQueueKit({ create: (n) => new JobQueue(n), add: (queue, job) => queue.add(job) });
  const { verdict, reason } = await explore(kit.scenarios[0], { maxExecutions: 20_000 });
  expect({ verdict, reason }).toEqual({ verdict: 'holds', reason: undefined });
});

test('a broken guarantee that a function of the kit sees is thrown by one call only', async () => {
  const kit = jobQueueKit({ create: () => ({}), add: (_queue, job) => job() });
  const { results } = await explore(kit.scenarios[0], {});
  const { violation, backend } = results.at(-1)!;
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('no violation');
  const { errors = [] } = await inOwnTask(() => backend.trace(violation.schedule));
  expect(errors.filter((error) => /3 jobs at a time instead of 2/.test(error ?? ''))).toHaveLength(1);
  expect(errors.filter((error) => error !== undefined)).toHaveLength(1);
});
