/**
 * The shapes of tasks and results, as predicates. A signature says who wrote a message; the shape says that it can be used.
 *
 * Each field of a type needs its shape here, or this file does not compile. Other fields are refused.
 */

import type { NamedPlace } from '../../base/source-position.js';
import type { LimitReason } from '../../check/model/verdict.js';
import { EXIT } from '../../config/usage-error.js';
import type { Held } from '../../explore/async/quiescent-runs.js';
import type { RacePlaces } from '../../explore/classes/data-races.js';
import type { LearnedStep, LearnedTest, MethodResult } from '../../explore/learning/learned-results.js';
import type { Coverage, HeldResources, ScheduleSize } from '../../explore/model/engine.js';
import type { Difference } from '../../explore/model/trace-types.js';
import type { Notes } from '../../explore/result.js';
import { parseHistory } from '../../formats/read-history.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import type { CommandResult } from './command-result.js';
import {
  absent,
  byKind,
  count,
  flag,
  list,
  number,
  object,
  oneOf,
  optional,
  pair,
  record,
  type Shape,
  text,
} from './shape.js';
import type {
  CheckTask,
  ExploreTask,
  RemoteResult,
  RoundsResult,
  StressTask,
  Task,
  TaskOutcome,
  TestsResult,
} from './task.js';

/* Tasks */

const commonFields = { run: text, name: text, file: text, code: text };
const scenarioFields = { ...commonFields, hasConfig: flag, silence: number };

const exploreTask = object<ExploreTask>({
  ...scenarioFields,
  kind: oneOf('explore'),
  setup: optional(object({ options: record(), spuriousWakeups: flag })),
  batch: object({
    choice: oneOf('given', 'all', 'orders', 'random'),
    threads: count,
    callsPerThread: count,
  }),
  tests: list(
    object({
      test: count,
      options: object({ seed: number, isExhaustive: flag, maxExecutions: optional(count) }),
    }),
  ),
  // Redis workers count steps
  time: absent,
});

const stressTask = object<StressTask>({
  ...scenarioFields,
  kind: oneOf('stress'),
  options: record(),
  first: count,
  rounds: count,
});

const checkTask = object<CheckTask>({
  ...commonFields,
  kind: oneOf('check'),
  history: object<NonNullable<CheckTask['history']>>({ hash: text, packed: optional(text) }),
  job: object<CheckTask['job']>({
    // a worker reads and writes no file of its own because of a task
    contentFile: absent,
    together: absent,
    html: absent,
    spec: text,
    options: record(),
    rename: list(pair(text, text)),
    independent: flag,
    clockError: optional(text),
    extraFields: flag,
    partial: flag,
    map: optional(text),
    limits: object({ maxSteps: optional(count), timeout: optional(number), maxMemory: number }),
    quiet: flag,
    stuck: flag,
    allowEmpty: flag,
    witness: flag,
    consistency: flag,
    all: flag,
    faults: list(object({ text, at: text, until: optional(text), isDated: flag })),
    wants: object({ document: flag, text: flag, finding: flag }),
    algorithm: text,
    jobs: count,
    style: object({ colour: flag, ascii: flag, width: count }),
  }),
});

const task = byKind<Task>({ explore: exploreTask, stress: stressTask, check: checkTask });

/** What is wrong with a task; undefined if nothing is. */
export const problemInTask = (value: unknown): string | undefined => task(value, 'task');

/* Results */

const place = { file: text, line: count, column: count };
const calledFields = { ...place, name: text, isGivenShared: flag, isObserved: flag };
const called = object<Notes['atomic'][number]>(calledFields);
const racePlace = object<RacePlaces['places'][number]>({ ...place, access: text });

const coverage = byKind<Coverage>({
  all: object({ kind: oneOf('all') }),
  bound: object({ kind: oneOf('bound'), preemptions: count }),
  samples: object({ kind: oneOf('samples'), count }),
});

const held = { resource: text, isSame: flag, holders: list(count), max: optional(count) };

type SentViolation = NonNullable<RemoteResult['explored']['violation']>;

const learnedStep = object<LearnedStep>({
  process: optional(text),
  text,
  result: optional(text),
  completes: list(object({ process: text, text, result: text })),
});

const violation = object<Extract<SentViolation, { schedule: unknown }>>({
  kind: oneOf('outcome', 'wait', 'uncaught'),
  operation: count,
  schedule: list(count),
  smallest: optional(object<ScheduleSize>({ preemptions: count, switches: count, steps: count })),
  allowed: optional(list(text)),
  nearest: optional(list(learnedStep)),
  isLostWakeUp: optional(flag),
  isUnfair: optional(flag),
  exclusive: optional(object<HeldResources>(held)),
  error: optional(text),
  blocked: optional(object({ operation: count, site: count })),
}) as unknown as Shape<SentViolation>;

