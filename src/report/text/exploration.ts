/** The report of an exploration on a terminal: the verdict, the failing run, and what was covered. */
import { printable } from '../../base/values/show.js';
import type { AbandonedTest } from '../../explore/agenda.js';
import type { Exploration } from '../../explore/explore.js';
import type { LearnedRunText, LearnedStep, LearnedTest } from '../../explore/learning/learned-results.js';
import { NOT_LOCK_FREE, type ScheduleSize } from '../../explore/model/engine.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { TestResult, Violation } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { History } from '../../history/history.js';
import type { ExplorationReport } from '../common/report-types.js';
import {
  COMMAND,
  count,
  expectedBy,
  hasRendezvous,
  isLearned,
  violationTitle,
} from '../common/verdict-words.js';
import { blame } from '../sentences/blame.js';
import { type Reason, say } from '../sentences/words.js';
import { claimText, coverageText, MOST_PLACES, notesOf, unprovedTexts, verdictDetail } from './coverage.js';
import { explanationLines, markedBy } from './explanation.js';
import { interleaving } from './interleaving.js';
import { painted, type Style, styleOf, wrapWords } from './style.js';
import { drawTimeline, reasonLines } from './timeline.js';
import { alsoTexts, failedTexts, sequentialTexts } from './warnings.js';

const LONGEST_TOKEN = 400;
/** Of a test, this many learned runs are printed. */
const MOST_RUNS = 20;
export const NONDETERMINISM = 'If this is intended, accept both results with --allow-nondeterminism.';

/**
 * Converts an exploration to text.
 *
 * @example
 * const report = { file: 'pool.scenario.ts', exploration, failure: undefined, sourceOf: () => undefined, saved: undefined, ms: { explore: 0 } };
 * const text = explorationText(report);
 */
export function explorationText(report: ExplorationReport, style: Style = styleOf({})): string {
  const { exploration, failure } = report;
  const { verdict } = exploration;
  const detail = style.strong(
    exploration.proof?.problem === NOT_LOCK_FREE && exploration.reason === 'unproved'
      ? ': the object is not lock-free; everything else that you asked for is proved'
      : verdictDetail(exploration, style),
  );
  const isEnough = isSufficient(report);
  const mark = {
    holds: exploration.proof?.isProved
      ? style.good(`${style.yes} ${claimText(exploration.proof)}`)
      : style.good(`${style.yes} no violation`) + detail,
    violation: style.bad(
      `${style.no} ${violationInWords(failure?.explored.violation, exploration.scenario)}`,
    ),
    undecided: isEnough
      ? style.good(`${style.yes} no violation`) + style.strong(' in the required executions')
      : style.strong(`${style.unsure} undecided`) + detail,
  }[verdict];
  return [
    headline(report, style, mark),
    ...(failure ? ['', ...failureLines(failure.explored, failure.trace, report, style)] : []),
    ...againLines(report),
    ...learnedLines(exploration, style),
    '',
    ...wrapped(coverageText(exploration, style), style),
    ...foundTexts(exploration).flatMap((text) => wrapped(text, style)),
    ...sequentialTexts(exploration).flatMap((text) => wrapped(text, style)),
    ...alsoTexts(exploration).flatMap((text) => wrapped(text, style)),
    ...exploration.abandoned
      .slice(0, MOST_PLACES)
      .flatMap((one) => wrapped(abandonedText(one, style), style)),
    ...unprovedTexts(exploration.proof).flatMap((text) => wrapped(text, style)),
    ...(verdict === 'undecided' && exploration.reason !== 'unproved'
      ? (isEnough ? ['Not every schedule was covered.'] : failedTexts(exploration)).flatMap((text) =>
          wrapped(text, style),
        )
      : []),
    ...notesOf(exploration).flatMap((note) => wrapped(note, style).map(style.faint)),
  ].join('\n');
}

/** Where the violation comes from, if a proof was attempted and its search found it. */
function foundTexts({ verdict, proof }: Exploration): string[] {
  if (verdict !== 'violation' || proof?.counterexample === undefined || proof.problem) return [];
  const { counterexample, states = 0 } = proof;
  return [
    `Found by --prove, before any test, after ${count(states, 'state')} that ${count(counterexample.threads, 'thread')} can reach. This execution shows it.`,
  ];
}

