/**
 * Several threads that explore the tests of one scenario. What comes of it is the same however many there are, but
 * for what time allows: the agenda hands out tests in their order, and tells the first that is wrong.
 *
 * Most explorations are over before another thread has loaded the scenario; so one begins alone.
 */
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../base/package-file.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { Agenda, type TestTask } from '../../explore/agenda.js';
import {
  type Exploration,
  type ExploreSyncOptions,
  explorationOf,
  exploreTask,
  type Notes,
  notes,
} from '../../explore/explore.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { ExploreJob } from '../model/job.js';
import { RanOut } from '../model/limit-exceeded.js';
import type { BatchName, Sent } from '../model/task.js';
import { madeOf } from './remote-tests.js';

/** Milliseconds. */
const ALONE = 1_500;

/** What a member needs to know. */
export interface MemberData {
  readonly file: string;
  readonly options: ExploreSyncOptions & { readonly seed: number };
  readonly stop: ExploreJob['stop'];
  readonly spuriousWakeups: boolean;
  /** The first test of the batch that is known to be wrong: others after it are of no use. */
  readonly firstWrong: Int32Array<SharedArrayBuffer>;
}

/** A test, by its batch and its number there. */
export interface MemberTask extends BatchName, Pick<TestTask, 'test' | 'options'> {
  readonly milliseconds: number;
}

/** Or what was wrong; or nobody can tell what comes of it. */
export type MemberAnswer =
  | (Sent & { readonly notes: Notes })
  | { readonly error: string }
  | { readonly lost: string };

interface Member {
  readonly worker: Worker;
  task: TestTask | undefined;
}

export async function exploreTogether(
  scenario: Scenario,
  job: ExploreJob,
  options: ExploreSyncOptions & { readonly seed: number; readonly timeout: number },
  alone: number = ALONE,
): Promise<Exploration> {
  const agenda = new Agenda(scenario, options);
  const begin = performance.now();
  const task = await inOwnTask(() => {
    let next = agenda.next();
    for (; next !== undefined; next = agenda.next()) {
      if (job.jobs > 1 && performance.now() - begin >= alone) break;
      exploreTask(scenario, agenda, next, options);
    }
    return next;
  });
  const noted = task === undefined ? [] : await new Crew(scenario, job, agenda, task).run();
  return explorationOf(scenario, options.seed, agenda, [notes(), ...noted]);
}

class Crew {
  readonly #scenario: Scenario;
  readonly #agenda: Agenda;
  readonly #members: Member[];
  readonly #firstWrong = new Int32Array(new SharedArrayBuffer(4));
  readonly #notes: Notes[] = [];
  /** Handed out, and not begun; and the time that it was given: until threads are there is not a part of it. */
  #first: TestTask | undefined;
  readonly #firstMilliseconds: number;

  constructor(
    scenario: Scenario,
    { file, options, stop, limits, jobs }: ExploreJob,
    agenda: Agenda,
    first: TestTask,
  ) {
    this.#scenario = scenario;
    this.#agenda = agenda;
    const { spuriousWakeups } = scenario;
    this.#first = first;
    this.#firstMilliseconds = first.deadline.left;
    Atomics.store(this.#firstWrong, 0, agenda.firstViolation);
    const { seed = 1 } = options;
    const workerData: MemberData = {
      file,
      options: { ...options, seed },
      stop,
      spuriousWakeups,
      firstWrong: this.#firstWrong,
    };
    const resourceLimits = { maxOldGenerationSizeMb: 64 + Math.ceil(limits.maxMemory / jobs / 2 ** 20) };
    this.#members = Array.from({ length: jobs }, () => ({
      worker: new Worker(packageFile('#explore-member'), { workerData, resourceLimits }),
      task: undefined,
    }));
  }

  /** Until all is done. Gives what members have noted. */
  async run(): Promise<readonly Notes[]> {
    try {
      await new Promise<void>((resolve, reject) => {
        for (const member of this.#members) {
          member.worker.on('message', (answer: MemberAnswer | 'ready') => {
            try {
              if (answer !== 'ready') this.#take(member, answer);
              for (const other of this.#members) this.#feed(other);
            } catch (error) {
              reject(error as Error);
            }
            if (!this.#agenda.isWaiting) resolve();
          });
          member.worker.on('error', (error: NodeJS.ErrnoException) =>
            reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new RanOut('memory') : error),
          );
        }
      });
    } finally {
      await Promise.all(this.#members.map(({ worker }) => worker.terminate()));
    }
    return this.#notes;
  }

  #feed(member: Member): void {
    if (member.task !== undefined) return;
    const task = this.#first ?? this.#agenda.next(this.#members.length);
    const isFirst = task === this.#first;
    this.#first = undefined;
    member.task = task;
    if (task === undefined) return;
    const { choice, threads, callsPerThread } = this.#agenda.batchOf(task);
    const { test, options, deadline } = task;
    const milliseconds = isFirst
      ? Math.min(this.#firstMilliseconds, this.#agenda.deadline.left)
      : deadline.left;
    const message: MemberTask = {
      choice,
      threads,
      callsPerThread,
      test,
      options,
      milliseconds,
    };
    member.worker.postMessage(message);
  }

  #take(member: Member, answer: MemberAnswer): void {
    const { task } = member;
    member.task = undefined;
    if ('error' in answer) throw new ScenarioError(answer.error);
    if (task === undefined) return;
    if ('lost' in answer) {
      this.#agenda.abandon(task, answer.lost);
      return;
    }
    this.#notes.push(answer.notes);
    this.#agenda.complete(task, madeOf(this.#scenario, task, answer));
    Atomics.store(this.#firstWrong, 0, this.#agenda.firstViolation);
  }
}
