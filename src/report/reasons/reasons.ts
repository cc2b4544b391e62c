/** Why, in at most six plain sentences that point at operations. */
import { printable } from '../../base/index.js';
import { type Cause, type Counterexample, isMeetingCause, type MeetingCause } from '../../check/index.js';
import type { History, Operation } from '../../history/index.js';
import { outcomeInWords } from '../label.js';
import { familySentences } from './families.js';
import { meetingReasons } from './meeting-sentences.js';
import { ordersInWords } from './orders.js';
import { type Reason, type Sentence, say } from './sentence.js';
import { bad, good, type Signs, Words } from './words.js';

export function reasons(counterexample: Counterexample, history: History, signs: Signs): Reason[] {
  const { cause } = counterexample;
  const words = new Words(history, signs);
  const operation = history.at(words.position(cause.operation));
  if (isMeetingCause(cause)) return meetingReasonsOf(cause, operation, words);
  return [
    ...sentencesOf(cause, operation, words).map((sentence) => ({ sentence })),
    ...(cause.kind === 'stuck' ? ordersInWords(counterexample, cause, words) : []),
  ];
}

/** The call at fault and what it answered, then why; a call that waits has not answered. */
function meetingReasonsOf(cause: Extract<Cause, MeetingCause>, operation: Operation, words: Words): Reason[] {
  const told = meetingReasons(cause, words);
  if (cause.kind === 'should meet' || cause.kind === 'left behind') return told;
  const { answer } = faultOf(operation, words);
  const instead =
    cause.allowed.length > 0
      ? say`; allowed here: ${good(words.outcomes(cause.allowed))}`
      : cause.refused.length > 0
        ? say`; the spec refuses it here: ${refusals(cause.refused, words)}`
        : [];
  return [{ sentence: say`${answer}${instead}.` }, ...told];
}

/** `dequeue() by A (operation 3, line 4)`; and the same with what it returned. */
function faultOf(operation: Operation, words: Words): { readonly call: Sentence; readonly answer: Sentence } {
  const { id, process, outcome } = operation;
  const { lines } = words.history.tables;
  const label = { text: words.labels.call(operation), tone: 'strong', operations: [id] } as const;
  const call = say`${label} by ${printable(process)} (operation ${`${id}${lines ? `, line ${lines[id]}` : ''}`})`;
  const answer = say`${call} ${outcome.kind === 'threw' ? 'ended in' : 'returned'} ${bad(outcomeInWords(outcome))}`;
  return { call, answer };
}

function sentencesOf(cause: Exclude<Cause, MeetingCause>, operation: Operation, words: Words): Sentence[] {
  const { call, answer } = faultOf(operation, words);
  switch (cause.kind) {
    case 'waits':
      return needlessWait(cause, call, words);
    case 'stuck':
      return [wrongAnswer(cause, answer, words)];
    case 'late':
      return [say`${answer}; no order of what came before allows it.`];
    default:
      return [
        cause.allowed.length > 0
          ? say`${answer}; allowed here: ${good(words.outcomes(cause.allowed))}.`
          : say`${answer}.`,
        ...familySentences(cause, words),
      ];
  }
}

function wrongAnswer(
  { allowed, refused, longest }: Extract<Cause, { kind: 'stuck' }>,
  answer: Sentence,
  words: Words,
): Sentence {
  if (allowed.length > 0) return say`${answer}; allowed here: ${good(words.outcomes(allowed))}.`;
  if (refused.length > 0) return say`${answer}; the spec refuses it here: ${refusals(refused, words)}.`;
  if (longest.some(({ waits }) => waits)) return say`${answer}; here it would have to wait.`;
  return say`${answer}; nothing is allowed here.`;
}

function needlessWait(
  { allowed, refused }: Extract<Cause, { kind: 'waits' }>,
  call: Sentence,
  words: Words,
): Sentence[] {
  const could = words.outcomes(allowed);
  const instead =
    allowed.length === 0 && refused.length > 0
      ? say`; the spec refuses it there: ${refusals(refused, words)}`
      : could === '' || could === 'no result'
        ? []
        : say`; it could have returned ${could}`;
  return [
    say`Nothing moves any more, and ${call} waits for ever.`,
    say`It ${allowed.length === 0 ? 'may' : 'need'} not: no order of what returned leaves it waiting${instead}.`,
  ];
}

const refusals = (refused: readonly string[], words: Words): Sentence => [
  good(words.list(refused.map(printable), '; ')),
];
