/** The report of a replay on a terminal. */
import { printable } from '../../base/values/show.js';
import type { FailureStep } from '../../explore/backend.js';
import type { ReplayResult } from '../../explore/failure/failure.js';
import type { ReplayReport } from '../common/report-types.js';
import { COMMAND } from '../common/verdict-words.js';
import { failureLines } from './exploration.js';
import { type Style, wrapWords } from './style.js';

export function replayText(
  { file, scenario, path, replayed, trace, sourceOf, explained, explainFault }: ReplayReport,
  style: Style,
): string {
  const name = style.faint(`${printable(file)}${style.strokes.line === '-' ? ', ' : ' · '}${scenario.name}`);
  switch (replayed.kind) {
    case 'reproduced':
      return [
        `${style.bad(`${style.no} reproduced`)}  ${name}`,
        '',
        ...failureLines(
          replayed.result,
          trace,
          { exploration: { scenario }, sourceOf, explained, explainFault },
          style,
        ),
      ].join('\n');
    case 'passes':
      return `${style.good(`${style.yes} passes now`)}  ${name}`;
    case 'diverged':
      return [
        `${style.strong(`${style.unsure} undecided: the code no longer follows the saved schedule`)}  ${name}`,
        '',
        ...divergedTexts(replayed, path).flatMap((text) =>
          wrapWords(text, style.width - 2).map((line) => `  ${line}`),
        ),
      ].join('\n');
  }
}

/** How the run diverged. That does not show whether the failure is repaired. `path`: the scenario. */
export function divergedTexts(
  { step, before, now }: Extract<ReplayResult, { kind: 'diverged' }>,
  path = 'the scenario',
): string[] {
  const was = before ? ` It was: ${stepText(before)}.` : '';
  return [
    `The schedule no longer leads to the failure: the code behaves differently at step ${step + 1}.${was} ${now ? `Now it is: ${stepText(now)}.` : 'Now the run ends before it.'}`,
    `The failure may be repaired, or another schedule may still lead to it. To find out, run: ${COMMAND} explore ${printable(path)}`,
  ];
}

function stepText(step: FailureStep): string {
  return printable(`${String.fromCharCode(65 + step.thread)} ${step.access} (${step.place})`);
}
