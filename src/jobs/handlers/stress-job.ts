/** `stress` in its thread: runs and checks rounds, saves a failing history, and writes the report. Tasks of it run a few rounds in a thread of their own. */
import { startWorker } from '../../base/package-file.js';
import { tryToWrite } from '../../config/usage-error.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import { parseHistory } from '../../formats/read-history.js';
import { htmlStress } from '../../report/html/page.js';
import { stressDocument, stressText } from '../../report/text/stress.js';
import { styleOf } from '../../report/text/style.js';
import type { Stillness } from '../../stress/round.js';
import { checkRound, roundsOf, type StressResult, stressWith } from '../../stress/stress.js';
import { ThreadRounds } from '../../stress/thread-rounds.js';
import { loadPlainScenario } from '../load/scenario.js';
import { codeOf, pathFromHere } from '../model/code-mismatch.js';
import type { ExploreReply, Message, StressJob } from '../model/job.js';
import {
  piecesInTask,
  type RoundsResult,
  runOf,
  type StressTask,
  silenceIn,
  type TaskOutcome,
  type TaskSource,
} from '../model/task.js';

import { ThreadExecutor } from '../pool/thread-executor.js';
import { RedisExecutor } from '../redis/executor.js';
import { FOLDER, saveNumbered, withHtml } from './read-job.js';

