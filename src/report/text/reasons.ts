/** Why, in plain sentences. */
import { printable } from '../../base/index.js';
import type { Counterexample, Longest } from '../../check/index.js';
import type { History, Outcome } from '../../history/index.js';
import { Labels, outcomeInWords } from '../label.js';
import { grouped } from './number.js';
import type { Style } from './style.js';
import { wrapItems, wrapWords } from './wrap.js';

/** How much of a long order is told: its end. */
const LAST = 8;
const MOST_ALLOWED = 8;

export function reasons({ core, cause }: Counterexample, history: History, style: Style): string[] {
  const labels = new Labels(history, style.strokes.gives);
  const operation = history.at(history.positionsById()[cause.operation]);
  const call = `${style.strong(labels.call(operation))} by ${printable(operation.process)} (operation ${operation.id}${lineOf(operation.id, history)})`;
  const allowed = listOutcomes(cause.allowed, style);
  if (cause.kind === 'waits')
    return [
      `Nothing moves any more, and ${call} waits for ever.`,
      `It need not: no order of what returned leaves it waiting${allowed === undefined || allowed === 'no result' ? '' : `; it could have returned ${allowed}`}.`,
    ].flatMap((sentence) => wrapWords(sentence, style.width - 2));
  const answer = `${call} ${operation.outcome.kind === 'threw' ? 'ended in' : 'returned'} ${style.bad(outcomeInWords(operation.outcome))}`;
  return [
    ...wrapWords(
      allowed === undefined
        ? `${answer}; here it would have to wait.`
        : `${answer}; allowed here: ${style.good(allowed)}.`,
      style.width - 2,
    ),
    ...longestOrder(cause.longest, core, history, labels, style),
  ];
}

const lineOf = (id: number, { tables }: History): string =>
  tables.lines ? `, line ${tables.lines[id]}` : '';

function listOutcomes(outcomes: readonly Outcome[], { ellipsis }: Style): string | undefined {
  if (outcomes.length === 0) return undefined;
  const words = outcomes.slice(0, MOST_ALLOWED).map(outcomeInWords);
  return [...words, ...(outcomes.length > MOST_ALLOWED ? [ellipsis] : [])].join(', ');
}

function longestOrder(
  { order, state }: Longest,
  core: History,
  history: History,
  labels: Labels,
  style: Style,
): string[] {
  if (order.length === 0) return [`It is the first to return. The object starts as ${printable(state)}.`];
  const position = history.positionsById();
  const told = Array.from(
    order.slice(-LAST),
    (id) => `${labels.operation(position[id])} (${printable(history.at(position[id]).process)})`,
  );
  const skipped = order.length - told.length;
  return [
    ...wrapWords(
      `No order of the ${grouped(core.length)} operations up to there explains it. One that explains all before it:`,
      style.width - 2,
    ),
    ...wrapItems(
      [...(skipped > 0 ? [`${style.ellipsis} ${grouped(skipped)} more`] : []), ...told],
      style.width - 6,
    ).map((line) => `  ${line}`),
    ...wrapWords(`After it the object is ${style.strong(printable(state))}.`, style.width - 2),
  ];
}
