/**
 * Threads over shared memory: coroutines of instrumented code, or real worker threads. Both announce each shared access before
 * it happens (execution/program.ts), so the same engines explore both. Real threads hide part of their state: no two states
 * of theirs are known to be equal, and atomic blocks are contracted in traces instead of enforced.
 */

import { relative } from 'node:path';
import { thrownText } from '../base/errors.js';
import { Random } from '../base/random.js';
import type { NamedPlace } from '../base/source-position.js';
import { Blocks } from '../execution/atomic-blocks.js';
import { Execution } from '../execution/execution.js';
import { Fingerprint } from '../execution/fingerprint.js';
import { NOTHING, VERBS } from '../execution/memory/access.js';
import { untilValid } from '../execution/memory/program-error.js';
import type { Outcomes } from '../execution/outcomes.js';
import type { Program } from '../execution/program.js';
import { auditPaths, Paths } from '../instrument/audit.js';
import { programOf } from '../instrument/instrumented-program.js';
import { closureOf, NOWHERE } from '../instrument/model/coroutine-versions.js';
import { runtime } from '../instrument/runtime/runtime.js';
import type { Automaton } from './automata/configurations.js';
import {
  type Backend,
  type BackendNotes,
  BOUNDED,
  EXHAUSTIVE,
  type LineUpOptions,
  type Session,
  type Stage,
  type StepDescription,
} from './backend.js';
import { batchesOf } from './batches.js';
import { Atomicity, DataRaces, placesOf } from './classes/data-races.js';
import { byBound, byClasses, byEither, bySamples, byStates, byWholeBlocks } from './engines/engines.js';
import { PartialOrderSampling, Planned, type Strategy } from './engines/sampling.js';
import { LearnedRuns } from './learning/learned-runs.js';
import { plainOf } from './learning/plain-code.js';
import { type Comparison, NO_TIME, PlainRuns } from './learning/plain-runs.js';
import { setFor } from './learning/read-observations.js';
import { SequentialRuns } from './learning/sequential-runs.js';
import type { Deadline } from './model/deadline.js';
import { DEFAULT_MAX_STEPS, type Schedule } from './model/engine.js';
import { describeDifference, type Trace, type TraceStep } from './model/trace-types.js';
import { workerProgram } from './real-threads/program.js';
import type { BackendName, PlainScenarios, Scenario } from './scenario/scenario.js';
import { callsOf, type NumberedCall, type TestCase } from './scenario/test-case.js';
import { traceProgram } from './trace/trace.js';

const STEPS_PER_SLICE = 2_000;
/** Steps of sequential runs that are made only to compare them. */
const MOST_STEPS_TO_COMPARE = 20_000;
/** A step of a real thread takes longer. */
const REAL_STEPS_PER_SLICE = 50;

export class ThreadBackend implements Backend {
  readonly name: BackendName;
  readonly calls: readonly NumberedCall[];
  readonly spuriousWakeups: boolean;
  readonly program: Program;
  readonly #scenario: Scenario;
  readonly #test: TestCase;

  constructor(scenario: Scenario, test: TestCase) {
    this.#scenario = scenario;
    this.#test = test;
    this.calls = callsOf(test);
    const hasErrorsByName = scenario.spec !== undefined;
    if (scenario.backend === 'threads') {
      this.name = 'threads';
      this.spuriousWakeups = false;
      this.program = { ...workerProgram(scenario, test), hasErrorsByName };
      return;
    }
    const { create, methods, spuriousWakeups } = scenario;
    this.name = 'instrumented';
    this.spuriousWakeups = spuriousWakeups;
    const program = programOf({
      create: create as () => object,
      methods,
      ...test,
      mustBeInstrumented: true,
    }) as Program;
    this.program = { ...program, spuriousWakeups, hasErrorsByName };
  }

  trace(schedule: Schedule): Trace {
    try {
      return untilValid(() => traceProgram(this.program, schedule));
    } finally {
      // no thread runs any more, and a spec in an instrumented file may read what threads shared
      runtime.leave();
    }
  }

  describe({ kind, site }: TraceStep): StepDescription {
    const { file, line, column } = runtime.sites.placeOf(site);
    const name = kind === NOTHING ? '' : (runtime.sites.names[site] ?? '');
    return {
      access: `${VERBS[kind]} ${name}`.trim(),
      place: `${relative('.', file)}:${line}:${column}`,
    };
  }

