/**
 * A scenario as a test, in any runner: replays its saved failure first, then explores until the time limit.
 *
 * A failure is saved in `.straightedge/` under the names of the test file and the scenario. It is deleted when it no
 * longer happens. The settings of `straightedge.config.ts` apply; options of a test replace them. They cannot give a matcher
 * more than one second: the runner's own time limit would end the test first.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Limits } from '../check/model/budget.js';
import { loadConfig } from '../config/load-config.js';
import { ourselves } from '../config/load-module.js';
import { parseSize, parseTime, readSetting } from '../config/usage-error.js';
import { expectNode, inOwnTask } from '../event-loop/own-task.js';
import { callerAt } from '../execution/callers.js';
import { stepsFor } from '../explore/backend.js';
import { backendNameOf } from '../explore/choose-backend.js';
import { type Exploration, exploreSync } from '../explore/explore.js';
import { failureOf, failureText, parseFailure, replaySync } from '../explore/failure/failure.js';
import { shrinkSync } from '../explore/failure/shrink.js';
import { plainInRunner, plainOf } from '../explore/learning/plain-code.js';
import { Deadline } from '../explore/model/deadline.js';
import { isExhaustive, limitedInputs } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { notExhaustive, violationSummary } from '../report/common/verdict-words.js';
import { explorationText } from '../report/text/exploration.js';
import { sources } from '../report/text/interleaving.js';
import { replayText } from '../report/text/replay.js';
import { styleOf } from '../report/text/style.js';

/** Options of `assertHolds`, `testScenario` and `toHold`. */
export interface HoldOptions {
  /** The time limit: milliseconds, or a text such as `30s`. */
  readonly timeout?: number | string;
  /** The seed for random choices. Default: 1. */
  readonly seed?: number;
  /** Abandon a run after this many steps. Default: 2,000 accesses of threads, or 100 macrotasks of asynchronous code. */
  readonly maxSteps?: number | undefined;
  /** Fail unless every schedule was explored. */
  readonly coverage?: 'exhaustive';
}

/** `HoldOptions` with every default filled in. */
export interface ResolvedOptions {
  /** In milliseconds. */
  readonly timeout: number;
  readonly seed: number;
  readonly maxSteps?: number | undefined;
  readonly coverage: HoldOptions['coverage'] | undefined;
}

interface ScenarioOutcome {
  /** A scenario that cannot fail, or that was not covered as required, is inconclusive. */
  readonly kind: 'holds' | 'violation' | 'inconclusive';
  /** The report of the violation, or the coverage. */
  readonly text: string;
}

const FOLDER = '.straightedge';
/** Milliseconds to shrink a failure, less than the limits of test runners; steps usually end it before. */
const SHRINKING = 2_000;
const SHRINKING_STEPS = 0.3;

/** `testFile`: the path of the test, or an empty text. */
export async function runScenario(
  scenario: Scenario,
  options: ResolvedOptions,
  testFile: string,
): Promise<ScenarioOutcome> {
  const kept = failureFile(scenario.name, testFile);
  const compared = await comparable(scenario);
  return inOwnTask(
    () => replaySaved(compared, kept) ?? exploreScenario(compared, options, kept, shownName(testFile)),
  );
}

/** The scenario, with its code without instrumentation if a plugin has instrumented the files that the test imports. */
async function comparable(scenario: Scenario): Promise<Scenario> {
  if (scenario.backend !== 'instrumented' || plainOf(scenario) !== undefined) return scenario;
  return { ...scenario, plain: plainInRunner(scenario, await ourselves()) };
}

/** The test stands for the file of its scenario, which is unknown. */
const shownName = (testFile: string): string => (testFile === '' ? 'scenario' : relative('.', testFile));

/** Replays the saved failure; returns undefined if there is none or it no longer happens. */
function replaySaved(scenario: Scenario, file: string): ScenarioOutcome | undefined {
  if (!existsSync(file)) return undefined;
  const failure = parseFailure(readFileSync(file, 'utf8'));
  const given: Scenario = { ...scenario, backend: backendNameOf(scenario) };
  const replayed = replaySync(given, failure);
  if (replayed.kind !== 'reproduced') {
    rmSync(file);
    return undefined;
  }
  const { backend, violation } = replayed.result;
  const report = {
    file,
    scenario: given,
    replayed,
    trace: backend.trace(failure.schedule),
    sourceOf: sources(),
  };
  return {
    kind: 'violation',
    text: `${violationSummary(violation, given)}\n\n${replayText(report, styleOf({}))}\n\n  This failure was saved in ${file}. It runs first until it passes.\n${replayHint(file)}`,
  };
}

