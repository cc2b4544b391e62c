/** The root cause on a terminal: the lines that must be atomic with a bar beside them, the interruptions, the trial, and alternatives. */
import { printableSource } from '../../base/values/show.js';
import { Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import type { Trace, TraceStep } from '../../explore/model/trace-types.js';
import { type BlamedBlock, interruptions } from '../../root-cause/blamed-block.js';
import type { Explanation } from '../../root-cause/explain.js';
import type { Explained, SourceOf } from '../common/report-types.js';
import { count } from '../common/verdict-words.js';
import {
  basisText,
  betweenSentence,
  blameText,
  noCauseText,
  otherText,
  partialText,
  repairText,
  testsText,
  verificationText,
} from '../sentences/root-cause.js';
import { painted, type Style, wrapWords } from './style.js';

/** Lines shown before and after a block. */
const AROUND = 1;
const MOST_OTHERS = 4;

/** Does a step belong to a block of the first repair? Such steps are marked. */
export function markedBy(explained: Explained | undefined): (step: TraceStep) => boolean {
  if (explained === undefined) return () => false;
  const [first] = explained.explanation.repairs;
  if (first === undefined) return () => false;
  const blocks = new Blocks(first.repair, explained.placeOf);
  return ({ levels }) => blocks.runOf(levels) !== NO_RUN;
}

export function explanationLines(
  explained: Explained,
  trace: Trace,
  sourceOf: SourceOf,
  style: Style,
): string[] {
  const wrapped = (text: string): string[] => wrapWords(text, style.width - 2).map((line) => `  ${line}`);
  const { explanation, linesOf, placeOf } = explained;
  const [first] = explanation.repairs;
  if (first === undefined)
    return [
      ...wrapped(noCauseText(explained)),
      ...testsText(explained).flatMap(wrapped),
      ...insteadTexts(explanation).flatMap(wrapped),
    ];
  const signs = { gives: style.strokes.gives, ellipsis: style.ellipsis };
  const between = interruptions(trace, first.repair, placeOf).map((one) =>
    painted(betweenSentence(one, trace, sourceOf, signs), style),
  );
  return [
    ...wrapped(blameText(first, explanation)),
    ...first.repair.flatMap((block) => ['', ...sourceLines(block, linesOf(block.file), style)]),
    '',
    ...[...new Set(between)].flatMap(wrapped),
    ...wrapped(verificationText(first, explained)),
    ...testsText(explained).flatMap(wrapped),
    ...insteadTexts(explanation).flatMap(wrapped),
    ...wrapped(basisText(explanation)),
  ];
}

function sourceLines({ start, end }: BlamedBlock, lines: readonly string[], style: Style): string[] {
  const from = Math.max(1, start.line - AROUND);
  const to = Math.min(lines.length, end.line + AROUND);
  const width = String(to).length;
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const line = from + i;
    const isBlamed = start.line <= line && line <= end.line;
    const text = `${String(line).padStart(width)}  ${printableSource(lines[line - 1] ?? '')}`.trimEnd();
    return `  ${isBlamed ? style.bad(style.bar) : ' '} ${isBlamed ? text : style.faint(text)}`;
  });
}

/** Other repairs. */
function insteadTexts(explanation: Explanation): string[] {
  const { repairs, refuted, partial } = explanation;
  const others = [...repairs.slice(1), ...refuted].slice(0, MOST_OTHERS);
  const all = [
    ...others.map((one) => ({ ...one, what: otherText(one) })),
    ...partial.map((one) => ({ ...one, what: partialText(one, explanation) })),
  ];
  const labelled = [...repairs, ...all].map(({ repair }) => repair);
  const texts = all.map(
    ({ repair, what, forbidden }) =>
      `${repairText(repair, labelled)} ${what}${forbidden === 0 ? '' : ` (prevents ${count(forbidden, 'correct order')})`}`,
  );
  return texts.length > 0 ? [`Alternatives: ${texts.join('; ')}.`] : [];
}
