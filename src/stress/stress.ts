/**
 * Stress: real concurrency, recorded and checked, round after round.
 *
 *   G. Lowe. Testing for linearizability. Concurrency and Computation: Practice and Experience, 2017, section 7: many short
 *   runs find more than a long one, and each is checked by itself.
 *
 * A round is checked while the next one runs. All chance is from the seed; what the machine does with it is not.
 */
import { thrownText } from '../base/errors.js';
import { Random } from '../base/random.js';
import { check } from '../check/check.js';
import { resolveLimits } from '../check/model/budget.js';
import type { LimitReason, Verdict } from '../check/model/verdict.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { Deadline } from '../explore/model/deadline.js';
import type { Scenario, Signal } from '../explore/scenario/scenario.js';
import { randomTests, type TestCase } from '../explore/scenario/test-case.js';
import { HistoryBuilder } from '../history/builder/builder.js';
import type { History } from '../history/history.js';
import { overlapIn } from '../history/model/columns.js';
import { MemoryLog } from '../record/log.js';
import type { AnySpec } from '../spec/rendezvous/sync-spec.js';
import {
  Client,
  type Ended,
  type Logs,
  type Round,
  type Rounds,
  type Stillness,
  stillness,
} from './round.js';

/** What to run, and for how long. */
export interface StressOptions {
  /** Seed of random choices: which calls a round makes. Default: 1. */
  readonly seed?: number | undefined;
  /** How many rounds to run. Default: what the scenario says, or 100. */
  readonly rounds?: number | undefined;
  readonly threads?: number | undefined;
  readonly callsPerThread?: number | undefined;
  /** Wall-clock time: milliseconds, or a text such as `'60s'`. */
  readonly timeout?: number | string | undefined;
  /** Milliseconds without progress after which a round ends if every open call may block forever. Default: 100. */
  readonly settle?: number | undefined;
  /** Milliseconds without progress after which a round is stuck. Default: 2000. */
  readonly stallTimeout?: number | undefined;
  /** Stops the run. */
  readonly signal?: Signal | undefined;
  readonly onProgress?: ((rounds: number, operations: number) => void) | undefined;
}

/** Options of `stressWith`. */
export interface StressRunOptions {
  readonly seed?: number | undefined;
  readonly rounds?: number | undefined;
  /** The number of the first round: the calls of a round come from the seed and its number. */
  readonly first?: number | undefined;
  readonly threads?: number | undefined;
  readonly callsPerThread?: number | undefined;
  readonly timeout?: number | undefined;
  /** Milliseconds without progress after which a round ends, if all pending calls may be blocked forever. */
  readonly settle?: number | undefined;
  /** Milliseconds without progress after which it is stuck in any case. */
  readonly stallTimeout?: number | undefined;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (rounds: number, operations: number) => void;
}

/** The result of a stress run: `holds` if every round is linearizable. */
export interface StressResult {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  readonly reason: LimitReason | 'abandoned' | undefined;
  readonly seed: number;
  readonly rounds: number;
  readonly operations: number;
  /** How many operations overlapped another one of their round. If none did, the run shows nothing about concurrent calls. */
  readonly overlapping: number;
  readonly milliseconds: number;
  /** Of a violation: its round, its history, and the time until it was found. */
  readonly failure:
    | {
        readonly round: number;
        readonly history: History;
        readonly verdict: Verdict;
        readonly milliseconds: number;
      }
    | undefined;
  /** If no round failed: of the rounds of this thread with a linearization, the first with the most overlapping operations. */
  readonly sample?:
    | {
        readonly round: number;
        readonly history: History;
        readonly verdict: Verdict;
        readonly overlapping: number;
      }
    | undefined;
  /** Rounds whose check reached a limit. */
  readonly undecided: number;
  /** Rounds without a result, and the reason. */
  readonly abandoned: readonly { readonly round: number; readonly reason: string }[];
  /** Errors that the scenario does not classify, by name: their calls may have taken effect or not. */
  readonly unknown: ReadonlyMap<string, number>;
}

