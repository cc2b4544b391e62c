/**
 * The rounds of a stress run as tasks: some in a row, by their numbers, for whoever runs them, threads here or a fleet.
 *
 * The calls of a round come from the seed and its number, whoever runs it; what the machine does with them does not. What
 * counts is the order of the rounds: of several that are wrong the first is told, and those after it have never been. A task
 * that fails is cut into its rounds, and those that fail again are set aside.
 */
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { parseHistory } from '../../formats/read-history.js';
import { checkRound, roundsOf, type StressResult } from '../../stress/stress.js';
import type { StressJob } from '../model/job.js';
import {
  type Outcome,
  piecesInTask,
  runOf,
  type SentRounds,
  type StressTask,
  silenceIn,
  type Work,
} from '../model/task.js';

/** A task that is done, and when. */
interface Done {
  readonly first: number;
  readonly sent: SentRounds;
  readonly milliseconds: number;
}

export class StressedRounds implements Work<StressTask> {
  readonly #scenario: Scenario;
  readonly #seed: number;
  readonly #most: number;
  readonly #common: Omit<StressTask, 'name' | 'first' | 'rounds'>;
  readonly #begin = performance.now();
  readonly #done: Done[] = [];
  readonly #setAside: { readonly round: number; readonly why: string }[] = [];
  /** Rounds that are run alone, since they failed with others. */
  readonly #alone: number[] = [];
  #next = 0;
  #firstWrong = Number.POSITIVE_INFINITY;

  constructor(scenario: Scenario, { options, limits }: StressJob, place: Pick<StressTask, 'file' | 'code'>) {
    if (scenario.faults)
      throw new ScenarioError('`faults` would hit all rounds that run at once: leave out --jobs and --redis');
    this.#scenario = scenario;
    const { seed = 1, rounds: _, ...rest } = options;
    this.#seed = seed;
    this.#most = roundsOf(scenario, options);
    this.#common = {
      ...place,
      kind: 'stress',
      run: runOf('stress', place, seed, this.#most, rest),
      options: { ...rest, seed },
      silence: silenceIn(limits.timeout),
    };
  }

  next(): StressTask | undefined {
    const alone = this.#alone.shift();
    if (alone !== undefined) return this.#taskOf(alone, 1, 'alone');
    if (this.#next >= Math.min(this.#most, this.#firstWrong)) return undefined;
    const first = this.#next;
    const rounds = Math.min(piecesInTask(this.#most), this.#most - first);
    this.#next += rounds;
    return this.#taskOf(first, rounds, `${rounds}`);
  }

  isVain({ first }: StressTask): boolean {
    return first > this.#firstWrong;
  }

  take({ task: { first, rounds }, ...outcome }: Outcome<StressTask>): void {
    if (first > this.#firstWrong) return;
    if ('setAside' in outcome) {
      if (rounds > 1) for (let i = 0; i < rounds; i++) this.#alone.push(first + i);
      else this.#setAside.push({ round: first, why: outcome.setAside });
      return;
    }
    const { answer } = outcome;
    if (answer.kind === 'refused') throw new ScenarioError(answer.message);
    const { failure } = answer.result;
    if (failure) this.#firstWrong = Math.min(this.#firstWrong, failure.round);
    this.#done.push({ first, sent: answer.result, milliseconds: performance.now() - this.#begin });
  }

  /** What came of all of them. */
  stressed(isInterrupted: boolean): StressResult {
    const counted = this.#done.filter(({ first }) => first <= this.#firstWrong);
    const sum = (count: (sent: SentRounds) => number) =>
      counted.reduce((total, { sent }) => total + count(sent), 0);
    const rounds = sum((sent) => sent.rounds);
    const undecided = sum((sent) => sent.undecided);
    const setAside = this.#setAside
      .filter(({ round }) => round <= this.#firstWrong)
      .sort((a, b) => a.round - b.round);
    const failure = this.#failure();
    const isShort = rounds < this.#most || undecided > 0;
    const isAllBegun = rounds + setAside.length === this.#most;
    const short = isInterrupted ? 'interrupted' : setAside.length > 0 && isAllBegun ? 'abandoned' : 'time';
    return {
      verdict: failure ? 'violation' : isShort ? 'undecided' : 'holds',
      reason: failure || !isShort ? undefined : short,
      seed: this.#seed,
      rounds,
      operations: sum(({ operations }) => operations),
      milliseconds: performance.now() - this.#begin,
      failure,
      undecided,
      abandoned: setAside,
      unknown: unknownIn(counted.map(({ sent }) => sent)),
    };
  }

  /** The first round that is wrong. A history travels as lines; what it breaks is found again. */
  #failure(): StressResult['failure'] {
    const wrong = this.#done.find(({ sent }) => sent.failure?.round === this.#firstWrong);
    if (!wrong?.sent.failure || !this.#scenario.spec) return undefined;
    const { round, lines } = wrong.sent.failure;
    const history = parseHistory(lines);
    const verdict = checkRound(history, this.#scenario.spec, () => false);
    return { round, history, verdict, milliseconds: wrong.milliseconds };
  }

  #taskOf(first: number, rounds: number, kind: string): StressTask {
    return { ...this.#common, name: `${first}-${kind}`, first, rounds };
  }
}

function unknownIn(parts: readonly SentRounds[]): Map<string, number> {
  const unknown = new Map<string, number>();
  for (const [name, times] of parts.flatMap((part) => part.unknown))
    unknown.set(name, (unknown.get(name) ?? 0) + times);
  return unknown;
}