  start(options: LineUpOptions, hasExpired = (): boolean => false): ThreadSession {
    return new ThreadSession(this.program, this.#scenario, this.#test, options, hasExpired);
  }
}

/** The place of a site, with a path that travels between machines. */
function namedPlace(site: number): NamedPlace {
  const { file, line, column } = runtime.sites.placeOf(site);
  return { file: relative('.', file), line, column, name: runtime.sites.names[site] ?? '' };
}

class ThreadSession implements Session {
  readonly hasWaiters: boolean = false;
  readonly stepsPerSlice: number;
  readonly #program: Program;
  readonly #scenario: Scenario;
  readonly #test: TestCase;
  readonly #options: LineUpOptions;
  readonly #hasExpired: () => boolean;
  readonly #execution: Execution;
  readonly #blocks: Blocks | undefined;
  readonly #races: DataRaces;
  readonly #paths: Paths = new Paths();
  /** Looks at each execution that is judged, so all are. */
  readonly #atomicity: Atomicity | undefined;

  #comparison: Comparison = { unknown: 'no run was made for that' };
  /** Node after the last call of a run to what the object looks like, as numbers of outcomes. */
  readonly #ends = new Map<number, Set<number>>();

  constructor(
    program: Program,
    scenario: Scenario,
    test: TestCase,
    options: LineUpOptions,
    hasExpired: () => boolean,
  ) {
    const { hasHiddenState = false } = program;
    this.#program = program;
    this.#scenario = scenario;
    this.#test = test;
    this.#options = options;
    this.#hasExpired = hasExpired;
    this.#blocks = options.blocks && new Blocks(options.blocks, (site) => runtime.sites.placeOf(site));
    this.#execution = new Execution(program, hasHiddenState ? undefined : this.#blocks);
    if (!hasHiddenState && options.blocks === undefined) this.#execution.recorder = this.#paths;
    // the object that was observed may have asked which thread calls
    if (setFor(test, options.observed) ?? options.expected?.seesThreads)
      this.#execution.memory.isThreadObserved = true;
    this.stepsPerSlice = hasHiddenState ? REAL_STEPS_PER_SLICE : STEPS_PER_SLICE;
    this.#races = new DataRaces(this.#execution);
    this.#atomicity = options.warnRaces ? new Atomicity() : undefined;
  }

  get outcomes(): Outcomes {
    return this.#execution.outcomes;
  }

  get thrown(): readonly unknown[] {
    return this.#execution.thrown;
  }

  learn(trie: LearnedRuns): SequentialRuns {
    const fingerprint = this.#program.hasHiddenState ? undefined : new Fingerprint(this.#execution);
    const { maxSteps, isCompared } = this.#options;
    const onEnd = isCompared ? (node: number) => this.#ended(node) : undefined;
    return new SequentialRuns(this.#execution, trie, { fingerprint, maxSteps, onEnd });
  }

  #ended(node: number): void {
    const known = this.#ends.get(node) ?? new Set();
    this.#ends.set(node, known);
    const { object, program, outcomes } = this.#execution;
    known.add(runtime.aside(() => outcomes.returned(program.objectOf?.(object) ?? object)));
  }