const SEED = 1;
const ROUNDS = 100;
/** Where calls synchronise, all of them may wait in many rounds; these should be short. */
const SETTLE = 100;
const WATCHDOG = 2_000;
/** What one check may take: rounds are many, and should be short. */
const CHECK_STEPS = 1_000_000;

/**
 * Runs the calls of a scenario concurrently on the real event loop, records each round and checks it.
 *
 * @example
 * const counting = scenario({
 *   create: () => ({ n: 0, increment() { this.n++; }, read() { return this.n; } }),
 *   spec: counter(),
 *   calls: [['increment'], ['read']],
 * });
 * const { verdict } = await stress(counting, { rounds: 5 });
 * assert.equal(verdict, 'holds');
 */
export function stress(scenario: Scenario, options: StressOptions = {}): Promise<StressResult> {
  const { signal, timeout: given, onProgress, ...others } = options;
  const { timeout } = resolveLimits({ timeout: given });
  const shouldStop = () => signal?.aborted ?? false;
  const run = { ...others, timeout, shouldStop, ...(onProgress && { onProgress }) };
  return stressWith(scenario, run);
}

/** `stress` with clients of any kind. */
export async function stressWith(
  scenario: Scenario,
  options: StressRunOptions = {},
  create: (still: Stillness) => Rounds = (still) => new AsyncRounds(still),
): Promise<StressResult> {
  const { spec } = scenario;
  if (spec === undefined)
    throw new ScenarioError(
      "stress needs a `spec`: a real run cannot be repeated to learn from it. Add to the scenario what the object is: `spec: queue()`, with `import { queue } from 'straightedge/objects'`, or a spec of your own (node_modules/straightedge/docs/guide/writing-a-spec.md)",
    );
  const { seed = SEED, first = 0, timeout = Number.POSITIVE_INFINITY } = options;
  const { settle = SETTLE, stallTimeout = WATCHDOG } = options;
  const rounds = create({ settle: Math.min(settle, stallTimeout), stallTimeout });
  const most = roundsOf(scenario, options);
  const begin = performance.now();
  const deadline = new Deadline(timeout, options.shouldStop);
  let done = 0;
  let operations = 0;
  let overlapping = 0;
  let undecided = 0;
  let sample: StressResult['sample'];
  const ended = (failure?: StressResult['failure']): StressResult => {
    const isShort = done < most || undecided > 0;
    return {
      verdict: failure ? 'violation' : isShort ? 'undecided' : 'holds',
      reason: failure || !isShort ? undefined : deadline.isInterrupted ? 'interrupted' : 'time',
      seed,
      rounds: done,
      operations,
      overlapping,
      milliseconds: performance.now() - begin,
      failure,
      sample: failure ? undefined : sample,
      undecided,
      abandoned: [],
      unknown: rounds.unknown,
    };
  };
  const isOver = (): boolean => deadline.hasExpired();
  const verdictOf = (history: History): Verdict => checkRound(history, spec, isOver);
  const mayRest = (logs: Logs): boolean =>
    verdictOf(historyOf({ operations: logs, annotations: [], isStuck: true })).kind === 'linearizable';
  const onWait = (): void => options.onProgress?.(done, operations);
  const judge = (round: Ended): StressResult['failure'] => {
    const history = historyOf(round);
    const verdict = verdictOf(history);
    done++;
    operations += history.length;
    const own = overlapIn(history.columns).overlapping;
    overlapping += own;
    if (verdict.kind === 'linearizable' && own > (sample?.overlapping ?? -1))
      sample = { round: first + done - 1, history, verdict, overlapping: own };
    options.onProgress?.(done, operations);
    if (verdict.kind === 'undecided') undecided++;
    if (verdict.kind !== 'violation') return undefined;
    return { round: first + done - 1, history, verdict, milliseconds: performance.now() - begin };
  };

  const teardown = await scenario.setup?.();
  try {
    let last: Ended | undefined;
    for (let round = first; round < first + most && !isOver(); round++) {
      const matrix = matrixOf(scenario, options, seed + round);
      const chance = new Random(seed + round);
      const running = rounds.run(scenario, { matrix, number: round, chance, mayRest, isOver, onWait });
      const failure = last && judge(last);
      last = await running;
      if (failure) return ended(failure);
    }
    const failure = last && judge(last);
    return ended(failure);
  } finally {
    await rounds.close();
    await teardown?.();
  }
}

