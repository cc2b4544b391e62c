/**
 * The one or two longest linearizations: their operations, the state that they lead to, and what the spec allows the
 * faulty operation in that state.
 *
 * The second one is printed only if the spec allows something else after it, and only from where it leaves the first.
 */

import { printable } from '../../base/values/show.js';
import type { Cause, Counterexample, Longest } from '../../check/model/verdict.js';
import { describeOutcome } from '../../history/model/operation.js';
import { count, grouped } from '../common/verdict-words.js';
import { type Reason, type Sentence, say, strong, type Words } from './words.js';

/** Operations printed of a long linearization: its last ones. */
const LAST = 8;
const MOST_ANSWERS = 4;
const LONG_CALL = 30;

export function ordersInWords(
  { core, cuts }: Counterexample,
  { operation, longest: [first, second] }: Extract<Cause, { kind: 'stuck' }>,
  words: Words,
): Reason[] {
  const label = words.labels.call(words.history.at(words.position(operation)));
  const call = { text: label.length > LONG_CALL ? 'the call' : label, operations: [operation] };
  const inWords = ({ state, ...longest }: Longest): Sentence =>
    say`${strong(printable(state))}; ${call} ${answerInWords(longest)}.`;

  const isReduced = cuts.includes('reads') || cuts.includes('values');
  const operations = count(core.length, 'operation');
  const isNew = second !== undefined && answerInWords(second) !== answerInWords(first);
  return [
    ...(first.order.length === 0
      ? [
          {
            sentence: say`${isReduced ? 'No relevant operation returned before it' : 'It is the first operation to return'}. The initial state is ${inWords(first)}`,
          },
        ]
      : [
          {
            sentence: say`No order of ${isReduced ? `these ${operations}` : `the ${operations} up to this return`} gives all their results${isReduced ? ' (irrelevant ones are left out)' : ''}. This order gives all earlier results:`,
            steps: stepsInWords(first.order, 0, words),
          },
          { sentence: say`After it, the state is ${inWords(first)}` },
        ]),
    ...(isNew
      ? [
          {
            sentence: [{ text: first.order.length === 0 ? 'It may also follow:' : 'Another such order:' }],
            steps: stepsInWords(second.order, commonLength(first.order, second.order), words),
          },
          { sentence: say`After it, the state is ${inWords(second)}` },
        ]
      : []),
  ];
}

/** What the spec allows the call: "would return 1 or block". */
function answerInWords({ answers, waits, refused }: Omit<Longest, 'state'>): string {
  const named = answers.slice(0, MOST_ANSWERS);
  const returned = named.filter(({ kind }) => kind === 'returned').map(describeOutcome);
  const threw = named.filter(({ kind }) => kind === 'threw').map(describeOutcome);
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
function stepsInWords(order: Int32Array, common: number, words: Words): Sentence[] {
  const skipped = Math.max(common, order.length - LAST);
  const before = skipped === common ? 'as before' : 'more';
  return [
    ...(skipped > 0 ? [say`${words.ellipsis} ${grouped(skipped)} ${before}`] : []),
    ...Array.from(order.subarray(skipped), (id) => {
      const k = words.position(id);
      const { process } = words.history.at(k);
      return [{ text: `${words.labels.operation(k)} (${printable(process)})`, operations: [id] }];
    }),
  ];
}

function commonLength(a: Int32Array, b: Int32Array): number {
  const differs = b.findIndex((operation, i) => operation !== a[i]);
  return differs < 0 ? b.length : differs;
}
