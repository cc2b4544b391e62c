/** The root cause of a failing test: the blocks that must be atomic, the interruptions, the result of the verification, and its basis. */
import { basename } from 'node:path';
import type { SourcePosition } from '../../base/source-position.js';
import { printable } from '../../base/values/show.js';
import { VERBS, WRITE } from '../../execution/memory/access.js';
import type { Trace, TraceStep } from '../../explore/model/trace-types.js';
import type { BlamedBlock, Interruption } from '../../root-cause/blamed-block.js';
import type { Explanation, PartialRepair, TriedRepair } from '../../root-cause/explain.js';
import type { Explained, SourceOf } from '../common/report-types.js';
import { count, grouped } from '../common/verdict-words.js';
import { join, type Phrase, type Sentence, type Signs, say, Words } from './words.js';

/** Accesses named in a sentence. */
const MOST_BETWEEN = 3;

/** The root cause in a few sentences, without the source. */
export function causeText({ explanation }: Explained): string {
  const [first] = explanation.repairs;
  if (first === undefined) return noCauseText(explanation);
  return `${blameText(first, explanation)} ${verificationText(first, explanation)}`;
}

/** In async code, the blocks are awaits. */
const isOfTasks = ({ collected: { result } }: Explanation): boolean => result.backend.name === 'async';

export function blameText({ repair }: TriedRepair, explanation: Explanation): string {
  if (isOfTasks(explanation))
    return `Cause: another call runs during the awaits at ${repairText(repair)}. No other call may run there.`;
  const places = repair.map(({ file, start, end }) =>
    start.line === end.line
      ? `inside line ${start.line} of ${printable(basename(file))}`
      : `between lines ${start.line} and ${end.line} of ${printable(basename(file))}`,
  );
  const isOneLine = repair.length === 1 && repair[0].start.line === repair[0].end.line;
  return `Cause: another call runs ${places.join(' or ')}. ${isOneLine ? 'This line' : 'These lines'} must run atomically.`;
}

export function noCauseText(explanation: Explanation): string {
  const { isBeyondRepair, isWaiting, collected } = explanation;
  if (isBeyondRepair && isOfTasks(explanation))
    return 'Cause: not an interruption at an await. An execution without one fails too: look at what calls do synchronously, at the state that they leave behind, and at what they wait for.';
  if (isBeyondRepair)
    return 'Cause: not an interruption. A sequential run fails in the same way, so no atomic block helps: compare the object with its spec.';
  if (isWaiting)
    return 'Cause: not an interruption. The block that would have to be atomic waits for another call, so it cannot be atomic: look at which call waits for which, and at what wakes it.';
  return `Cause: not found. ${count(collected.violating.length, 'violating execution')} ${collected.violating.length === 1 ? 'was' : 'were'} found before the time limit; try a larger --timeout.`;
}

/** `stack.ts:16-17 and stack.ts:22` */
export const repairText = (repair: readonly BlamedBlock[]): string =>
  repair
    .map(
      ({ file, start, end }) =>
        `${printable(basename(file))}:${start.line}${end.line === start.line ? '' : `-${end.line}`}`,
    )
    .join(' and ');

/** The calls that ran between two accesses of a block, and what they did there. */
export function betweenSentence(
  { first, last, by }: Interruption,
  { history, idOf, awaits }: Trace,
  sourceOf: SourceOf,
  signs: Signs,
): Sentence {
  const { labels, ellipsis } = new Words(history, signs);
  const position = history.positionsById();
  const callOf = ({ operation }: TraceStep): Phrase => {
    const call = history.at(position[idOf[operation]]);
    return { text: `${labels.call(call)} by ${printable(call.process)}`, operations: [idOf[operation]] };
  };
  const interrupting = by.filter((_, i) => awaits === undefined || isFirstOf(by, i));
  const did = interrupting.slice(0, MOST_BETWEEN).map((step) => {
    if (awaits !== undefined) return say`${callOf(step)} continues`;
    const source = sourceOf(step.site);
    const name = source?.name ? ` ${printable(source.name)}` : '';
    const value =
      step.kind === WRITE && step.value !== undefined
        ? `${name === '' ? '' : ' ='} ${step.value.replaceAll('…', ellipsis)}`
        : '';
    const place = source ? ` (${placeText(source.place)})` : '';
    return say`${callOf(step)} ${VERBS[step.kind]}${name}${value}${place}`;
  });
  const more =
    interrupting.length > MOST_BETWEEN
      ? `, and ${count(interrupting.length - MOST_BETWEEN, 'more access', 'more accesses')}`
      : '';
  if (awaits !== undefined) return say`While ${callOf(last)} waits there, ${join(did, ', ')}${more}.`;
  const where = gapText(sourceOf(first.site)?.place, sourceOf(last.site)?.place);
  return say`${where}${callOf(last)}, ${join(did, ', ')}${more}.`;
}

