/**
 * Why a test goes wrong, for people: the lines to blame with a bar beside them, who came in between, what was tried, and
 * what else could be done.
 */
import { basename } from 'node:path';
import { printable } from '../../base/index.js';
import { type BlamedBlock, type Explanation, interruptions, type TriedRepair } from '../../explain/index.js';
import { Blocks, NO_RUN, type Place, type Trace, type TraceStep, VERBS, WRITE } from '../../explore/index.js';
import { Labels } from '../label.js';
import { count } from '../number.js';
import type { SourceOf } from './interleaving.js';
import type { Style } from './style.js';
import { wrapWords } from './wrap.js';

/** Of the tasks of an event loop no accesses are known, and of real threads not all. */
export type Unexplained = 'tasks' | 'threads';

/** An explanation, and how its files are read. */
export interface Explained {
  readonly explanation: Explanation;
  readonly placeOf: (site: number) => Place;
  readonly linesOf: (file: string) => readonly string[];
}

/** Lines shown before and after a block, and places in a sentence. */
const AROUND = 1;
const MOST_BETWEEN = 3;
const MOST_OTHERS = 4;

/** Is a step to be marked: does it belong to a block of the first repair? */
export function markedBy(explained: Explained | Unexplained | undefined): (step: TraceStep) => boolean {
  if (explained === undefined || typeof explained === 'string') return () => false;
  const [first] = explained.explanation.repairs;
  if (first === undefined) return () => false;
  const blocks = new Blocks(first.repair, explained.placeOf);
  return ({ levels }) => blocks.runOf(levels) !== NO_RUN;
}

export function explanationLines(
  explained: Explained | Unexplained,
  trace: Trace,
  sourceOf: SourceOf,
  style: Style,
): string[] {
  const wrapped = (text: string): string[] => wrapWords(text, style.width - 2).map((line) => `  ${line}`);
  if (typeof explained === 'string') return wrapped(UNEXPLAINED[explained]);
  const { explanation, linesOf, placeOf } = explained;
  const [first, ...others] = explanation.repairs;
  if (first === undefined) return wrapped(nothing(explanation));
  const between = interruptions(trace, first.repair, placeOf).map(({ last, by }) =>
    betweenText(trace, last, by, sourceOf, style),
  );
  return [
    ...wrapped(`Cause: ${first.repair.map(blockText).join(' and ')} would have to be run in one step.`),
    ...first.repair.flatMap((block) => ['', ...sourceLines(block, linesOf(block.file), style)]),
    '',
    ...between.flatMap(wrapped),
    ...wrapped(verificationText(first, explanation)),
    ...(first.repair.every(({ isWhole }) => isWhole) ? wrapped(WHOLE) : []),
    ...otherTexts(others, explanation).flatMap(wrapped),
    ...wrapped(basisText(explanation)),
  ];
}

/** In a few sentences, without the source. */
export function causeText({ explanation }: Explained): string {
  const [first] = explanation.repairs;
  if (first === undefined) return nothing(explanation);
  const cause = `Cause: ${first.repair.map(blockText).join(' and ')} would have to be run in one step.`;
  return `${cause} ${verificationText(first, explanation)}`;
}

const UNEXPLAINED: Readonly<Record<Unexplained, string>> = {
  tasks:
    'Cause: not looked for. Of the tasks of an event loop the order is known, but not what they read and write.',
  threads:
    'Cause: not looked for. Of real threads the calls of Atomics are known, but not the blocks that they stand in.',
};
const WHOLE = 'That is all that these methods do: nothing less than whole methods helps.';

function nothing({ isBeyondRepair, collected }: Explanation): string {
  if (isBeyondRepair)
    return 'Cause: not that something is interrupted. The same results come of calls one after another, so no block of source would help if it were run in one step; compare the object with its spec.';
  return `Cause: not found. ${count(collected.violating.length, 'violating execution')} ${collected.violating.length === 1 ? 'was' : 'were'} seen in the time; a longer --timeout may help.`;
}

const blockText = ({ file, start, end }: BlamedBlock): string =>
  `${printable(basename(file))}:${start.line}${end.line === start.line ? '' : `-${end.line}`}`;

