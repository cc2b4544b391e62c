/**
 * Explores a scenario for a test: replays its saved failure first, then explores until the time limit.
 *
 * A failure is saved in `.straightedge/` under the names of the test file and the scenario. It is deleted when it no
 * longer happens.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inOwnTask } from '../event-loop/own-task.js';
import { backendNameOf } from '../explore/choose-backend.js';
import { type Exploration, exploreSync } from '../explore/explore.js';
import { failureOf, failureText, parseFailure, replaySync } from '../explore/failure/failure.js';
import { shrinkSync } from '../explore/failure/shrink.js';
import { Deadline } from '../explore/model/deadline.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { sources } from '../report/common/step-ends.js';
import { NOT_EXHAUSTIVE, violationSummary } from '../report/common/verdict-words.js';
import { explorationText } from '../report/text/exploration.js';
import { replayText } from '../report/text/replay.js';
import { styleOf } from '../report/text/style.js';

/** Options of `assertHolds`, `testScenario` and `toHold`. */
export interface HoldOptions {
  /** The time limit: milliseconds, or a text such as `30s`. */
  readonly timeout?: number | string;
  /** The seed for random choices. Default: 1. */
  readonly seed?: number;
  /** Fail unless every schedule was explored. */
  readonly coverage?: 'exhaustive';
}

/** `HoldOptions` with every default filled in. */
export interface ResolvedOptions {
  /** In milliseconds. */
  readonly timeout: number;
  readonly seed: number;
  readonly coverage: HoldOptions['coverage'] | undefined;
}

interface ScenarioOutcome {
  readonly pass: boolean;
  /** The report of the violation, or the coverage. */
  readonly text: string;
}

const FOLDER = '.straightedge';
/** Milliseconds to shrink a failure. */
const SHRINKING = 2_000;

/** `testFile`: the path of the test, or an empty text. */
export function runScenario(
  scenario: Scenario,
  options: ResolvedOptions,
  testFile: string,
): Promise<ScenarioOutcome> {
  const kept = failureFile(scenario, testFile);
  return inOwnTask(() => replaySaved(scenario, kept) ?? exploreScenario(scenario, options, kept));
}

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
    pass: false,
    text: `${violationSummary(violation, given)}\n\n${replayText(report, styleOf({}))}\n\n  This failure was saved in ${file}. It runs first until it passes.\n${replayHint(file)}`,
  };
}

function exploreScenario(
  scenario: Scenario,
  { timeout, seed, coverage }: ResolvedOptions,
  kept: string,
): ScenarioOutcome {
  const exploration = exploreSync(scenario, { timeout, seed });
  const found = exploration.results.at(-1);
  if (found?.violation === undefined)
    return exploration.isSynchronous && scenario.backend === undefined
      ? VACUOUS
      : coverageOutcome(exploration, coverage);
  const smallest = shrinkSync(exploration.scenario, found, { seed }, new Deadline(SHRINKING));
  const { backend, violation = found.violation } = smallest;
  const isSaved = save(kept, smallest);
  const failure = {
    explored: smallest,
    trace: violation.kind === 'nondeterminism' ? undefined : backend.trace(violation.schedule),
  };
  const report = {
    file: 'scenario',
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
    pass: false,
    text: `${violationSummary(violation, scenario)}\n\n${explorationText(report, styleOf({}))}${again}`,
  };
}

/** A test that cannot fail tests nothing. */
const VACUOUS: ScenarioOutcome = {
  pass: false,
  text: `Every call returned without waiting. On one event loop such calls cannot interleave, so this test cannot fail.

  To explore the calls as threads over shared memory:
    1. Add \`backend: 'instrumented'\` to the scenario.
    2. In vitest.config.ts, add the plugin that instruments the class: plugins: [instrument({ globs: ['src/**'] })],
       with instrument from straightedge/explore. In other runners, use \`npx straightedge explore\` instead.
  To accept calls that cannot interleave: add \`backend: 'async'\` to the scenario.`,
};

/** The outcome without a violation: fails if exhaustive coverage was required and not reached. */
function coverageOutcome(exploration: Exploration, coverage: ResolvedOptions['coverage']): ScenarioOutcome {
  const report = {
    file: 'scenario',
    exploration,
    failure: undefined,
    sourceOf: sources(),
    saved: undefined,
    ms: { explore: 0 },
  };
  const isLess = coverage === 'exhaustive' && exploration.verdict !== 'holds';
  const text = explorationText(report, styleOf({}));
  return {
    pass: !isLess,
    text: isLess ? `${NOT_EXHAUSTIVE}\n\n${text}` : text,
  };
}

/** Returns false if the failure cannot be written as JSON. The module of the scenario is unknown. */
function save(file: string, smallest: Parameters<typeof failureOf>[1]): boolean {
  const failure = failureOf('', smallest);
  const text = failure && failureText(failure);
  if (text === undefined) return false;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, text);
  return true;
}

function failureFile({ name }: Scenario, testFile: string): string {
  const words = `${testFile && relative('.', testFile)} ${name}`.match(/[\p{L}\p{N}]+/gu) ?? [];
  return join(FOLDER, `${words.join('-')}.json`);
}

const replayHint = (file: string): string =>
  `  Replay: npx straightedge replay ${file} --scenario <module of the scenario>`;