export const roundsOf = (
  scenario: Pick<Scenario, 'rounds'>,
  { rounds }: Pick<StressRunOptions, 'rounds'>,
): number => rounds ?? scenario.rounds ?? ROUNDS;

export const checkRound = (history: History, spec: AnySpec, shouldStop: () => boolean): Verdict =>
  check(history, spec, { maxSteps: CHECK_STEPS, shouldStop });

function matrixOf(scenario: Scenario, options: StressRunOptions, seed: number): TestCase {
  const { test, before, after, tests } = scenario;
  if (tests) throw new ScenarioError('a kit is explored, not stressed; use `explore`');
  if (test) return { threads: test, before, after };
  const { threads = scenario.threads, callsPerThread = scenario.callsPerThread } = options;
  return randomTests(scenario, { threads, callsPerThread }, 1, seed)[0];
}

function historyOf({ operations, annotations, isStuck }: Ended): History {
  const builder = new HistoryBuilder();
  for (const log of operations) for (const operation of log) builder.operation(operation);
  for (const { text, at } of annotations) builder.annotate(text, at);
  if (isStuck) builder.markStuck();
  return builder.finish();
}

/**
 * Rounds with asynchronous clients, on the real event loop.
 *
 * A client lets others go first before some of its calls, by chance, since the event loop by itself always does the same. Calls that are
 * open when a round is over are interrupted, as a scenario says by `cancel`; whatever comes of them is not part of the history.
 */
class AsyncRounds implements Rounds {
  readonly unknown: Map<string, number> = new Map();
  readonly #still: Stillness;

  constructor(still: Stillness) {
    this.#still = still;
  }

  async run(
    scenario: Scenario,
    { matrix, number, chance, mayRest, isOver }: Round,
  ): Promise<Ended | undefined> {
    const { before, threads, after } = matrix;
    const object = await (scenario.create as (stubs: object) => object | Promise<object>)(scenario.stubs);
    const logs = [...threads, before].map(() => new MemoryLog());
    const over = new AbortController();
    const client = (p: number): Client =>
      new Client(scenario, object, logs[p], p === threads.length ? 'main' : `${p + 1}`, {
        signal: over.signal,
        pause: pauses(chance),
        onUnknown: (error) => {
          const name = thrownText(error, 'name');
          this.unknown.set(name, (this.unknown.get(name) ?? 0) + 1);
        },
      });
    const main = client(threads.length);
    const annotations: { text: string; at: bigint }[] = [];
    const annotate = (text: string): void => {
      annotations.push({ text, at: process.hrtime.bigint() });
    };
    const faults = scenario.faults?.({ annotate, signal: over.signal, round: number });
    const work = async (): Promise<void> => {
      await main.run(before);
      await Promise.all(threads.map((calls, p) => client(p).run(calls)));
      await main.run(after);
    };
    const operations = () => logs.map((log) => log.operations);
    const moves = () => logs.reduce((sum, log) => sum + log.eventCount, 0);
    const why = await stillness(work(), this.#still, {
      moves,
      // what is elsewhere may only be slow
      mayRest: () => !scenario.remote && mayRest(operations()),
      isOver,
    });
    over.abort();
    await faults;
    if (why === 'cut off') return undefined;
    return { operations: operations(), annotations, isStuck: why === 'stuck' && !scenario.remote };
  }

  async close(): Promise<void> {}
}

/** Microtasks that may go first. */
const MOST_TURNS = 8;

/** Before a call: nothing, or some microtasks, or the next turn of the event loop. */
function pauses(chance: Random): () => Promise<unknown> | undefined {
  const own = new Random(chance.below(2 ** 31));
  return () => {
    const turns = own.below(MOST_TURNS + 3) - 1;
    if (turns <= 0) return undefined;
    return turns > MOST_TURNS ? new Promise((resolve) => setImmediate(resolve)) : microtasks(turns);
  };
}

async function microtasks(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}
