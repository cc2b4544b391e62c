/** A queue that runs one job at a time. A job returns how many jobs were running. */
import { type Scenario, scenario } from 'straightedge';

type Job<T> = () => Promise<T>;

class JobQueue {
  protected readonly jobs: (() => Promise<void>)[] = [];
  protected running = 0;
  private readonly idle: (() => void)[] = [];

  add<T>(job: Job<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.jobs.push(() => job().then(resolve, reject));
      this.next();
    });
  }

  async onIdle(): Promise<void> {
    if (this.running > 0 || this.jobs.length > 0)
      await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  protected next(): void {
    if (this.running > 0) return;
    const job = this.jobs.shift();
    if (job) void this.run(job);
    else for (const resolve of this.idle.splice(0)) resolve();
  }

  protected async run(job: () => Promise<void>): Promise<void> {
    this.running++;
    await job();
    this.running--;
    this.next();
  }
}

/** Fault: a job counts as running one microtask after it was chosen. */
class EagerQueue extends JobQueue {
  protected override async run(job: () => Promise<void>): Promise<void> {
    await Promise.resolve();
    this.running++;
    await job();
    this.running--;
    this.next();
  }
}

/** Fault: if a job is added while the queue stops, nothing starts it. */
class StoppingQueue extends JobQueue {
  private working = false;

  protected override next(): void {
    if (!this.working) void this.work();
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let job = this.jobs.shift(); job; job = this.jobs.shift()) await job();
    await Promise.resolve();
    this.working = false;
  }
}

/** The queue, and the number of jobs that run. */
interface Jobs {
  readonly queue: JobQueue;
  active: number;
}

const using = (create: () => JobQueue): Scenario =>
  scenario({
    create: (): Jobs => ({ queue: create(), active: 0 }),
    methods: {
      add: (jobs: Jobs) =>
        jobs.queue.add(async () => {
          const active = ++jobs.active;
          await new Promise((resolve) => setTimeout(resolve, 10));
          jobs.active--;
          return active;
        }),
      onIdle: ({ queue }: Jobs) => queue.onIdle(),
    },
    calls: [['add'], ['onIdle']],
    threads: 2,
    callsPerThread: 2,
  });

export const correct: Scenario = using(() => new JobQueue());
export const twoAtOnce: Scenario = using(() => new EagerQueue());
export const forgottenJob: Scenario = using(() => new StoppingQueue());
