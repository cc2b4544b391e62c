/** The explanation of a counterexample: at most six sentences that point at operations. */
import { printable } from '../../base/values/show.js';
import { isRendezvousCause } from '../../check/model/rendezvous-causes.js';
import type { Cause, Counterexample } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';
import { describeOutcome, type Operation } from '../../history/model/operation.js';
import { familySentences } from './containers.js';
import { ordersInWords } from './orders.js';
import { isOfProgress, rendezvousReasons } from './rendezvous.js';
import { type Reason, type Sentence, say } from './sentence.js';
import { bad, good, type Signs, Words } from './words.js';

export function reasons(counterexample: Counterexample, history: History, signs: Signs): Reason[] {
  const { cause } = counterexample;
  const words = new Words(history, signs);
  const operation = history.at(words.position(cause.operation));
  return [
    ...sentencesOf(cause, operation, words).map((sentence) => ({ sentence })),
    ...(cause.kind === 'stuck' ? ordersInWords(counterexample, cause, words) : []),
    ...(isRendezvousCause(cause) ? rendezvousReasons(cause, words) : []),
  ];
}

function sentencesOf(cause: Cause, operation: Operation, words: Words): Sentence[] {
  const { id, process, outcome } = operation;
  const { lines } = words.history.tables;
  const label = { text: words.labels.call(operation), tone: 'strong', operations: [id] } as const;
  const call = say`${label} by ${printable(process)} (operation ${`${id}${lines ? `, line ${lines[id]}` : ''}`})`;
  const answer = say`${call} ${outcome.kind === 'threw' ? 'threw' : 'returned'} ${bad(describeOutcome(outcome))}`;
  if (isRendezvousCause(cause)) return isOfProgress(cause) ? [] : [answered(cause, answer, words)];
  switch (cause.kind) {
    case 'waits':
      return needlessWait(cause, call, words);
    case 'stuck':
      return [wrongAnswer(cause, answer, words)];
    case 'late':
      return [say`${answer}; no linearization of the earlier operations allows it.`];
    default:
      return [answered(cause, answer, words), ...familySentences(cause, words)];
  }
}

/** What the operation returned, and what it may return instead, as far as that is known. */
function answered({ allowed, refused }: Cause, answer: Sentence, words: Words): Sentence {
  if (allowed.length > 0) return say`${answer}; allowed: ${good(words.outcomes(allowed))}.`;
  if (refused.length > 0) return say`${answer}; the spec refuses it here: ${refusals(refused, words)}.`;
  return say`${answer}.`;
}

function wrongAnswer(cause: Extract<Cause, { kind: 'stuck' }>, answer: Sentence, words: Words): Sentence {
  const { allowed, refused, longest } = cause;
  if (allowed.length + refused.length > 0) return answered(cause, answer, words);
  if (longest.some(({ waits }) => waits)) return say`${answer}, but the call must block here.`;
  return say`${answer}, but no result is allowed here.`;
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
    say`The history is stuck: no call makes progress, and ${call} is blocked forever.`,
    say`No linearization of the completed operations lets it block${instead}.`,
  ];
}

const refusals = (refused: readonly string[], words: Words): Sentence => [
  good(words.list(refused.map(printable), '; ')),
];