const remoteResult = object<RemoteResult>({
  isUndetermined: flag,
  explored: object({
    executions: count,
    schedules: count,
    steps: count,
    unfinished: count,
    unfinishedAt: list(object<NamedPlace>({ ...place, name: text })),
    states: count,
    classes: count,
    histories: count,
    races: list(object({ name: text, places: pair(racePlace, racePlace) })),
    warnings: optional(object({ executions: count, unserializable: count, pairs: list(text) })),
    replaced: list(text),
    uninstrumented: list(text),
    hiddenState: optional(text),
    isSynchronous: flag,
    seesThreads: flag,
    isCompared: flag,
    uncompared: optional(text),
    difference: optional(
      object<Difference>({
        call: text,
        place: object<NamedPlace>({ ...place, name: text }),
        before: list(text),
        plain: text,
        instrumented: text,
      }),
    ),
    spins: flag,
    violation: optional(violation),
    coverage: list(coverage),
    sequential: count,
    methodResults: list(
      object<MethodResult>({
        method: text,
        hasReturned: flag,
        hasValue: flag,
        threw: optional(text),
        blocked: optional(object({ call: text, after: list(text) })),
        ended: list(text),
        waited: list(text),
      }),
    ),
    held: optional(object<Held>({ call: text, most: count, least: optional(count), isLock: flag })),
    learned: optional(
      object<LearnedTest>({
        calls: list(list(text)),
        runs: list(object({ steps: list(learnedStep), isBlocked: flag })),
        hasMore: flag,
      }),
    ),
    observations: optional(text),
  }),
});

const replacement = object({ line: count, endLine: count, text });

const finding = object<Diagnostic>({
  file: text,
  outcome: oneOf('linearizable', 'violation', 'undecided', 'error'),
  isRendezvous: optional(flag),
  summary: text,
  text,
  seconds: number,
  line: optional(count),
  column: optional(count),
  endLine: optional(count),
  also: optional(list(object({ file: text, line: count, endLine: count }))),
  flow: optional(list(object({ ...place, process: text, text }))),
  fixes: optional(list(object({ description: text, file: text, replacements: list(replacement) }))),
  related: list(count),
});

/** A worker is not interrupted in a check. */
const CODES: Readonly<Record<Diagnostic['outcome'], number>> = {
  linearizable: EXIT.holds,
  violation: EXIT.violation,
  error: EXIT.badInput,
  undecided: EXIT.undecided,
};

const commandResult = object<CommandResult>({
  code: oneOf<number>(...Object.values(CODES), EXIT.internal),
  document: record(),
  text,
  finding,
  isWritten: optional(flag),
  // a worker writes no report
  unwritten: absent,
  // nor does it explore whole scenarios
  isComplete: absent,
  failure: optional(text),
  stack: optional(text),
  limit: optional(oneOf<LimitReason>('time', 'memory', 'steps')),
});

const notes = object<Notes>({ atomic: list(called), controlled: list(called) });
const testsResult = object<TestsResult>({ tests: list(remoteResult), notes });
const roundsResult = object<RoundsResult>({
  rounds: count,
  operations: count,
  overlapping: count,
  undecided: count,
  unknown: list(pair(text, count)),
  failure: optional(object({ round: count, lines: text })),
});

const outcomes: Readonly<Record<Task['kind'], Shape<TaskOutcome>>> = {
  explore: outcomeOf(testsResult),
  stress: outcomeOf(roundsResult),
  check: outcomeOf(commandResult),
};

function outcomeOf(result: Shape<unknown>): Shape<TaskOutcome> {
  return byKind<TaskOutcome>({
    done: object({ kind: oneOf('done'), result }) as never,
    refused: object({ kind: oneOf('refused'), message: text }),
    abandoned: object<Extract<TaskOutcome, { kind: 'abandoned' }>>({
      kind: oneOf('abandoned'),
      reason: text,
      isOutOfMemory: optional(flag),
      isNotStarted: absent,
    }),
  });
}

/** What is wrong with the outcome of a task; undefined if nothing is. */
export function problemInOutcome(given: Task, value: unknown): string | undefined {
  return outcomes[given.kind](value, 'outcome') ?? contradiction(given, value as TaskOutcome);
}

/** A result that its own task cannot have. */
function contradiction(given: Task, outcome: TaskOutcome): string | undefined {
  if (outcome.kind !== 'done') return undefined;
  const { result } = outcome;
  if (given.kind === 'explore' && 'tests' in result)
    return result.tests.length === given.tests.length ? undefined : 'outcome.result.tests: another number';
  if (given.kind === 'stress' && 'rounds' in result) {
    if (result.rounds > given.rounds) return 'outcome.result.rounds: more than were given';
    if (result.overlapping > result.operations) return 'outcome.result.overlapping: more than operations';
    const { failure } = result;
    if (failure === undefined) return undefined;
    if (failure.round < given.first || failure.round >= given.first + given.rounds)
      return 'outcome.result.failure.round: another round';
    return isHistory(failure.lines) ? undefined : 'outcome.result.failure.lines: no history';
  }
  if (given.kind === 'check' && 'finding' in result) {
    const { code, finding: diagnostic } = result;
    const isUnexpected = code === EXIT.internal && diagnostic.outcome === 'error';
    return isUnexpected || CODES[diagnostic.outcome] === code
      ? undefined
      : 'outcome.result.code: another verdict';
  }
  return undefined;
}

function isHistory(lines: string): boolean {
  try {
    return parseHistory(lines).length > 0;
  } catch {
    return false;
  }
}
