/** The report of a stress run, as text and as JSON. */
import { printable } from '../../base/values/show.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { StressResult } from '../../stress/stress.js';
import type { CheckedHistory, StressReport } from '../common/report-types.js';
import { count, grouped } from '../common/verdict-words.js';
import { type JsonDocument, jsonReport } from '../json/json.js';
import { textReport } from './report.js';
import { type Style, wrapWords } from './style.js';

export function stressText(report: StressReport, style: Style): string {
  const { file, scenario, stressed } = report;
  const { verdict, failure } = stressed;
  const name = style.faint(
    `${printable(file)}${style.strokes.line === '-' ? ', ' : ' · '}${printable(scenario.name)}`,
  );
  const wrapped = (text: string): string[] => wrapWords(text, style.width - 2).map((line) => `  ${line}`);
  const head = failure
    ? [textReport(resultOf(file, scenario, failure), style), '']
    : [
        verdict === 'holds'
          ? `${style.good(`${style.yes} no violation`)}  ${name}`
          : `${style.strong(`${style.unsure} undecided`)}  ${name}`,
        '',
      ];
  return [...head, ...stressNotes(report).flatMap(wrapped)].join('\n');
}

/** How much was run, and what follows from it, one sentence each. */
export function stressNotes({ scenario, stressed, saved }: StressReport): string[] {
  const { reason, failure, unknown } = stressed;
  return [
    ...(failure && saved !== undefined
      ? [
          `Round ${failure.round + 1} failed after ${seconds(failure.milliseconds)} s. The history is in ${printable(saved)}.`,
        ]
      : []),
    `${count(stressed.rounds, 'round')} (seed ${stressed.seed}), ${count(stressed.operations, 'operation')} in ${seconds(stressed.milliseconds)} s, ${perSecond(stressed)} per second.`,
    ...(stressed.operations > 0 ? [overlapText(stressed)] : []),
    ...(reason === 'time' ? [whyShort(scenario, stressed)] : []),
    ...stressed.abandoned.map(
      ({ round, reason: own }) => `Round ${round + 1} was abandoned: ${printable(own)}.`,
    ),
    ...Array.from(
      unknown,
      ([error, times]) =>
        `${count(times, 'call')} threw ${printable(error)} and may or may not have taken effect. If such calls never take effect, add to the scenario: outcome: (error) => error.name === '${printable(error)}' ? 'failed' : 'unknown'`,
    ),
  ];
}

/** Calls that never overlap show nothing about concurrency. */
const overlapText = ({ operations, overlapping }: StressResult): string =>
  overlapping === 0
    ? 'No two operations overlapped, so this run shows nothing about concurrent calls.'
    : `${grouped(overlapping)} of ${count(operations, 'operation')} overlapped another one.`;

function whyShort({ attach }: Scenario, { undecided, rounds }: StressResult): string {
  if (undecided > 0)
    return `${count(undecided, 'round')} could not be decided: shorten rounds with --calls-per-thread.`;
  if (rounds === 0 && attach)
    return 'Time limit reached in the first round, in which each thread loads the scenario. Try a larger --timeout, and check that the scenario loads in a worker thread.';
  return 'Time limit reached before all rounds were run: try a larger --timeout.';
}

export function stressDocument({ file, scenario, stressed, saved }: StressReport): JsonDocument {
  const {
    verdict,
    reason,
    seed,
    rounds,
    operations,
    overlapping,
    milliseconds,
    failure,
    abandoned,
    unknown,
  } = stressed;
  return {
    ...(failure && jsonReport(resultOf(file, scenario, failure))),
    file,
    verdict,
    scenario: scenario.name,
    seed,
    rounds,
    operations,
    overlapping,
    ms: { stress: Math.round(milliseconds), ...(failure && { found: Math.round(failure.milliseconds) }) },
    ...(failure && { round: failure.round }),
    ...(saved !== undefined && { saved }),
    ...(reason !== undefined && { reason }),
    ...(abandoned.length > 0 && { abandoned: abandoned }),
    ...(unknown.size > 0 && { unknown: Object.fromEntries(unknown) }),
  };
}

/** A round, as a check would report it. */
export const resultOf = (
  file: string,
  { spec }: Scenario,
  { history, verdict }: Pick<NonNullable<StressResult['failure']>, 'history' | 'verdict'>,
): CheckedHistory => ({
  file,
  spec: spec?.name ?? '',
  history,
  verdict,
  ms: { read: 0, check: 0 },
  ...(spec && { specOf: () => spec }),
});

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(milliseconds < 100 ? 3 : 1);

const perSecond = ({ operations, milliseconds }: StressResult): string =>
  grouped(Math.round((operations * 1_000) / Math.max(1, milliseconds)));
