/** The explanation of a counterexample: at most six sentences that point at operations. */
import { printable } from '../../base/values/show.js';
import { isRendezvousCause } from '../../check/model/causes.js';
import type { Cause, Counterexample, Longest } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';
import { FAILED, numberOfValue, placeOf } from '../../history/model/columns.js';
import type { Operation, Outcome } from '../../history/model/operation.js';
import { count, grouped } from '../common/verdict-words.js';
import { familySentences } from './containers.js';
import { isOfProgress, rendezvousReasons } from './rendezvous.js';
import { REACHED } from './undecided.js';
import {
  endedIn,
  good,
  isVoid,
  nearestInWords,
  processName,
  type Reason,
  type Sentence,
  type Signs,
  say,
  strong,
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
function doubts({ isFirst, property, failure, cutBy }: Counterexample): Sentence[] {
  return [
    ...(cutBy !== undefined
      ? [say`The explanation ended early: ${REACHED[cutBy]}. With more time it may say more.`]
      : []),
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
  const place = placeOf(words.history.tables, id);
  const label = { text: words.labels.call(operation), tone: 'strong', operations: [id] } as const;
  const call = say`${label} by ${processName(process)} (operation ${`${id}${place === undefined ? '' : `, ${place}`}`})`;
  const answer = say`${call} ${endedIn(outcome, cause.allowed, words)}`;
  const reply = () => answered(cause, allowedIsComplete, operation, answer, words);
  if (isRendezvousCause(cause)) return isOfProgress(cause) ? [] : [reply()];
  switch (cause.kind) {
    case 'waits':
      return needlessWait(cause, operation, call, words);
    case 'stuck':
      return [
        wrongAnswer(cause, allowedIsComplete, answer, reply),
        ...nearestInWords(outcome, cause.allowed),
        ...overwrittenInWords(cause, words),
        ...onlyFailed(operation, words),
      ];
    case 'late':
      return [
        say`${answer}; no sequential order of the earlier operations that respects real time allows that.`,
      ];
    case 'never written':
    case 'from nowhere': {
      const failed = onlyFailed(operation, words);
      const why = failed.length > 0 ? failed : familySentences(cause, words);
      return [reply(), ...nearestInWords(outcome, cause.allowed), ...why];
    }
    default:
      return [reply(), ...nearestInWords(outcome, cause.allowed), ...familySentences(cause, words)];
  }
}

/**
 * A result that only failed operations have as an argument. A timeout that is recorded as failed is a common error of
 * recorders. In a map, the first argument is the key.
 */
function onlyFailed({ object, args, outcome }: Operation, words: Words): Sentence[] {
  const { history } = words;
  const value = outcome.kind === 'returned' ? numberOfValue(history.tables, outcome.value) : undefined;
  if (value === undefined || TOO_COMMON.includes((outcome as { value?: unknown }).value)) return [];
  const { argumentStart, argument, status, id } = history.columns;
  const key = args.length > 0 ? numberOfValue(history.tables, args[0]) : undefined;
  const failed: number[] = [];
  for (let k = 0; k < history.length; k++) {
    const [start, end] = [argumentStart[k], argumentStart[k + 1]];
    if (key !== undefined && (start === end || argument[start] !== key)) continue;
    if (!argument.subarray(key === undefined ? start : start + 1, end).includes(value)) continue;
    if (history.at(k).object !== object) continue;
    if (status[k] !== FAILED) return [];
    failed.push(id[k]);
  }
  if (failed.length === 0) return [];
  const rest = failed.length > 1 ? ` and ${count(failed.length - 1, 'more operation')}` : '';
  return [
    say`Only ${words.operation(failed[0])}${rest} had that value as an argument, recorded as failed: without effect. If it may have taken effect, such as after a timeout, record it as unknown.`,
  ];
}

/** Results that say nothing about where they come from. */
const TOO_COMMON: readonly unknown[] = [null, undefined, true, false];

/** What the operation returned, and what it may return instead, as far as that is known. */
function answered(
  { allowed, refused }: Cause,
  isComplete: boolean,
  { outcome }: Operation,
  answer: Sentence,
  words: Words,
): Sentence {
  if (isDifferenceLeftOut(allowed, outcome, words)) return say`${answer}, which is not allowed.`;
  if (allowed.length > 0)
    return say`${answer}; allowed: ${good(words.alternatives(allowed, outcome))}${isComplete ? '' : ', and perhaps others'}.`;
  if (refused.length > 0) return say`${answer}; the spec refuses it here: ${refusals(refused, words)}.`;
  return say`${answer}.`;
}

/** Do the texts of the result and of the only allowed one leave out their difference? A sentence of its own names it. */
const isDifferenceLeftOut = (allowed: readonly Outcome[], outcome: Outcome, words: Words): boolean =>
  allowed.length === 1 &&
  words.outcome(allowed[0]) === words.outcome(outcome) &&
  nearestInWords(outcome, allowed).length > 0;

function wrongAnswer(
  { allowed, refused, longest }: Extract<Cause, { kind: 'stuck' }>,
  isComplete: boolean,
  answer: Sentence,
  reply: () => Sentence,
): Sentence {
  if (!isComplete || allowed.length + refused.length > 0) return reply();
  if (longest.some(({ waits }) => waits)) return say`${answer}, but the call must block here.`;
  return say`${answer}, but no sequential order that respects real time allows a return here, whatever the result.`;
}

/** Where the value of a read came from, and what had replaced it. */
function overwrittenInWords({ overwritten }: Extract<Cause, { kind: 'stuck' }>, words: Words): Sentence[] {
  if (!overwritten) return [];
  const { write, by } = overwritten;
  return [
    say`The value was left by ${words.operation(write)}, but ${words.operation(by)} had replaced it before this call started.`,
  ];
}

function needlessWait(
  { allowed, refused }: Extract<Cause, { kind: 'waits' }>,
  operation: Operation,
  call: Sentence,
  words: Words,
): Sentence[] {
  const instead =
    allowed.length === 0 && refused.length > 0
      ? say` The spec refuses it: ${refusals(refused, words)}.`
      : allowed.every((outcome) => isVoid(outcome) || words.labels.isSilent(operation.method, outcome))
        ? []
        : say` It could have returned ${words.alternatives(allowed)}.`;
  return [
    say`The history is stuck: no call makes progress, and ${call} is blocked forever.`,
    say`The completed calls lead to no state in which the spec lets it block.${instead}`,
  ];
}

const refusals = (refused: readonly string[], words: Words): Sentence => [
  good(words.list(refused.map(printable), '; ')),
];

/** Operations printed of a long linearization: its last ones. */
const LAST = 8;
const MOST_ANSWERS = 4;
const LONG_CALL = 30;

/**
 * The one or two longest linearizations: their operations, the state that they lead to, and what the spec allows the
 * faulty operation in that state.
 *
 * The second one is printed only if the spec allows something else after it, and only from where it leaves the first.
 */
function ordersInWords(
  { core, cuts, minimal }: Counterexample,
  { operation, longest: [first, second] }: Extract<Cause, { kind: 'stuck' }>,
  words: Words,
): Reason[] {
  const label = words.labels.call(words.history.at(words.position(operation)));
  const call = { text: label.length > LONG_CALL ? 'the call' : label, operations: [operation] };
  const inWords = ({ state, ...longest }: Longest): Sentence =>
    say`${strong(printable(state))}; ${call} ${answerInWords(longest, words)}.`;

  const isReduced = cuts.some((cut) => cut === 'reads' || cut === 'values' || cut === 'earlier');
  const operations = count(core.length, 'operation');
  const leftOut = isReduced ? ` (${minimal ? '' : 'some '}irrelevant ones are left out)` : '';
  const isNew = second !== undefined && answerInWords(second, words) !== answerInWords(first, words);
  return [
    ...(first.order.length === 0
      ? [
          {
            sentence: say`${isReduced ? 'No relevant operation returned before it' : 'It is the first operation to return'}. The initial state is ${inWords(first)}`,
          },
        ]
      : [
          {
            sentence: say`No sequential order that respects real time gives the results of ${isReduced ? `these ${operations}` : `the ${operations} up to this return`}${leftOut}. This one gives all earlier results:`,
            ...stepsInWords(first.order, 0, words),
          },
          { sentence: say`After it, the state is ${inWords(first)}` },
        ]),
    ...(isNew
      ? [
          {
            sentence: [{ text: first.order.length === 0 ? 'It may also follow:' : 'Another such order:' }],
            ...stepsInWords(second.order, commonLength(first.order, second.order), words),
          },
          { sentence: say`After it, the state is ${inWords(second)}` },
        ]
      : []),
  ];
}

/** What the spec allows the call: "would return 1 or block". */
function answerInWords({ answers, waits, refused }: Omit<Longest, 'state'>, words: Words): string {
  const named = answers.slice(0, MOST_ANSWERS);
  const textOf = (outcome: Outcome): string => words.outcome(outcome);
  const returned = named.filter(({ kind }) => kind === 'returned').map(textOf);
  const threw = named.filter(({ kind }) => kind === 'threw').map(textOf);
  const could = [
    ...(returned.length > 0
      ? [returned.join() === 'undefined' ? 'return' : `return ${returned.join(' or ')}`]
      : []),
    ...(threw.length > 0 ? [`throw ${threw.join(' or ')}`] : []),
    ...(answers.length > named.length
      ? [
          `have ${answers.length === named.length + 1 ? 'another result' : `one of ${grouped(answers.length - named.length)} other results`}`,
        ]
      : []),
    ...(waits ? ['block'] : []),
  ];
  const outcomes = [
    ...(could.length > 0 ? [`would ${could.join(' or ')}`] : []),
    ...(refused.length > 0 ? [`is refused: ${refused.map(printable).join('; ')}`] : []),
  ];
  return outcomes.length > 0
    ? outcomes.join(', or ')
    : 'itself is allowed, but an operation that must precede it is not';
}

/** The end of a linearization, without the operations that it has in `common` with the one printed before. */
function stepsInWords(order: Int32Array, common: number, words: Words): Pick<Reason, 'steps' | 'skipped'> {
  const skipped = Math.max(common, order.length - LAST);
  const before = skipped === common ? 'as before' : 'more';
  return {
    skipped,
    steps: [
      ...(skipped > 0 ? [say`${words.ellipsis} ${grouped(skipped)} ${before}`] : []),
      ...Array.from(order.subarray(skipped), (id) => {
        const k = words.position(id);
        const { process } = words.history.at(k);
        return [{ text: `${words.labels.operation(k)} (${printable(process)})`, operations: [id] }];
      }),
    ],
  };
}

function commonLength(a: Int32Array, b: Int32Array): number {
  const differs = b.findIndex((operation, i) => operation !== a[i]);
  return differs < 0 ? b.length : differs;
}
