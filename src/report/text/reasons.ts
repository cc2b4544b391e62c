/** Why, in plain sentences. */
import { printable } from '../../base/index.js';
import type { Counterexample, Longest } from '../../check/index.js';
import type { History, Outcome } from '../../history/index.js';
import { Labels, outcomeInWords } from '../label.js';
import type { Style } from './style.js';

/** How much of a long order is told: its end. */
const LAST = 8;
const MOST_ALLOWED = 8;

export function reasons({ core, cause }: Counterexample, history: History, style: Style): string[] {
  const labels = new Labels(history, style.strokes.gives);
  const operation = history.at(history.positionsById()[cause.operation]);
  const call = `${style.strong(labels.call(operation))} by ${printable(operation.process)} (operation ${operation.id})`;
  const allowed = listOutcomes(cause.allowed, style);
  if (cause.kind === 'waits')
    return [
      `Nothing moves any more, and ${call} waits for ever.`,
      `It need not: no order of what returned leaves it waiting${allowed === undefined || allowed === 'nothing' ? '' : `; it could have returned ${allowed}`}.`,
    ];
  const answer = `${call} ${operation.outcome.kind === 'threw' ? 'ended in' : 'returned'} ${style.bad(outcomeInWords(operation.outcome))}`;
  return [
    allowed === undefined
      ? `${answer}; here it would have to wait.`
      : `${answer}; allowed here: ${style.good(allowed)}.`,
    ...longestOrder(cause.longest, core, history, labels, style),
  ];
}

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
    `No order of the ${core.length} operations up to there explains it. One that explains all before it:`,
    ...wrap([...(skipped > 0 ? [`${style.ellipsis} ${skipped} more`] : []), ...told], style.width - 6).map(
      (line) => `  ${line}`,
    ),
    `After it the object is ${style.strong(printable(state))}.`,
  ];
}

/** Items with commas between them, in lines no wider than asked for where that can be. */
function wrap(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  items.forEach((item, i) => {
    const piece = i < items.length - 1 ? `${item},` : item;
    if (line !== '' && line.length + 1 + piece.length > width) {
      lines.push(line);
      line = piece;
    } else line = line === '' ? piece : `${line} ${piece}`;
  });
  return [...lines, line];
}