/** On several threads, or on Redis workers. */
async function stressTogether(
  scenario: Scenario,
  job: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<StressResult> {
  const { file, redis, jobs, limits, stop } = job;
  const isInterrupted = () => Atomics.load(stop, 0) !== 0;
  const place = redis ? { file: pathFromHere(file), code: codeOf([file]) } : { file, code: '' };
  const rounds = new StressRounds(scenario, job, place);
  const executor = redis
    ? new RedisExecutor(redis)
    : new ThreadExecutor({ threads: jobs, bytes: limits.maxMemory, stop });
  await executor.run(rounds, {
    isOver: () => isInterrupted() || performance.now() >= until,
    onNews: (text) => post({ kind: 'news', text }),
  });
  return rounds.stressed(isInterrupted());
}

const PROGRESS_EVERY = 100;

export async function stressJob(job: StressJob, post: (message: Message) => void): Promise<ExploreReply> {
  const until = performance.now() + job.limits.timeout;
  post({ kind: 'progress', text: `loading ${job.file}` });
  const scenario: Scenario = await loadPlainScenario(job.file);
  const stressed = await (job.redis || job.jobs > 1
    ? stressTogether(scenario, job, until, post)
    : stressAlone(scenario, job, until, post));
  const { failure } = stressed;
  let saved: string | undefined;
  const unsaved =
    failure &&
    tryToWrite(FOLDER, () => {
      saved = saveNumbered('stress', 'jsonl', [...writeJsonLines(failure.history)].join(''));
    });
  const report = { file: job.file, scenario, stressed, saved };
  const answer: ExploreReply = {
    kind: 'explored',
    verdict: stressed.verdict,
    reason: stressed.reason,
    ...(job.json ? { document: stressDocument(report) } : { text: stressText(report, styleOf(job.style)) }),
    ...(unsaved !== undefined && { unwritten: [unsaved] }),
  };
  return withHtml(answer, job.html, () => htmlStress(report), post);
}

function stressAlone(
  scenario: Scenario,
  { file, options, stop }: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<StressResult> {
  let last = 0;
  const onProgress = (rounds: number, operations: number) => {
    if (performance.now() - last < PROGRESS_EVERY) return;
    last = performance.now();
    post({ kind: 'progress', text: `stress: ${rounds} rounds, ${operations} operations` });
  };
  const timeout = until - performance.now();
  const shouldStop = () => Atomics.load(stop, 0) !== 0;
  const rounds = threadRounds(scenario, file);
  return stressWith(scenario, { ...options, timeout, shouldStop, onProgress }, rounds);
}

/** Loads a scenario as it is, and runs rounds of it. Results are plain data. `onMove` is called after each round. */
export async function stressTasks(
  file: string,
  onMove: () => void,
): Promise<(task: StressTask) => Promise<RoundsResult>> {
  const scenario = await loadPlainScenario(file);
  return async ({ first, rounds, options }) =>
    toRoundsResult(
      await stressWith(
        scenario,
        { ...options, first, rounds, onProgress: onMove },
        threadRounds(scenario, file),
      ),
    );
}

/** Rounds on threads, for a scenario with `attach`. Others use asynchronous clients of this thread. */
export function threadRounds(
  { attach }: Scenario,
  file: string,
): ((still: Stillness) => ThreadRounds) | undefined {
  return attach && ((still) => new ThreadRounds(() => startWorker('#stress-client', { file }), still));
}

function toRoundsResult(stressed: StressResult): RoundsResult {
  const { rounds, operations, overlapping, undecided, unknown, failure } = stressed;
  return {
    rounds,
    operations,
    overlapping,
    undecided,
    unknown: [...unknown],
    ...(failure && {
      failure: { round: failure.round, lines: [...writeJsonLines(failure.history)].join('') },
    }),
  };
}

/** A finished task, and when it finished. */
interface Done {
  readonly first: number;
  readonly result: RoundsResult;
  readonly milliseconds: number;
}

/**
 * The rounds of a stress run as tasks: consecutive rounds, by their numbers.
 *
 * The seed and the number of a round determine its calls; the machine determines their interleaving. Of several rounds with
 * a violation the first is reported, and later rounds are not counted. If a task is abandoned, each of its rounds becomes a
 * task; a round that is abandoned alone is reported so.
 */
export class StressRounds implements TaskSource<StressTask> {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #rounds: number;
  readonly #common: Omit<StressTask, 'name' | 'first' | 'rounds'>;
  readonly #begin = performance.now();
  readonly #done: Done[] = [];
  readonly #abandoned: { readonly round: number; readonly reason: string }[] = [];
  /** Rounds of abandoned tasks. */
  readonly #alone: number[] = [];
  #next = 0;
  #firstViolation = Number.POSITIVE_INFINITY;

  constructor(
    scenario: Scenario,
    { options, limits, hasConfig }: StressJob,
    place: Pick<StressTask, 'file' | 'code'>,
  ) {
    if (scenario.faults)
      throw new ScenarioError('`faults` would hit all rounds that run at once: leave out --jobs and --redis');
    this.#scenario = scenario;
    const { seed = 1, rounds: _, ...rest } = options;
    this.#seed = seed;
    this.#rounds = roundsOf(scenario, options);
    this.#common = {
      ...place,
      kind: 'stress',
      hasConfig,
      run: runOf('stress', place, seed, this.#rounds, rest),
      options: { ...rest, seed },
      silence: silenceIn(limits.timeout),
    };
  }

  next(): StressTask | undefined {
    const alone = this.#alone.shift();
    if (alone !== undefined) return this.#taskOf(alone, 1, 'alone');
    if (this.#next >= Math.min(this.#rounds, this.#firstViolation)) return undefined;
    const first = this.#next;
    const rounds = Math.min(piecesInTask(this.#rounds), this.#rounds - first);
    this.#next += rounds;
    return this.#taskOf(first, rounds, `${rounds}`);
  }

  isObsolete({ first }: StressTask): boolean {
    return first > this.#firstViolation;
  }

  complete({ first, rounds }: StressTask, outcome: TaskOutcome<StressTask>): void {
    if (first > this.#firstViolation) return;
    if (outcome.kind === 'refused') throw new ScenarioError(outcome.message);
    if (outcome.kind === 'abandoned') {
      if (rounds > 1) for (let i = 0; i < rounds; i++) this.#alone.push(first + i);
      else this.#abandoned.push({ round: first, reason: outcome.reason });
      return;
    }
    const { result } = outcome;
    if (result.failure) this.#firstViolation = result.failure.round;
    this.#done.push({ first, result, milliseconds: performance.now() - this.#begin });
  }

  /** The result of all rounds. */
  stressed(isInterrupted: boolean): StressResult {
    const counted = this.#done.filter(({ first }) => first <= this.#firstViolation);
    const sum = (count: (result: RoundsResult) => number) =>
      counted.reduce((total, { result }) => total + count(result), 0);
    const rounds = sum(({ rounds }) => rounds);
    const undecided = sum(({ undecided }) => undecided);
    const abandoned = this.#abandoned
      .filter(({ round }) => round <= this.#firstViolation)
      .sort((a, b) => a.round - b.round);
    const failure = this.#failure();
    const isShort = rounds < this.#rounds || undecided > 0;
    const isAllBegun = rounds + abandoned.length === this.#rounds;
    const short = isInterrupted ? 'interrupted' : abandoned.length > 0 && isAllBegun ? 'abandoned' : 'time';
    return {
      verdict: failure ? 'violation' : isShort ? 'undecided' : 'holds',
      reason: failure || !isShort ? undefined : short,
      seed: this.#seed,
      rounds,
      operations: sum(({ operations }) => operations),
      overlapping: sum(({ overlapping }) => overlapping),
      milliseconds: performance.now() - this.#begin,
      failure,
      undecided,
      abandoned,
      unknown: unknownIn(counted.map(({ result }) => result)),
    };
  }

  /** The first round with a violation. Its history travels as JSON lines and is checked again. */
  #failure(): StressResult['failure'] {
    const found = this.#done.find(({ result }) => result.failure?.round === this.#firstViolation);
    if (!found?.result.failure || !this.#scenario.spec) return undefined;
    const { round, lines } = found.result.failure;
    const history = parseHistory(lines);
    const verdict = checkRound(history, this.#scenario.spec, () => false);
    return { round, history, verdict, milliseconds: found.milliseconds };
  }

  #taskOf(first: number, rounds: number, kind: string): StressTask {
    return { ...this.#common, name: `${first}-${kind}`, first, rounds };
  }
}

function unknownIn(parts: readonly RoundsResult[]): Map<string, number> {
  const unknown = new Map<string, number>();
  for (const [name, times] of parts.flatMap((part) => part.unknown))
    unknown.set(name, (unknown.get(name) ?? 0) + times);
  return unknown;
}