function exploreScenario(
  scenario: Scenario,
  { timeout, seed, maxSteps, coverage }: ResolvedOptions,
  kept: string,
  file: string,
): ScenarioOutcome {
  const exploration = exploreSync(scenario, { timeout, seed, maxSteps });
  const found = exploration.results.at(-1);
  if (found?.violation === undefined)
    return exploration.isSynchronous && scenario.backend === undefined
      ? VACUOUS
      : coverageOutcome(exploration, coverage, file);
  const stepBudget = stepsFor({ backend: found.backend.name }, SHRINKING_STEPS);
  const limits = { seed, maxSteps, stepBudget };
  const smallest = shrinkSync(exploration.scenario, found, limits, new Deadline(SHRINKING));
  const { backend, violation = found.violation } = smallest;
  const isSaved = save(kept, smallest);
  const failure = {
    explored: smallest,
    trace: violation.kind === 'nondeterminism' ? undefined : backend.trace(violation.schedule),
  };
  const report = {
    file,
    exploration,
    failure,
    sourceOf: sources(),
    saved: undefined,
    ms: { explore: 0 },
  };
  const again = isSaved
    ? `\n\n  The failure is saved in ${kept}. It runs first from now on.\n${replayHint(kept)}`
    : '';
  return {
    kind: 'violation',
    text: `${violationSummary(violation, scenario)}\n\n${explorationText(report, styleOf({}))}${again}`,
  };
}

/** A test that cannot fail tests nothing. */
const VACUOUS: ScenarioOutcome = {
  kind: 'inconclusive',
  text: `Every call returned without waiting. On one event loop such calls cannot interleave, so this test cannot fail.

  To explore the calls as threads over shared memory:
    1. Add \`backend: 'instrumented'\` to the scenario.
    2. In vitest.config.ts, add the plugin that instruments the class: plugins: [instrument({ globs: ['src/**'] })],
       with instrument from straightedge/explore. In other runners, use \`npx straightedge explore\` instead.
  To accept calls that cannot interleave: add \`backend: 'async'\` to the scenario.`,
};

/** The outcome without a violation: fails if no call returned, or exhaustive coverage was required and not reached. */
function coverageOutcome(
  exploration: Exploration,
  coverage: ResolvedOptions['coverage'],
  file: string,
): ScenarioOutcome {
  const report = {
    file,
    exploration,
    failure: undefined,
    sourceOf: sources(),
    saved: undefined,
    ms: { explore: 0 },
  };
  const isLess = coverage === 'exhaustive' && !isExhaustive(exploration.assumptions);
  const text = explorationText(report, styleOf({}));
  return {
    kind: isLess || exploration.reason === 'blocked' ? 'inconclusive' : 'holds',
    text: isLess ? `${notExhaustive(limitedInputs(exploration))}\n\n${text}` : text,
  };
}

/** Returns false if the failure cannot be written as JSON. The module of the scenario is unknown. */
function save(file: string, smallest: Parameters<typeof failureOf>[1]): boolean {
  const failure = failureOf('', smallest);
  const text = failure && failureText(failure);
  if (text === undefined) return false;
  writeFailure(file, text);
  return true;
}

export function writeFailure(file: string, text: string): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, text);
}

/** The file for the failure of a test with this name. */
export function failureFile(name: string, testFile: string): string {
  const words = `${testFile && relative('.', testFile)} ${name}`.match(/[\p{L}\p{N}]+/gu) ?? [];
  return join(FOLDER, `${words.join('-')}.json`);
}

const replayHint = (file: string): string =>
  `  Replay: npx straightedge replay ${file} --scenario PATH_OF_THE_SCENARIO`;

/* Settings */

export interface Settings {
  /** In milliseconds. */
  readonly timeout?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxSteps?: number | undefined;
  readonly maxMemory?: number | undefined;
}

/** Default time limits in milliseconds. That of matchers is below the limits of test runners; mocha's is 2 s. */
const MATCHER_TIMEOUT = 1_000;
const TEST_TIMEOUT = 30_000;