function sourceLines({ start, end }: BlamedBlock, lines: readonly string[], style: Style): string[] {
  const from = Math.max(1, start.line - AROUND);
  const to = Math.min(lines.length, end.line + AROUND);
  const width = String(to).length;
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const line = from + i;
    const isBlamed = start.line <= line && line <= end.line;
    const text = `${String(line).padStart(width)}  ${printable(lines[line - 1] ?? '')}`.trimEnd();
    return `  ${isBlamed ? style.bad(style.bar) : ' '} ${isBlamed ? text : style.faint(text)}`;
  });
}

/** Who came in between, and what it did there. */
function betweenText(
  { history, idOf }: Trace,
  last: TraceStep,
  by: readonly TraceStep[],
  sourceOf: SourceOf,
  style: Style,
): string {
  const labels = new Labels(history, style.strokes.gives);
  const position = history.positionsById();
  const callOf = ({ operation }: TraceStep): string => {
    const call = history.at(position[idOf[operation]]);
    return `${labels.call(call)} by ${printable(call.process)}`;
  };
  const did = by.slice(0, MOST_BETWEEN).map((step) => {
    const source = sourceOf(step.site);
    const name = source?.name ? ` ${printable(source.name)}` : '';
    const value =
      step.kind === WRITE && step.value !== undefined
        ? ` = ${step.value.replaceAll('…', style.ellipsis)}`
        : '';
    const place = source ? ` (${printable(basename(source.place.file))}:${source.place.line})` : '';
    return `${callOf(step)} ${VERBS[step.kind]}${name}${value}${place}`;
  });
  const more =
    by.length > MOST_BETWEEN
      ? `, and ${count(by.length - MOST_BETWEEN, 'more access', 'more accesses')}`
      : '';
  return `While ${callOf(last)} is there, ${did.join(', ')}${more}.`;
}

function verificationText(
  { verification, forbidden, larger }: TriedRepair,
  { collected: { passing } }: Explanation,
): string {
  const share =
    passing.length === 0
      ? ''
      : ` It forbids ${forbidden === 0 ? 'none' : forbidden} of ${count(passing.length, 'class', 'classes')} of executions that are right.`;
  switch (verification?.kind) {
    case 'confirmed':
      return `Verified: run in one step, no schedule of this test goes wrong${larger > 0 ? `, nor any of ${count(larger, 'larger test')}` : ''}, exhaustively.${share}`;
    case 'refuted':
      return `Tried, and not enough: with it, another schedule still goes wrong.${share}`;
    default:
      return `Not verified: time ran out before all schedules were tried with it.${share}`;
  }
}

function otherTexts(others: readonly TriedRepair[], { partial, collected }: Explanation): string[] {
  const places = (repair: readonly BlamedBlock[]): string => repair.map(blockText).join(' and ');
  const told = others.slice(0, MOST_OTHERS).map(({ repair, forbidden, verification }) => {
    const what = { confirmed: 'helps as well', refuted: 'is not enough', undecided: 'may help' };
    return `${places(repair)} ${what[verification?.kind ?? 'undecided']}, and forbids ${forbidden}`;
  });
  const some = partial.map(
    ({ repair, removed, forbidden }) =>
      `${places(repair)} ${
        removed === collected.violating.length
          ? 'is enough for this test, but not for larger ones'
          : `removes only ${removed} of ${count(collected.violating.length, 'violation')}`
      }, and forbids ${forbidden}`,
  );
  const all = [...told, ...some];
  return all.length > 0 ? [`Instead: ${all.join('; ')}.`] : [];
}

function basisText({ collected: { violating, passed, isWhole }, isCut }: Explanation): string {
  const seen = `${count(violating.length, 'class', 'classes')} of executions that ${violating.length === 1 ? 'is' : 'are'} wrong and ${passed} that ${passed === 1 ? 'is' : 'are'} right`;
  return `From ${isWhole ? 'all ' : ''}${seen}${isWhole ? '' : ', as far as time went'}.${isCut ? ' Too many repairs to list: some were left out.' : ''}`;
}
