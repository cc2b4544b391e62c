/** The answer of a stress run, for people and for programs. */
import { printable } from '../../base/index.js';
import type { Scenario, Stressed } from '../../explore/index.js';
import { type JsonDocument, jsonDocument } from '../json.js';
import { count } from '../number.js';
import type { Result } from '../result.js';
import { textReport } from './report.js';
import type { Style } from './style.js';
import { wrapWords } from './wrap.js';

export interface StressReport {
  readonly file: string;
  readonly scenario: Scenario;
  readonly stressed: Stressed;
  /** The file of the history, if something was wrong. */
  readonly saved: string | undefined;
}

export function stressText({ file, scenario, stressed, saved }: StressReport, style: Style): string {
  const { verdict, because, failure, unknown } = stressed;
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
  return [
    ...head,
    ...(failure && saved !== undefined
      ? wrapped(
          `Round ${failure.round + 1}, after ${seconds(failure.milliseconds)} s. The history is in ${printable(saved)}.`,
        )
      : []),
    ...wrapped(
      `${count(stressed.rounds, 'round')} (seed ${stressed.seed}), ${count(stressed.operations, 'operation')} in ${seconds(stressed.milliseconds)} s, ${perSecond(stressed)} a second.`,
    ),
    ...(because === 'time'
      ? wrapped(
          stressed.undecided > 0
            ? `${count(stressed.undecided, 'round')} could not be decided: make rounds shorter with --calls-per-thread.`
            : 'Time ran out before all rounds were run: try a longer --timeout.',
        )
      : []),
    ...stressed.setAside.flatMap(({ round, why }) =>
      wrapped(`Round ${round + 1} was set aside: ${printable(why)}.`),
    ),
    ...Array.from(unknown).flatMap(([error, times]) =>
      wrapped(
        `${count(times, 'call')} ended in ${printable(error)}, and may have happened or not. If they have not: outcome: (error) => error.name === '${printable(error)}' ? 'failed' : 'unknown'`,
      ),
    ),
  ].join('\n');
}

export function stressDocument({ file, scenario, stressed, saved }: StressReport): JsonDocument {
  const { verdict, because, seed, rounds, operations, milliseconds, failure, setAside, unknown } = stressed;
  return {
    ...(failure && jsonDocument(resultOf(file, scenario, failure))),
    file,
    verdict,
    scenario: scenario.name,
    seed,
    rounds,
    operations,
    ms: { stress: Math.round(milliseconds), ...(failure && { found: Math.round(failure.milliseconds) }) },
    ...(failure && { round: failure.round }),
    ...(saved !== undefined && { saved }),
    ...(because !== undefined && { because }),
    ...(setAside.length > 0 && { setAside }),
    ...(unknown.size > 0 && { unknown: Object.fromEntries(unknown) }),
  };
}

const resultOf = (
  file: string,
  { spec }: Scenario,
  { history, verdict }: NonNullable<Stressed['failure']>,
): Result => ({
  file,
  spec: spec?.name ?? '',
  history,
  verdict,
  ms: { read: 0, check: 0 },
});

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);

const perSecond = ({ operations, milliseconds }: Stressed): string =>
  Math.round((operations * 1_000) / Math.max(1, milliseconds)).toString();