export function settingsFrom(folder: string): Settings {
  const loaded = loadConfig(folder);
  if (loaded === undefined) return {};
  const { file, config } = loaded;
  const { timeout, maxMemory, seed, maxSteps } = config;
  return {
    timeout: timeout === undefined ? undefined : readSetting(file, 'timeout', () => parseTime(timeout)),
    maxMemory:
      maxMemory === undefined ? undefined : readSetting(file, 'maxMemory', () => parseSize(maxMemory)),
    seed,
    maxSteps,
  };
}

let settings: Settings | undefined;

/** The settings for the current folder; read once. */
export function ownSettings(): Settings {
  settings ??= settingsFrom(process.cwd());
  return settings;
}

/** The options of a matcher. */
export const matcherOptions = (settings: Settings, options: HoldOptions = {}): ResolvedOptions =>
  resolveOptions(settings, options, Math.min(settings.timeout ?? MATCHER_TIMEOUT, MATCHER_TIMEOUT));

/** The options of a test with a time limit of its own. */
export const testOptions = (settings: Settings, options: HoldOptions): ResolvedOptions =>
  resolveOptions(settings, options, settings.timeout ?? TEST_TIMEOUT);

function resolveOptions(settings: Settings, options: HoldOptions, defaultTimeout: number): ResolvedOptions {
  const {
    timeout = defaultTimeout,
    seed = settings.seed ?? 1,
    maxSteps = settings.maxSteps,
    coverage,
  } = options;
  return { timeout: typeof timeout === 'number' ? timeout : parseTime(timeout), seed, maxSteps, coverage };
}

/** The limits of a check. */
export function limitsWith({ timeout, maxMemory }: Settings, limits: Limits = {}): Limits {
  return { timeout, maxMemory, ...limits };
}

/* Tests */

/** The line of the user's test, which a failure points to. */
export interface CallSite {
  /** Empty if it is unknown. */
  readonly file: string;
  /** The lines of the stack, from the line of the user on. */
  readonly frames: string;
}

/** Returns the caller of `ours`. */
export function callSiteAbove(ours: (...args: never[]) => unknown): CallSite {
  expectNode();
  const captured: { stack?: string } = {};
  Error.captureStackTrace(captured, ours);
  const { stack = '' } = captured;
  const first = stack.search(/\n\s+at /);
  return { file: callerAt().file, frames: first < 0 ? '' : stack.slice(first) };
}

/** A scenario has a violation; the message is the report. */
export class ScenarioViolationError extends Error {
  override readonly name = 'ScenarioViolationError';
}

/** A scenario has no violation, but it cannot fail, or was not covered as required; the message says why. */
export class NotCoveredError extends Error {
  override readonly name = 'NotCoveredError';
}

/**
 * Explores a scenario, throws the report of the first violation, and otherwise returns what was covered.
 *
 * @example
 * await assertHolds(
 *   scenario({ backend: 'instrumented', create: () => new Set<number>(), calls: [['add', 1], ['has', 1]] }),
 *   { timeout: '5s' },
 * );
 */
export async function assertHolds(
  scenario: Scenario,
  options: HoldOptions = {},
  testFile?: string,
): Promise<string> {
  const { file, frames } = callSiteAbove(assertHolds);
  return assertHoldsAt(scenario, matcherOptions(ownSettings(), options), {
    file: testFile ?? file,
    frames,
  });
}

async function assertHoldsAt(
  scenario: Scenario,
  options: ResolvedOptions,
  { file, frames }: CallSite,
): Promise<string> {
  const { kind, text } = await runScenario(scenario, options, file);
  if (kind === 'holds') return text;
  const error = new (kind === 'violation' ? ScenarioViolationError : NotCoveredError)(text);
  error.stack = `${error.name}: ${text}${frames}`;
  throw error;
}

interface ScenarioTest {
  /** The time limit for the runner, in milliseconds. */
  readonly timeout: number;
  /** Returns the coverage; throws the report of a violation. */
  readonly run: () => Promise<string>;
}

/** Milliseconds beyond the exploration: loading, shrinking, writing. */
const GRACE = 10_000;

/** The time limit for the runner, of a test that explores for `timeout`. */
export const testTimeout = (timeout: number): number => timeout + GRACE;

export function toTest(
  scenario: Scenario,
  options: HoldOptions,
  settings: Settings,
  callSite: CallSite,
): ScenarioTest {
  const resolved = testOptions(settings, options);
  return { timeout: testTimeout(resolved.timeout), run: () => assertHoldsAt(scenario, resolved, callSite) };
}
