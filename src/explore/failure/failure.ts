/**
 * A failure as a file: the calls, the schedule and the access of each step. The file is enough to replay the failure,
 * and to detect where changed code leaves the schedule.
 *
 * A step is identified by its thread and its access, not by its line: code may move.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson } from '../../base/values/json-reader.js';
import { stringify, untag } from '../../base/values/json-values.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Backend, FailureStep } from '../backend.js';
import { backendFor, backendNameOf } from '../choose-backend.js';
import { lineUp } from '../line-up.js';
import { Deadline } from '../model/deadline.js';
import type { Schedule } from '../model/engine.js';
import type { TestResult } from '../result.js';
import type { Scenario } from '../scenario/scenario.js';
import type { TestCase } from '../scenario/test-case.js';

const FAILURE_VERSION = 1;

/** A failure file: the test, the schedule, and what each step was. */
export interface Failure {
  readonly version: typeof FAILURE_VERSION;
  /** The path of the scenario, relative to the file of the failure; empty where a test has kept it. */
  readonly scenario: string;
  readonly matrix: TestCase;
  /** The name of the `everySchedule` test that failed; its schedule is of macrotasks, and `matrix` has no calls. */
  readonly body?: string | undefined;
  /** May waiters have woken up by themselves? */
  readonly spuriousWakeups?: boolean | undefined;
  readonly schedule: Schedule;
  readonly steps: readonly FailureStep[];
}

/** Undefined where no schedule makes the failure. */
export function failureOf(
  scenario: string,
  { test, backend, violation }: Pick<TestResult, 'test' | 'backend' | 'violation'>,
): Failure | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  const { schedule } = backend.trace(violation.schedule);
  const { spuriousWakeups } = backend;
  const steps = stepsOf(backend, schedule);
  return {
    version: FAILURE_VERSION,
    scenario,
    matrix: test,
    ...(spuriousWakeups && { spuriousWakeups }),
    schedule,
    steps,
  };
}

/** Undefined where its calls have arguments that no file can hold. */
export function failureText(failure: Failure): string | undefined {
  try {
    return `${stringify(failure)}\n`;
  } catch {
    return undefined;
  }
}

const stepsOf = (backend: Backend, schedule: Schedule): FailureStep[] =>
  backend.trace(schedule).steps.map((step) => ({ thread: step.thread, ...backend.describe(step) }));

/**
 * Reads the text of a failure file, `.straightedge/failure-1.json`.
 *
 * @example
 * const load = async (path: string) => parseFailure(await readFile(path, 'utf8'));
 */
export function parseFailure(text: string): Failure {
  const failure = readJson(text) as Partial<Failure> | null;
  if (typeof failure !== 'object' || failure === null || failure.version === undefined)
    throw new ScenarioError('this is no failure; expected a file that `straightedge explore` has written');
  if (failure.version !== FAILURE_VERSION)
    throw new ScenarioError(
      `this failure has version ${String(failure.version)}; this straightedge reads version ${FAILURE_VERSION}`,
    );
  const { scenario, matrix, schedule, steps } = failure;
  if (typeof scenario !== 'string' || !Array.isArray(matrix?.threads) || !Array.isArray(schedule) || !steps)
    throw new ScenarioError(
      'this failure is not whole; expected "scenario", "matrix", "schedule" and "steps"',
    );
  return failure as Failure;
}

function readJson(text: string): unknown {
  try {
    return untag(parseJson(text));
  } catch (error) {
    throw new ScenarioError(
      `this is no failure: ${(error as Error).message}; expected a file that \`straightedge explore\` has written`,
    );
  }
}

/*
 * A failure as a short text, to be sent in a message and run again elsewhere: `se1.` and letters.
 *
 * It holds the data of a failure file without the scenario. Each step is reduced to a mark of one byte. A mark nearly always
 * shows where changed code leaves the schedule, but not what the step was.
 */

const VERSION = 'se1.';
/** Bytes of a decompressed token: a short one may expand a thousandfold. */
const MAX_TOKEN = 1 << 24;

/** A failure without its scenario, whose steps are marks. */
export interface TokenFailure {
  readonly matrix: TestCase;
  readonly body: string | undefined;
  readonly schedule: Failure['schedule'];
  readonly marks: readonly number[];
  readonly spuriousWakeups: boolean;
}

export const isToken = (text: string): boolean => /^se\d+\./.test(text);

export function tokenOf({ matrix, schedule, steps, spuriousWakeups = false, body }: Failure): string {
  const { threads, before, after } = matrix;
  const parts = [threads, before, after, schedule, steps.map(markOf), spuriousWakeups ? 1 : 0];
  const text = stringify(body === undefined ? parts : [...parts, body]);
  return `${VERSION}${deflateRawSync(text, { level: 9 }).toString('base64url')}`;
}