/** Was the required number of executions run, though not every schedule? No assumption may have failed otherwise. */
export function isSufficient({
  exploration: { verdict, reason, results, assumptions },
  requiredExecutions,
}: Pick<ExplorationReport, 'exploration' | 'requiredExecutions'>): boolean {
  const executions = results.reduce((total, one) => total + one.schedules, 0);
  const failed = assumptions.filter(({ status }) => status === 'failed');
  const isLimited = verdict === 'undecided' && reason === 'executions' && failed.length === 1;
  return isLimited && requiredExecutions !== undefined && executions >= requiredExecutions;
}

/** The commands that replay the failure; a token that is too long to copy is left out. */
function againLines({ file, saved }: ExplorationReport): string[] {
  if (saved === undefined) return [];
  const path = `  Replay:  ${COMMAND} replay ${printable(saved.path)}`;
  if (saved.token.length > LONGEST_TOKEN) return ['', path];
  return ['', path, `      or:  ${COMMAND} replay ${saved.token} --scenario ${printable(file)}`];
}

function headline({ file, exploration, failure }: ExplorationReport, style: Style, mark: string): string {
  const { scenario, results } = exploration;
  const matrix = (failure?.explored ?? results.at(-1))?.test;
  const facts = [
    file,
    scenario.name,
    expectedBy(scenario),
    ...(matrix && failure ? [shape(matrix, failure.trace, failure.explored.backend.name)] : []),
  ];
  return `${mark}  ${style.faint(facts.map(printable).join(style.strokes.line === '-' ? ', ' : ' · '))}`;
}

/** Threads and calls. After a call that throws or is aborted, a thread may make fewer than the test has. Main makes those before and after. */
export function shape(
  { threads, before, after }: TestResult['test'],
  trace: Trace | undefined,
  backend: TestResult['backend']['name'],
): string {
  const calls = threads.flat().length;
  const ofMain = before.length + after.length;
  const made = trace ? [...trace.history].filter(({ process }) => process !== 'main').length : calls;
  const shared = backend === 'instrumented' ? ' over shared memory' : '';
  return `${count(threads.length, 'thread')}${shared}, ${count(calls, 'call')}${made < calls ? `, ${made} made` : ''}${ofMain > 0 ? `, and ${ofMain} of main` : ''}`;
}

export function violationInWords(
  violation: Violation | undefined,
  scenario: Pick<Scenario, 'spec' | 'tests'>,
): string {
  if (violation?.kind === 'nondeterminism') return 'not deterministic';
  if (violation?.kind === 'uncaught') return 'uncaught error';
  if (violation?.kind === 'outcome' && scenario.tests) return 'broken guarantee';
  return violation?.kind === 'wait' ? 'blocked forever' : violationTitle(hasRendezvous(scenario));
}

type FailureReport = Pick<ExplorationReport, 'sourceOf' | 'explained' | 'explainFault'> & {
  readonly exploration: Pick<Exploration, 'scenario'>;
};

export function failureLines(
  { violation, test }: TestResult,
  trace: Trace | undefined,
  { exploration: { scenario }, sourceOf, explained, explainFault }: FailureReport,
  style: Style,
): string[] {
  if (violation?.kind === 'nondeterminism')
    return [
      ...wrapped('The same calls in the same sequential order gave two different results:', style),
      ...violation.histories.flatMap((history) => ['', ...drawn(history, history.length - 1, style)]),
      '',
      ...wrapped(NONDETERMINISM, style),
    ];
  if (!violation || !trace) return [];
  const { history } = trace;
  const { fault, verdict, reason } = blame(violation, trace, scenario, test);
  const counterexample = verdict?.kind === 'violation' ? verdict.counterexample : undefined;
  return [
    ...drawn(history, fault, style),
    '',
    ...(counterexample
      ? reasonLines(counterexample, history, style).map((line) => `  ${line}`)
      : wrapped(painted(reason, style), style)),
    ...nearestLines(violation, scenario, style),
    '',
    ...interleaving(trace, fault, sourceOf, style, markedBy(explained)).map((line) => `  ${line}`),
    ...smallestTexts(violation).flatMap((text) => ['', ...wrapped(text, style)]),
    ...(explained ? ['', ...explanationLines(explained, trace, sourceOf, style)] : []),
    ...(explainFault === undefined ? [] : ['', ...wrapped(explainFault, style)]),
  ];
}

const NEAREST = 'Nearest run of the calls one at a time:';

