/**
 * `everySchedule`: an ordinary test under every schedule, for each test runner, and `checkEverySchedule` without a runner.
 *
 * An error of the test is thrown as it is, so that the runner shows its diff and marks its line. The failing schedule is
 * the last cause of the error.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { printable } from '../base/values/show.js';
import { userStack } from '../execution/callers.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import type { ScheduleContext, TestBody } from '../explore/async/test-body.js';
import type { FailedSchedule } from '../explore/async/trace.js';
import { type BodyExploreOptions, exploreBody, replayBody } from '../explore/every-schedule.js';
import {
  bodyFailure,
  divergence,
  failureText,
  parseFailure,
  parseToken,
} from '../explore/failure/failure.js';
import { count, grouped, notExhaustive } from '../report/common/verdict-words.js';
import {
  type CallSite,
  callSiteAbove,
  failureFile,
  type HoldOptions,
  ownSettings,
  type Settings,
  testOptions,
  testTimeout,
  writeFailure,
} from './run-scenario.js';
import { coverageReport, failureReport, type ReportedTest, VACUOUS } from './schedule-report.js';

/** Options of `everySchedule` and `checkEverySchedule`. */
export interface EveryScheduleOptions extends HoldOptions {
  /** The most executions; one per schedule. Default: 10,000. A larger test is sampled, and says so. */
  readonly maxExecutions?: number;
  /** How many calls of stubs may fail in one execution. Default: 0. */
  readonly failures?: number;
  /** How many parts of an execution may start between two microtasks, after a part has started or ended. Default: 0. */
  readonly maxMicrotaskStarts?: number;
  /** Fail if a part has not ended when the test ends. Default: a remark. */
  readonly strict?: boolean;
  /** Run only this schedule: the token of a failure. */
  readonly replay?: string;
}

/** Defines tests that run under every schedule. */
export interface EverySchedule {
  (name: string, body: (context: ScheduleContext) => unknown, options?: EveryScheduleOptions): void;
  /** Defines a test, and runs no others of the file. */
  only(name: string, body: (context: ScheduleContext) => unknown, options?: EveryScheduleOptions): void;
  /** Defines a test that is not run. */
  skip(name: string, body: (context: ScheduleContext) => unknown, options?: EveryScheduleOptions): void;
}

/** A test fails under a schedule and has no error of its own: a deadlock, for example. Also the cause of errors of a test. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

export const MAX_EXECUTIONS = 10_000;

/** What a test that passes has covered. */
interface Covered {
  readonly text: string;
  readonly isExhaustive: boolean;
}

interface BodyTest extends ReportedTest {
  readonly body: TestBody;
  readonly options: BodyExploreOptions;
  readonly coverage: EveryScheduleOptions['coverage'] | undefined;
  readonly replay: string | undefined;
}

/**
 * Runs a test body under every schedule. Throws the error of the first one that fails; otherwise returns what was covered.
 *
 * @example
 * await checkEverySchedule(async ({ spawn }) => {
 *   let sum = 0;
 *   const add = async () => {
 *     sum += 1;
 *   };
 *   await Promise.all([spawn('A', add), spawn('B', add)]);
 *   assert.equal(sum, 2);
 * });
 */
export async function checkEverySchedule(
  body: (context: ScheduleContext) => unknown,
  options: EveryScheduleOptions & {
    /** Names the failure in `.straightedge/`. */
    readonly name?: string;
  } = {},
): Promise<string> {
  const callSite = callSiteAbove(checkEverySchedule);
  const { name = body.name } = options;
  const { text } = await runBody(bodyTest(name, body, options, ownSettings(), callSite));
  return text;
}

/** Runs the body once and throws what the runner says of this execution alone, whatever earlier ones have left in its state. */
export type Execution = (body: () => unknown) => unknown;

/** What vitest and jest count while a test runs. */
interface AssertionState {
  readonly assertionCalls: number;
  readonly expectedAssertionsNumber: number | null;
  readonly isExpectingAssertions: boolean;
}

/** `expect` of vitest or jest. */
export interface CountingExpect {
  getState(): Partial<AssertionState>;
  setState(state: AssertionState): void;
}

const UNCOUNTED: AssertionState = {
  assertionCalls: 0,
  expectedAssertionsNumber: null,
  isExpectingAssertions: false,
};

/** `expect.assertions(n)` and `expect.hasAssertions()` hold for each execution. */
export const withAssertionsOf =
  (expect: CountingExpect): Execution =>
  async (body) => {
    expect.setState(UNCOUNTED);
    await body();
    const { assertionCalls, expectedAssertionsNumber, isExpectingAssertions } = {
      ...UNCOUNTED,
      ...expect.getState(),
    };
    const isOther = expectedAssertionsNumber !== null && assertionCalls !== expectedAssertionsNumber;
    if (!isOther && (!isExpectingAssertions || assertionCalls > 0)) return;
    // the runner does not report it again
    expect.setState(UNCOUNTED);
    const expected = isOther ? count(expectedAssertionsNumber, 'assertion') : 'at least 1 assertion';
    throw new Error(`expected ${expected}, but ${assertionCalls} ran`);
  };