export function parseToken(token: string): TokenFailure {
  if (!token.startsWith(VERSION))
    throw new ScenarioError(
      `this failure is of the version ${token.slice(0, token.indexOf('.'))}; this straightedge reads se1`,
    );
  const [threads, before, after, schedule, marks, spurious, body] = partsOf(token);
  if (![threads, before, after, schedule, marks].every(Array.isArray)) throw broken();
  return { matrix: { threads, before, after }, schedule, marks, spuriousWakeups: spurious === 1, body };
}

/** What a step does, in a byte. */
function markOf({ thread, access }: FailureStep): number {
  let mark = thread + 1;
  for (const letter of access) mark = (Math.imul(mark, 31) + letter.codePointAt(0)!) & 0xff_ff_ff;
  return (mark ^ (mark >>> 8) ^ (mark >>> 16)) & 0xff;
}

type Parts = [
  threads: TestCase['threads'],
  before: TestCase['before'],
  after: TestCase['after'],
  schedule: number[],
  marks: number[],
  spurious: number,
  body?: string,
];

function partsOf(token: string): Parts {
  try {
    const packed = Buffer.from(token.slice(VERSION.length), 'base64url');
    return untag(parseJson(inflateRawSync(packed, { maxOutputLength: MAX_TOKEN }).toString('utf8'))) as Parts;
  } catch {
    throw broken();
  }
}

const broken = (): ScenarioError =>
  new ScenarioError(
    'this token is not whole; expected all of the text that `straightedge explore` has printed',
  );

/*
 * Replaying a failure: it is reproduced, it passes now, or the code diverges from its schedule.
 *
 * Code follows the schedule if each step has the same thread and the same access. A program that diverges shows neither
 * that the failure is fixed nor that it persists. The first step that differs is reported.
 */

export type ReplayResult =
  | { readonly kind: 'reproduced' | 'passes'; readonly result: TestResult }
  | {
      readonly kind: 'diverged';
      /** The number of the step, from 0; what it was, if that is known, and what it is now. */
      readonly step: number;
      readonly before: FailureStep | undefined;
      readonly now: FailureStep | undefined;
    };

/**
 * Runs the schedule of a failure again. `failure` is what `parseFailure` gives, the text of a failure file, or a token.
 *
 * @example
 * const again = async (pool: Scenario) =>
 *   replay(pool, await readFile('.straightedge/failure-1.json', 'utf8'));
 */
export async function replay(scenario: Scenario, failure: Failure | string): Promise<ReplayResult> {
  const parsed =
    typeof failure !== 'string' ? failure : isToken(failure) ? parseToken(failure) : parseFailure(failure);
  return inOwnTask(() => replaySync({ ...scenario, backend: backendNameOf(scenario) }, parsed));
}

/** `replay` in the current task. */
export function replaySync(given: Scenario, failure: Failure | TokenFailure): ReplayResult {
  const scenario = { ...given, spuriousWakeups: given.spuriousWakeups || failure.spuriousWakeups === true };
  const { matrix, schedule, body } = failure;
  if (body !== undefined)
    throw new ScenarioError(
      `this is a failure of the everySchedule test ${JSON.stringify(body)}; run the test again: it replays a saved failure first, and a token in STRAIGHTEDGE_REPLAY`,
    );
  const now = stepsOf(backendFor(scenario, matrix), schedule);
  const step = divergence(failure, now);
  if (step >= 0) {
    const before = 'steps' in failure ? failure.steps[step] : undefined;
    return { kind: 'diverged', step, before, now: now[step] };
  }
  const result = lineUp(
    scenario,
    matrix,
    { seed: 0, schedule, allowNondeterminism: true },
    new Deadline(Number.POSITIVE_INFINITY),
  );
  return { kind: result.violation ? 'reproduced' : 'passes', result };
}

/** The first step that is not what it was, or -1. */
export function divergence(failure: Failure | TokenFailure, now: readonly FailureStep[]): number {
  const count = 'steps' in failure ? failure.steps.length : failure.marks.length;
  for (let step = 0; step < Math.max(now.length, count); step++)
    if (!isSame(failure, step, now[step])) return step;
  return -1;
}

/** A failing schedule of an `everySchedule` test as a failure. */
export const bodyFailure = (
  body: string,
  { schedule, steps }: Pick<Failure, 'schedule' | 'steps'>,
): Failure => ({
  version: FAILURE_VERSION,
  scenario: '',
  matrix: { threads: [], before: [], after: [] },
  body,
  schedule,
  steps,
});

/** Is a step what it was? */
function isSame(failure: Failure | TokenFailure, step: number, now: FailureStep | undefined): boolean {
  if ('marks' in failure) return failure.marks[step] === (now && markOf(now));
  const before = failure.steps[step] as FailureStep | undefined;
  return before?.thread === now?.thread && before?.access === now?.access;
}
