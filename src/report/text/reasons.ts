/** Why, in plain sentences. */
import { printable } from '../../base/index.js';
import { type Cause, type Counterexample, isMeetingCause } from '../../check/index.js';
import type { History, Operation, Outcome } from '../../history/index.js';
import { Labels, outcomeInWords } from '../label.js';
import { familySentences } from './families.js';
import { meetingSentences } from './meeting-sentences.js';
import { ordersInWords } from './orders.js';
import type { Style } from './style.js';
import { wrapWords } from './wrap.js';

const MOST_ALLOWED = 8;

export function reasons(counterexample: Counterexample, history: History, style: Style): string[] {
  const { cause } = counterexample;
  const labels = new Labels(history, style.strokes.gives);
  const operation = history.at(history.positionsById()[cause.operation]);
  const call = `${style.strong(labels.call(operation))} by ${printable(operation.process)} (operation ${operation.id}${lineOf(operation.id, history)})`;
  const sentences = sentencesOf(cause, call, operation, history, style);
  return [
    ...sentences.flatMap((sentence) => wrapWords(sentence, style.width - 2)),
    ...(cause.kind === 'stuck' ? ordersInWords(counterexample, cause, history, labels, style) : []),
  ];
}

function sentencesOf(
  cause: Cause,
  call: string,
  operation: Operation,
  history: History,
  style: Style,
): string[] {
  const answer = `${call} ${answerOf(operation.outcome, style)}`;
  if (isMeetingCause(cause)) {
    const told = meetingSentences(cause, history, style);
    if (cause.kind === 'should meet' || cause.kind === 'left behind') return told;
    const instead =
      cause.allowed.length > 0
        ? `; allowed here: ${style.good(listOutcomes(cause.allowed, style))}`
        : cause.refused.length > 0
          ? `; the spec refuses it here: ${listReasons(cause.refused, style)}`
          : '';
    return [`${answer}${instead}.`, ...told];
  }
  switch (cause.kind) {
    case 'waits':
      return needlessWait(cause, call, style);
    case 'stuck':
      return wrongAnswer(cause, answer, style);
    case 'late':
      return [`${answer}; no order of what came before allows it.`];
    default:
      return [
        cause.allowed.length > 0
          ? `${answer}; allowed here: ${style.good(listOutcomes(cause.allowed, style))}.`
          : `${answer}.`,
        ...familySentences(cause, history, style),
      ];
  }
}

const answerOf = (outcome: Outcome, style: Style): string =>
  `${outcome.kind === 'threw' ? 'ended in' : 'returned'} ${style.bad(outcomeInWords(outcome))}`;

function wrongAnswer(
  { allowed, refused, longest }: Extract<Cause, { kind: 'stuck' }>,
  answer: string,
  style: Style,
): string[] {
  if (allowed.length > 0) return [`${answer}; allowed here: ${style.good(listOutcomes(allowed, style))}.`];
  if (refused.length > 0) return [`${answer}; the spec refuses it here: ${listReasons(refused, style)}.`];
  if (longest.some(({ waits }) => waits)) return [`${answer}; here it would have to wait.`];
  return [`${answer}; nothing is allowed here.`];
}

function needlessWait(
  { allowed, refused }: Extract<Cause, { kind: 'waits' }>,
  call: string,
  style: Style,
): string[] {
  const could = listOutcomes(allowed, style);
  const instead =
    allowed.length === 0 && refused.length > 0
      ? `; the spec refuses it there: ${listReasons(refused, style)}`
      : could === '' || could === 'no result'
        ? ''
        : `; it could have returned ${could}`;
  return [
    `Nothing moves any more, and ${call} waits for ever.`,
    `It ${allowed.length === 0 ? 'may' : 'need'} not: no order of what returned leaves it waiting${instead}.`,
  ];
}

const lineOf = (id: number, { tables }: History): string =>
  tables.lines ? `, line ${tables.lines[id]}` : '';

const listOutcomes = (outcomes: readonly Outcome[], style: Style): string =>
  listed(outcomes.map(outcomeInWords), ', ', style);

const listReasons = (refused: readonly string[], style: Style): string =>
  style.good(listed(refused.map(printable), '; ', style));

function listed(words: readonly string[], between: string, { ellipsis }: Style): string {
  return [...words.slice(0, MOST_ALLOWED), ...(words.length > MOST_ALLOWED ? [ellipsis] : [])].join(between);
}
