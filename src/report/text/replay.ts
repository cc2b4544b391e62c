/** The answer of a replay for people. */
import { printable } from '../../base/index.js';
import type { FailureStep, Replayed, Scenario, Trace } from '../../explore/index.js';
import type { Explained } from '../cause-words.js';
import { failureLines } from './exploration.js';
import type { SourceOf } from './interleaving.js';
import type { Style } from './style.js';
import { wrapWords } from './wrap.js';

export interface ReplayReport {
  readonly file: string;
  readonly scenario: Scenario;
  readonly replayed: Replayed;
  /** Where the code follows: how it went. */
  readonly trace: Trace | undefined;
  readonly sourceOf: SourceOf;
  readonly explained?: Explained | undefined;
}

export function replayText(
  { file, scenario, replayed, trace, sourceOf, explained }: ReplayReport,
  style: Style,
): string {
  const name = style.faint(`${printable(file)}${style.strokes.line === '-' ? ', ' : ' · '}${scenario.name}`);
  switch (replayed.kind) {
    case 'reproduced':
      return [
        `${style.bad(`${style.no} reproduced`)}  ${name}`,
        '',
        ...failureLines(replayed.explored, trace, { exploration: { scenario }, sourceOf, explained }, style),
      ].join('\n');
    case 'passes':
      return `${style.good(`${style.yes} passes now`)}  ${name}`;
    case 'diverged':
      return [
        `${style.strong(`${style.unsure} diverged`)}  ${name}`,
        '',
        ...wrapWords(
          `The code no longer follows the schedule. Step ${replayed.step + 1}${replayed.before ? ` was: ${stepText(replayed.before)}. Now it` : ''} is: ${stepText(replayed.now)}. Explore the scenario again to see whether it is still wrong.`,
          style.width - 2,
        ).map((line) => `  ${line}`),
      ].join('\n');
  }
}

function stepText(step: FailureStep | undefined): string {
  if (!step) return 'none';
  return printable(`${String.fromCharCode(65 + step.thread)} ${step.access} (${step.place})`);
}