/** Whether a step is the first of its call among these. */
const isFirstOf = (steps: readonly TraceStep[], i: number): boolean =>
  steps.findIndex(({ operation }) => operation === steps[i].operation) === i;

/** `Between lines 8 and 9 of ` */
function gapText(from: SourcePosition | undefined, to: SourcePosition | undefined): string {
  if (from === undefined || to === undefined) return 'In ';
  if (from.file !== to.file) return `Between ${placeText(from)} and ${placeText(to)} in `;
  return from.line === to.line
    ? `Inside line ${from.line} of `
    : `Between lines ${from.line} and ${to.line} of `;
}

const placeText = ({ file, line }: SourcePosition): string => `${printable(basename(file))}:${line}`;

const WHOLE = 'These are whole methods: no smaller block helps.';
const ALL_AWAITS = 'Their methods have no other awaits: no smaller block helps.';

/** The result of the verification. */
export function verificationText(
  { repair, verification, forbidden, larger }: TriedRepair,
  explanation: Explanation,
): string {
  const { passing } = explanation.collected;
  const isTasks = isOfTasks(explanation);
  const share = passing.length === 0 ? '' : ` ${preventedText(forbidden, passing.length)}`;
  const whole = repair.every(({ isWhole }) => isWhole) ? ` ${isTasks ? ALL_AWAITS : WHOLE}` : '';
  switch (verification?.kind) {
    case 'confirmed':
      return `Verified: ${isTasks ? 'without such runs' : `if ${repair.length === 1 ? 'it is' : 'they are'} atomic`}, no schedule of this test ${larger > 0 ? `or of ${count(larger, 'larger test')} ` : ''}fails; all schedules were explored.${share}${whole}`;
    case 'refuted':
      return `Not sufficient: another schedule still fails.${share}${whole}`;
    default:
      return `Not verified: not all schedules were explored before the limit.${share}${whole}`;
  }
}

/** How many executions that pass would be impossible; `of` all that were collected. */
function preventedText(prevented: number, of: number): string {
  if (prevented === 0) return `It prevents no correct order (of ${grouped(of)}).`;
  return `It also prevents ${count(prevented, 'correct order')} (of ${grouped(of)}).`;
}

/** The result of another repair than the first. */
export function otherText({ verification }: TriedRepair): string {
  if (verification?.kind === 'confirmed') return 'also suffices';
  return verification?.kind === 'refuted' ? 'does not suffice' : 'was not verified';
}

/** The result of a repair that removes some violations only. */
export const partialText = ({ removed }: PartialRepair, { collected: { violating } }: Explanation): string =>
  removed === violating.length
    ? 'suffices for this test but not for larger ones'
    : `removes only ${removed} of ${count(violating.length, 'violation')}`;

/** The executions on which the conclusion is based. */
export function basisText({ collected: { violating, passed, isWhole }, isCut }: Explanation): string {
  const seen = `${count(violating.length, 'equivalence class', 'equivalence classes')} of executions that ${violating.length === 1 ? 'fails' : 'fail'} and ${passed} that ${passed === 1 ? 'passes' : 'pass'}`;
  return `Based on ${isWhole ? 'all executions: ' : ''}${seen}${isWhole ? '' : ' (the time limit was reached)'}.${isCut ? ' There are too many repairs to list; some are left out.' : ''}`;
}
