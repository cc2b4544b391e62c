/**
 * An exploration whose tests the workers of a fleet explore.
 *
 * The agenda hands out tests and takes what came of them, whoever was first; here some of one batch become one task, so that
 * small ones are worth the way. A task that fails three times is cut into its tests, and those that fail again are set aside.
 */
import { resolve } from 'node:path';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { Agenda, type TestTask as Test } from '../../explore/agenda.js';
import {
  type Exploration,
  type ExploreSyncOptions,
  explorationOf,
  type Notes,
} from '../../explore/explore.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { codeOf, moved, pathFromHere } from '../model/code-mismatch.js';
import type { ExploreJob, Message, RedisOptions } from '../model/job.js';
import { type ExploreTask, type Outcome, piecesInTask, runOf, silenceIn, type Work } from '../model/task.js';
import { madeOf } from '../pool/remote-tests.js';
import { coordinate } from './coordinator.js';

interface ByFleet extends RedisOptions, Omit<ExploreSyncOptions, 'keepGoing'> {
  readonly seed: number;
  readonly timeout: number;
  readonly shouldStop: () => boolean;
  readonly post: (message: Message) => void;
}

export async function exploreByFleet(
  scenario: Scenario,
  job: ExploreJob,
  { url, resume, post, ...options }: ByFleet,
): Promise<Exploration> {
  const agenda = new Agenda(scenario, options);
  const fleet = new FleetTests(scenario, job, agenda, codeOf([job.file]));
  await coordinate(url, fleet, {
    resume,
    until: performance.now() + agenda.deadline.left,
    interrupted: options.shouldStop,
    onNews: (text) => post({ kind: 'news', text }),
  });
  // where time ran out between two batches, the next one was not begun, and has to be told so
  agenda.next();
  return explorationOf(scenario, options.seed, agenda, fleet.notes);
}

class FleetTests implements Work<ExploreTask> {
  readonly notes: Notes[] = [];
  readonly #scenario: Scenario;
  readonly #agenda: Agenda;
  readonly #common: Omit<ExploreTask, 'name' | 'batch' | 'tests'>;
  /** The name of a task to its tests. */
  readonly #testsOf = new Map<string, readonly Test[]>();
  /** Tests that are tried alone, since they failed with others. */
  readonly #alone: Test[] = [];

  constructor(scenario: Scenario, { file, options, limits }: ExploreJob, agenda: Agenda, code: string) {
    this.#scenario = scenario;
    this.#agenda = agenda;
    const path = pathFromHere(file);
    this.#common = {
      kind: 'explore',
      run: runOf('explore', path, code, options, scenario.spuriousWakeups),
      file: path,
      code,
      options,
      spuriousWakeups: scenario.spuriousWakeups,
      silence: silenceIn(limits.timeout),
    };
  }

  next(): ExploreTask | undefined {
    const alone = this.#alone.shift();
    if (alone !== undefined) return this.#taskOf([alone], 'alone');
    const tests: Test[] = [];
    for (let test = this.#agenda.next(); test !== undefined; test = this.#agenda.next()) {
      tests.push(test);
      const { length } = this.#agenda.batchOf(test).tests;
      if ((test.test + 1) % piecesInTask(length) === 0) break;
    }
    return tests.length === 0 ? undefined : this.#taskOf(tests, `${tests.length}`);
  }

  /** Whoever asks for what comes after a test that is wrong asks in vain. */
  isVain({ name }: ExploreTask): boolean {
    return this.#tests(name).every(({ test }) => test > this.#agenda.firstViolation);
  }

  take({ task, ...outcome }: Outcome<ExploreTask>): void {
    const tests = this.#tests(task.name);
    if ('setAside' in outcome) {
      if (tests.length > 1) this.#alone.push(...tests);
      else this.#agenda.abandon(tests[0], outcome.setAside);
      return;
    }
    const { answer } = outcome;
    if (answer.kind === 'refused') throw new ScenarioError(answer.message);
    for (const [i, sent] of answer.result.tests.entries())
      this.#agenda.complete(tests[i], madeOf(this.#scenario, tests[i], sent));
    this.notes.push(moved(answer.result.notes, (file) => resolve(file)));
  }

  #tests(name: string): readonly Test[] {
    return this.#testsOf.get(name) ?? [];
  }

  #taskOf(tests: readonly Test[], kind: string): ExploreTask {
    const [{ batch, test }] = tests;
    const name = `${batch}-${test}-${kind}`;
    this.#testsOf.set(name, tests);
    const { choice, threads, callsPerThread } = this.#agenda.batchOf(tests[0]);
    return {
      ...this.#common,
      name,
      batch: { choice, threads, callsPerThread },
      tests: tests.map((one) => ({ test: one.test, options: one.options })),
    };
  }
}
