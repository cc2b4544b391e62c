/**
 * The one or two orders that get furthest, in plain sentences: what they are, the
 * state they lead to, and what the spec says of the operation at fault there.
 *
 * The second is told only where the spec says something else there, and only from
 * where it leaves the first.
 */

import { printable } from '../../base/values/show.js';
import type { Cause, Counterexample, Longest } from '../../check/model/verdict.js';
import { outcomeInWords } from '../../history/model/operation.js';
import { count, grouped } from '../common/verdict-words.js';
import { type Reason, type Sentence, say } from './sentence.js';
import { strong, type Words } from './words.js';

/** How much of a long order is told: its end. */
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

  const leftOut = cuts.includes('reads');
  const isNew = second !== undefined && answerInWords(second) !== answerInWords(first);
  return [
    ...(first.order.length === 0
      ? [
          {
            sentence: say`${leftOut ? 'Nothing that matters returned before it' : 'It is the first to return'}. The object starts as ${inWords(first)}`,
          },
        ]
      : [
          {
            sentence: say`No order of the ${count(core.length, 'operation')} up to there explains it${leftOut ? ' (needless reads left out)' : ''}. One that explains all before it:`,
            steps: stepsInWords(first.order, 0, words),
          },
          { sentence: say`After it the object is ${inWords(first)}` },
        ]),
    ...(isNew
      ? [
          {
            sentence: [{ text: first.order.length === 0 ? 'It may also come after:' : 'Another order:' }],
            steps: stepsInWords(second.order, commonLength(first.order, second.order), words),
          },
          { sentence: say`After that the object is ${inWords(second)}` },
        ]
      : []),
  ];
}

/** What the spec says of the call: "would return 1 or have to wait". */
function answerInWords({ answers, waits, refused }: Omit<Longest, 'state'>): string {
  const told = answers.slice(0, MOST_ANSWERS);
  const returned = told.filter(({ kind }) => kind === 'returned').map(outcomeInWords);
  const threw = told.filter(({ kind }) => kind === 'threw').map(outcomeInWords);
  const could = [
    ...(returned.length > 0 ? [`return ${returned.join(' or ')}`] : []),
    ...(threw.length > 0 ? [`end in ${threw.join(' or ')}`] : []),
    ...(answers.length > told.length ? [`give ${grouped(answers.length - told.length)} other answers`] : []),
    ...(waits ? ['have to wait'] : []),
  ];
  const ways = [
    ...(could.length > 0 ? [`would ${could.join(' or ')}`] : []),
    ...(refused.length > 0 ? [`is refused: ${refused.map(printable).join('; ')}`] : []),
  ];
  return ways.length > 0 ? ways.join(', or ') : 'fits, but something that it comes after does not';
}

/** The end of an order, without what is `common` to it and one told before. */
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
