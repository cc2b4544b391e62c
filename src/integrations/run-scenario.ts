/**
 * A scenario explored for a test: what failed last time first, then all there is time for.
 *
 * A failure is kept in `.straightedge/`, by the names of the test's file and the scenario, until it no longer happens.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inOwnTask } from '../event-loop/own-task.js';
import { backendNameOf } from '../explore/choose-backend.js';
import { type Exploration, exploreSync } from '../explore/explore.js';
import { failureOf, failureText, parseFailure, replaySync } from '../explore/failure/failure.js';
import { shrinkSync } from '../explore/failure/shrink.js';
import { Deadline } from '../explore/model/deadline.js';
import type { Violation } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { sources } from '../report/common/step-ends.js';
import { hasMeetings, noneGives } from '../report/common/verdict-words.js';
import { explorationText } from '../report/text/exploration.js';
import { replayText } from '../report/text/replay.js';
import { styleOf } from '../report/text/style.js';

/* What is wrong, in words that need no glossary. */

function firstLine(violation: Violation | undefined, scenario: Scenario): string {
  const meets = hasMeetings(scenario);
  switch (violation?.kind) {
    case 'wait':
      return meets
        ? 'A call is blocked forever, although no rendezvous of these calls leave it blocked.'
        : 'A call is blocked forever, although no sequential order of these calls blocks it.';
    case 'nondeterminism':
      return 'The same calls, one at a time, give different results from one run to the next.';
    default:
      return noneGives(meets);
  }
}

/** Options of `assertHolds`, `testScenario` and `toHold`. */
export interface HoldOptions {
  /** Milliseconds, or `30s`. */
  readonly timeout?: number | string;
  /** Which tests are chosen. */
  readonly seed?: number;
  /** Not even one schedule may be left out. */
  readonly coverage?: 'exhaustive';
}

/** The same, with nothing left to be decided. */
export interface ResolvedOptions {
  readonly milliseconds: number;
  readonly seed: number;
  readonly coverage: HoldOptions['coverage'] | undefined;
}

interface ScenarioOutcome {
  readonly pass: boolean;
  /** The report, or what was covered. */
  readonly text: string;
}

const FOLDER = '.straightedge';
const SHRINKING = 2_000;

/** `testFile`: where the test stands, or nothing. */
export function holding(
  scenario: Scenario,
  effort: ResolvedOptions,
  testFile: string,
): Promise<ScenarioOutcome> {
  const kept = fileOf(scenario, testFile);
  return inOwnTask(() => failedBefore(scenario, kept) ?? explored(scenario, effort, kept));
}

/** Does what failed last time fail again? */
function failedBefore(scenario: Scenario, file: string): ScenarioOutcome | undefined {
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
    text: `${firstLine(violation, given)}\n\n${replayText(report, styleOf({}))}\n\n  It has failed like this before: the case is in ${file}, and goes first until it passes.\n${againText(file)}`,
  };
}

function explored(
  scenario: Scenario,
  { milliseconds, seed, coverage }: ResolvedOptions,
  kept: string,
): ScenarioOutcome {
  const exploration = exploreSync(scenario, { timeout: milliseconds, seed });
  const found = exploration.results.at(-1);
  if (found?.violation === undefined) return covered(exploration, coverage);
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
    ? `\n\n  The case is in ${kept}, and goes first from now on.\n${againText(kept)}`
    : '';
  return {
    pass: false,
    text: `${firstLine(violation, scenario)}\n\n${explorationText(report, styleOf({}))}${again}`,
  };
}

/** Nothing was wrong; was enough tried? */
function covered(exploration: Exploration, coverage: ResolvedOptions['coverage']): ScenarioOutcome {
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
  return { pass: !isLess, text: isLess ? `Not everything could be tried in this time.\n\n${text}` : text };
}

/** Tells false where it can not be written down. Which module the scenario is the default export of, nobody knows. */
function save(file: string, smallest: Parameters<typeof failureOf>[1]): boolean {
  const failure = failureOf('', smallest);
  const text = failure && failureText(failure);
  if (text === undefined) return false;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, text);
  return true;
}

function fileOf({ name }: Scenario, testFile: string): string {
  const words = `${testFile && relative('.', testFile)} ${name}`.match(/[\p{L}\p{N}]+/gu) ?? [];
  return join(FOLDER, `${words.join('-')}.json`);
}

const againText = (file: string): string =>
  `  To run it again: npx straightedge replay ${file} --scenario <the module that exports it>`;