  compare(given?: LearnedRuns): boolean {
    if (this.#scenario.backend !== 'instrumented') return true;
    const runs = given ?? this.#someRuns();
    this.#comparison = runtime.aside(() => this.#compareWith(runs));
    return this.#comparison !== NO_TIME;
  }

  #compareWith(runs: LearnedRuns | undefined): Comparison {
    // no claim about such code is exhaustive
    if (runtime.controlled.size > 0) return { unknown: 'its results depend on time or random numbers' };
    if (runs === undefined) return { unknown: 'not all runs of one call at a time end' };
    let plain: PlainScenarios | undefined;
    try {
      plain = plainOf(this.#scenario);
    } catch (error) {
      return { unknown: `the code itself cannot be loaded: ${thrownText(error, 'both')}` };
    }
    if (plain === undefined) return { unknown: 'its files are not known' };
    const learned = { runs, outcomes: this.#execution.outcomes, ends: this.#ends };
    const placeOf = (method: string) => this.#placeOf(method);
    const compared = new PlainRuns(this.#scenario, plain, callsOf(this.#test), learned, placeOf);
    return compared.compare(this.#hasExpired);
  }

  #placeOf(method: string): NamedPlace {
    const { object, program } = this.#execution;
    const { methods } = this.#scenario;
    const owner = Object.hasOwn(methods, method) ? methods : (program.objectOf?.(object) ?? object);
    const called = (owner as Record<string, object | undefined>)[method];
    return { ...namedPlace((called && closureOf(called)?.site) ?? NOWHERE), name: method };
  }

  /** What is learned in a limited number of steps. */
  #someRuns(): LearnedRuns | undefined {
    const runs = new LearnedRuns(this.#execution.calls.length, this.hasWaiters);
    const learner = this.learn(runs);
    while (learner.stats.steps < MOST_STEPS_TO_COMPARE && !learner.advance(this.stepsPerSlice));
    return learner.stats.unfinished > 0 ? undefined : runs;
  }

  stages(automaton: Automaton): readonly Stage[] {
    const {
      seed,
      maxPreemptions,
      isSmallest,
      isExhaustive = false,
      schedule,
      onClass,
      maxSteps,
    } = this.#options;
    const execution = this.#execution;
    const atomicity = this.#atomicity;
    const blocks = this.#blocks;
    const program = this.#program;
    const sampled = (strategy: Strategy, samples: number, most: number | undefined) => () =>
      bySamples(execution, automaton, strategy, { samples, atomicity, maxSteps: most });
    if (blocks && program.hasHiddenState) {
      const traceOf = (found: Schedule) => traceProgram(program, found);
      return [{ until: 1, begin: () => byWholeBlocks(execution, automaton, blocks, traceOf, maxSteps) }];
    }
    if (schedule !== undefined) {
      const most = schedule.length + (maxSteps ?? DEFAULT_MAX_STEPS.threads);
      return [{ until: 1, begin: sampled(new Planned(schedule), 1, most) }];
    }
    if (onClass !== undefined)
      return [{ until: 1, begin: () => byClasses(execution, automaton, { onClass, atomicity, maxSteps }) }];
    if (blocks) return [{ until: 1, begin: () => byStates(execution, automaton, { maxSteps }) }];
    const bounded = (mostPreemptions?: number) => () =>
      byBound(execution, automaton, {
        atomicity,
        maxSteps,
        isSmallest,
        ...(mostPreemptions !== undefined && { mostPreemptions }),
      });
    if (maxPreemptions !== undefined) return [{ until: 1, begin: bounded(maxPreemptions) }];
    const all = () =>
      atomicity || program.hasHiddenState
        ? byClasses(execution, automaton, { atomicity, maxSteps })
        : byEither(execution, automaton, { maxSteps });
    if (isExhaustive) return [{ until: 1, begin: all }];
    return [
      { until: EXHAUSTIVE, begin: all },
      { until: BOUNDED, begin: bounded() },
      {
        until: 1,
        begin: sampled(new PartialOrderSampling(new Random(seed)), Number.POSITIVE_INFINITY, maxSteps),
      },
    ];
  }

  audit(): void {
    auditPaths(this.#program, this.#paths.found());
  }

  notes(): BackendNotes {
    const { memory } = this.#execution;
    return {
      races: placesOf(this.#races.all),
      warnings: this.#atomicity?.warnings,
      replaced: [],
      uninstrumented: [],
      isSynchronous: false,
      seesThreads: memory.isThreadObserved,
      spins: memory.hasSpun,
      ...noted(this.#comparison),
      unfinishedAt: Array.from(this.#execution.abandonedAt, namedPlace),
    };
  }
}

const noted = (found: Comparison): Pick<BackendNotes, 'isCompared' | 'difference' | 'uncompared'> => {
  if (found === 'same') return { isCompared: true };
  return 'unknown' in found
    ? { isCompared: false, uncompared: found.unknown }
    : { isCompared: true, difference: found };
};

/** The first call of small tests that does something else than in the code itself, as text. A proof says nothing about such code. */
export function differenceInSmallTests(
  scenario: Scenario,
  seed: number,
  deadline: Deadline,
): string | undefined {
  if (scenario.backend !== 'instrumented') return undefined;
  for (const batch of batchesOf(scenario, { seed, threads: 2, callsPerThread: 2 })) {
    if (batch.isTooLarge)
      return 'there are too many tests to compare the instrumented code with the code itself';
    for (const test of batch.choice === 'all' ? batch.tests : []) {
      if (deadline.hasExpired())
        return 'there was no time to compare the instrumented code with the code itself';
      const { difference, uncompared } = comparisonOf(scenario, test, seed);
      if (uncompared) return `the instrumented code was not compared with the code itself: ${uncompared}`;
      if (difference)
        return `the instrumented code differs from the code itself, although one call runs at a time; ${describeDifference(difference)}`;
    }
  }
  return undefined;
}

/** Compares the sequential runs of a test. */
function comparisonOf(scenario: Scenario, test: TestCase, seed: number): BackendNotes {
  try {
    return untilValid(() => {
      const session = new ThreadBackend(scenario, test).start({ seed, isCompared: true });
      session.compare();
      return session.notes();
    });
  } finally {
    runtime.leave();
  }
}
