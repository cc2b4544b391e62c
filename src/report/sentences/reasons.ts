/** The explanation of a counterexample: at most six sentences that point at operations. */
import { printable } from '../../base/values/show.js';
import { isRendezvousCause } from '../../check/model/rendezvous-causes.js';
import type { Cause, Counterexample } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';
import type { Operation } from '../../history/model/operation.js';
import { familySentences } from './containers.js';
import { ordersInWords } from './orders.js';
import { isOfProgress, rendezvousReasons } from './rendezvous.js';
import {
  endedIn,
  good,
  isVoid,
  processName,
  type Reason,
  type Sentence,
  type Signs,
  say,
  Words,
} from './words.js';

export function reasons(counterexample: Counterexample, history: History, signs: Signs): Reason[] {
  const { cause } = counterexample;
  const words = new Words(history, signs);
  const operation = history.at(words.position(cause.operation));
  const sentences = sentencesOf(counterexample, operation, words);
  return [
    ...[...sentences, ...doubts(counterexample)].map((sentence) => ({ sentence })),
    ...(cause.kind === 'stuck' ? ordersInWords(counterexample, cause, words) : []),
    ...(isRendezvousCause(cause) ? rendezvousReasons(cause, words) : []),
  ];
}

/** What is not certain of a counterexample. The violation is. */
function doubts({ isFirst, property, failure }: Counterexample): Sentence[] {
  return [
    ...(failure !== undefined
      ? [say`The explanation failed: ${printable(failure)}. The violation is certain. ${REPORT_BUG}`]
      : []),
    ...(!isFirst && property === 'safety' && failure === undefined
      ? [
          say`This is not necessarily the first faulty return: the search for an earlier one exceeded its limits.`,
        ]
      : []),
  ];
}

const REPORT_BUG = 'If the spec is correct, this is a bug in straightedge; please report it.';

/** The same for standard error. */
export const failureText = (file: string, failure: string): string =>
  `${printable(file)}: the violation is certain, but its explanation failed: ${printable(failure)}. ${REPORT_BUG}`;

function sentencesOf(
  { cause, allowedIsComplete }: Counterexample,
  operation: Operation,
  words: Words,
): Sentence[] {
  const { id, process, outcome } = operation;
  const { lines } = words.history.tables;
  const label = { text: words.labels.call(operation), tone: 'strong', operations: [id] } as const;
  const call = say`${label} by ${processName(process)} (operation ${`${id}${lines ? `, line ${lines[id]}` : ''}`})`;
  const answer = say`${call} ${endedIn(outcome, cause.allowed)}`;
  const reply = () => answered(cause, allowedIsComplete, operation, answer, words);
  if (isRendezvousCause(cause)) return isOfProgress(cause) ? [] : [reply()];
  switch (cause.kind) {
    case 'waits':
      return needlessWait(cause, operation, call, words);
    case 'stuck':
      return [wrongAnswer(cause, allowedIsComplete, answer, reply)];
    case 'late':
      return [say`${answer}; no order of the earlier operations allows that.`];
    default:
      return [reply(), ...familySentences(cause, words)];
  }
}

/** What the operation returned, and what it may return instead, as far as that is known. */
function answered(
  { allowed, refused }: Cause,
  isComplete: boolean,
  { outcome }: Operation,
  answer: Sentence,
  words: Words,
): Sentence {
  if (allowed.length > 0)
    return say`${answer}; allowed: ${good(words.alternatives(allowed, outcome))}${isComplete ? '' : ', and perhaps others'}.`;
  if (refused.length > 0) return say`${answer}; the spec refuses it here: ${refusals(refused, words)}.`;
  return say`${answer}.`;
}

function wrongAnswer(
  { allowed, refused, longest }: Extract<Cause, { kind: 'stuck' }>,
  isComplete: boolean,
  answer: Sentence,
  reply: () => Sentence,
): Sentence {
  if (!isComplete || allowed.length + refused.length > 0) return reply();
  if (longest.some(({ waits }) => waits)) return say`${answer}, but the call must block here.`;
  return say`${answer}, but no sequential order allows a return here, whatever the result.`;
}

function needlessWait(
  { allowed, refused }: Extract<Cause, { kind: 'waits' }>,
  operation: Operation,
  call: Sentence,
  words: Words,
): Sentence[] {
  const instead =
    allowed.length === 0 && refused.length > 0
      ? say` It refuses the call: ${refusals(refused, words)}.`
      : allowed.every((outcome) => isVoid(outcome) || words.labels.isSilent(operation.method, outcome))
        ? []
        : say` The call could have returned ${words.alternatives(allowed)}.`;
  return [
    say`The history is stuck: no call makes progress, and ${call} is blocked forever.`,
    say`The spec never lets it block after the completed calls.${instead}`,
  ];
}

const refusals = (refused: readonly string[], words: Words): Sentence => [
  good(words.list(refused.map(printable), '; ')),
];