/** `define` defines a test of a runner; its function returns the coverage. `command` runs a test file. */
export function everyScheduleWith(
  settings: Settings,
  command: string,
  define: (
    how: 'run' | 'only' | 'skip',
    name: string,
    timeout: number,
    run: (execution: Execution) => Promise<Covered>,
  ) => void,
): EverySchedule {
  const definer = (how: 'run' | 'only' | 'skip') => {
    const every: EverySchedule['only'] = (name, body, options = {}) => {
      const test = { ...bodyTest(name, body, options, settings, callSiteAbove(every)), command };
      define(how, name, testTimeout(test.options.timeout), (execution) =>
        runBody({ ...test, body: (context) => execution(() => body(context)) }),
      );
    };
    return every;
  };
  return Object.assign(definer('run'), { only: definer('only'), skip: definer('skip') });
}

function bodyTest(
  name: string,
  body: TestBody,
  options: EveryScheduleOptions,
  settings: Settings,
  callSite: CallSite,
): BodyTest {
  const { maxExecutions = MAX_EXECUTIONS, failures = 0, maxMicrotaskStarts = 0, strict = false } = options;
  const { timeout, seed, coverage } = testOptions(settings, options);
  const token = options.replay ?? process.env.STRAIGHTEDGE_REPLAY;
  const isOwn = options.replay !== undefined || (token !== undefined && parseToken(token).body === name);
  return {
    name,
    body,
    options: { timeout, maxExecutions, seed, failures, maxMicrotaskStarts, isStrict: strict },
    coverage,
    replay: isOwn ? token : undefined,
    callSite,
  };
}

async function runBody(test: BodyTest): Promise<Covered> {
  try {
    return test.replay === undefined ? await exploreTest(test) : await replayToken(test, test.replay);
  } catch (error) {
    if (error instanceof ScenarioError)
      error.stack = `${error.name}: ${error.message}${test.callSite.frames}`;
    throw error;
  }
}

/** Replays the saved failure; if it no longer happens, runs every schedule. */
async function exploreTest(test: BodyTest): Promise<Covered> {
  const { name, body, options, callSite } = test;
  const file = failureFile(name, callSite.file);
  if (existsSync(file)) {
    const { failed } = await replayBody(body, options, parseFailure(readFileSync(file, 'utf8')).schedule);
    if (failed)
      throw failing(test, failed, [`This failure was saved in ${file}. It runs first until it passes.`]);
    rmSync(file);
  }
  const result = await exploreBody(body, options);
  const { failed, executions, isWhole, isExhaustive, isConcurrent } = result;
  if (failed) {
    const text = failureText(bodyFailure(name, failed));
    if (text !== undefined) writeFailure(file, text);
    throw failing(test, failed, [
      `Found in execution ${grouped(executions)} of at most ${grouped(options.maxExecutions)}. Saved in ${file}; it runs first from now on.`,
    ]);
  }
  if (isWhole && !isConcurrent) throw located(new ScheduleError(VACUOUS), callSite);
  const text = coverageReport(result, options);
  if (test.coverage === 'exhaustive' && !isExhaustive)
    throw located(
      new ScheduleError(`${notExhaustive(isWhole ? result.replaced : undefined)}\n\n${text}`),
      callSite,
    );
  return { text, isExhaustive };
}

async function replayToken(test: BodyTest, token: string): Promise<Covered> {
  const failure = parseToken(token);
  const { failed, steps } = await replayBody(test.body, test.options, failure.schedule);
  if (failed) throw failing(test, failed, ['Replayed from a token.']);
  const step = divergence(failure, steps);
  if (step < 0) return { text: 'Replayed one schedule from a token: it passes now.', isExhaustive: false };
  throw located(
    new ScheduleError(
      `The test no longer follows the schedule of the token: macrotask ${step + 1} differs. Run the test without the token.`,
    ),
    test.callSite,
  );
}

/* What is thrown */

/** The error of the test with its schedule as the cause; a `ScheduleError` if the test has no error. */
function failing(test: BodyTest, failed: FailedSchedule, notes: readonly string[]): unknown {
  const { kind, error } = failed.failure;
  const text = failureReport(test, failed, notes);
  if (kind === 'deadlock' || kind === 'pending') return located(new ScheduleError(text), test.callSite);
  if (!isErrorLike(error))
    return located(new ScheduleError(`${printable(String(error))}\n\n${text}`), test.callSite);
  if (error.stack) error.stack = userStack(error.stack);
  let last = error;
  const causes = new Set<unknown>([error]);
  for (; isErrorLike(last.cause) && !causes.has(last.cause); last = last.cause) causes.add(last.cause);
  const cause = new ScheduleError(text);
  cause.stack = `${cause.name}: ${text}`;
  Object.defineProperty(last, 'cause', { value: cause, configurable: true, writable: true });
  return error;
}

/** The schedule that is the last cause of an error of a test. */
export function scheduleOf(error: unknown): string | undefined {
  const cause = isErrorLike(error) ? error.cause : undefined;
  if (cause instanceof ScheduleError) return cause.message;
  return isErrorLike(cause) ? scheduleOf(cause) : undefined;
}

/** Errors of jest are of another realm. */
const isErrorLike = (error: unknown): error is Error =>
  Object(error) === error && typeof (error as Error).message === 'string' && Object.isExtensible(error);

function located(error: ScheduleError, { frames }: CallSite): ScheduleError {
  error.stack = `${error.name}: ${error.message}${frames}`;
  return error;
}