const nearestOf = (violation: Violation, { backend }: Pick<Scenario, 'backend'>): readonly LearnedStep[] =>
  (backend === 'async' && 'nearest' in violation && violation.nearest) || [];

function nearestLines(violation: Violation, scenario: Scenario, style: Style): string[] {
  const steps = nearestOf(violation, scenario);
  return steps.length === 0 ? [] : ['', `  ${NEAREST}`, ...runLines(steps, style)];
}

/** The same as one sentence, for pages. */
export function nearestReason(violation: Violation, scenario: Scenario): Reason[] {
  const steps = nearestOf(violation, scenario);
  if (steps.length === 0) return [];
  const lines = runLines(steps, styleOf({})).map((line) => line.trim().replace(/ {2,}/g, ' '));
  return [{ sentence: say`${NEAREST}`, steps: lines.map((line) => say`${line}`) }];
}

/** A learned run, one step a line. An arrow leads to the calls that a step completes. */
function runLines(steps: readonly LearnedStep[], { strokes: { gives, line } }: Style): string[] {
  const ended = (text: string, result: string | undefined): string =>
    printable(result === undefined || result === 'undefined' ? text : `${text} ${gives} ${result}`);
  const lines = steps.map(({ process = '', text, result, completes }) => {
    const own = `${process && `${process}  `}${ended(text, result)}${process && result === undefined ? ' waits' : ''}`;
    const others = completes.map((other) => `${other.process}  ${ended(other.text, other.result)}`);
    return [own, ...(others.length > 0 ? [others.join(', ')] : [])];
  });
  const width = Math.max(...lines.map(([own, others]) => (others ? own.length : 0)));
  return lines.map(([own, others]) =>
    others ? `    ${own.padEnd(width)}  ${line}${line}${gives}  ${others}` : `    ${own}`,
  );
}

/** With `showLearned`: the learned runs of each test, and the calls that end in none. */
function learnedLines({ learned, neverEnded, scenario }: Exploration, style: Style): string[] {
  if (learned.length === 0) return [];
  if (learned.every(({ runs }) => runs.length === 0))
    return [
      '',
      ...wrapped(
        isLearned(scenario)
          ? 'No run was learned completely.'
          : 'Nothing was learned: a spec gives the expected results.',
        style,
      ),
    ];
  const title = ({ calls, runs, hasMore }: LearnedTest): string =>
    `Learned from ${hasMore ? 'more than ' : ''}${count(runs.length, 'run')} of ${calls.map((own) => own.join(', ')).join(' | ')}:`;
  const ending = ({ isBlocked }: LearnedRunText): string[] =>
    isBlocked ? ['    and nothing more happens'] : [];
  return [
    ...learned.flatMap((test) => [
      '',
      ...wrapped(printable(title(test)), style),
      ...test.runs.slice(0, MOST_RUNS).flatMap((run) => ['', ...runLines(run.steps, style), ...ending(run)]),
      ...(test.runs.length > MOST_RUNS
        ? ['', ...wrapped(`See --json for ${count(test.runs.length - MOST_RUNS, 'more run')}.`, style)]
        : []),
    ]),
    ...(neverEnded.length === 0 ? ['', ...wrapped('Every call ended in some run.', style)] : []),
  ];
}

const drawn = (history: History, fault: number, style: Style): string[] =>
  drawTimeline(history, fault, style).map((line) => `  ${line}`);

/** The test by its number and calls, and the reason. */
function abandonedText(
  { batch: { threads, callsPerThread, tests }, test, reason }: AbandonedTest,
  { times }: Style,
): string {
  const calls = tests[test].threads.map((column) => column.map(([method]) => method).join(', '));
  return `Abandoned: test ${test} with ${threads}${times}${callsPerThread} calls (${printable(calls.join(' | '))}): ${printable(reason)}.`;
}

const wrapped = (text: string, style: Style): string[] =>
  wrapWords(text, style.width - 2).map((line) => `  ${line}`);

/** The size of a failing schedule, if it was compared with all others. */
export const smallestTexts = ({ smallest }: { readonly smallest?: ScheduleSize | undefined }): string[] =>
  smallest
    ? [
        `No failing schedule of these calls is smaller: ${count(smallest.preemptions, 'preemption')}, ${count(smallest.switches, 'switch', 'switches')}, ${count(smallest.steps, 'step')}, compared in this order.`,
      ]
    : [];
