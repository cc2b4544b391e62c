/** An explanation on a terminal: sentences coloured and wrapped, with the steps of linearizations indented below. */
import type { Counterexample } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';
import { reasons } from '../sentences/reasons.js';
import type { Sentence } from '../sentences/sentence.js';
import { type Style, wrapItems, wrapWords } from './style.js';

export function reasonLines(counterexample: Counterexample, history: History, style: Style): string[] {
  const signs = { gives: style.strokes.gives, ellipsis: style.ellipsis };
  return reasons(counterexample, history, signs).flatMap(({ sentence, steps = [] }) => [
    ...wrapWords(painted(sentence, style), style.width - 2),
    ...(steps.length === 0
      ? []
      : wrapItems(
          steps.map((step) => painted(step, style)),
          style.width - 6,
        ).map((line) => `  ${line}`)),
  ]);
}

export const painted = (sentence: Sentence, style: Style): string =>
  sentence.map(({ text, tone }) => (tone ? style[tone](text) : text)).join('');
