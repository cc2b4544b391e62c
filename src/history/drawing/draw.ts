/** Draws a history as text, one row per process. `sketch(draw(h))` equals `h`. */

import { stringify } from '../../base/values/json-values.js';
import { printableJson } from '../../base/values/show.js';
import type { History } from '../history.js';
import { FAILED, NEVER, RETURNED, THREW } from '../model/columns.js';
import { type Bar, type Layout, layOut, width } from './layout.js';

/** The strokes of a drawing. */
export interface Strokes {
  readonly open: string;
  readonly line: string;
  /** Ends of bars: returned, pending, failed. */
  readonly returned: string;
  readonly pending: string;
  readonly failed: string;
  readonly gives: string;
  /** A rendezvous, the link between its operations, and a link that crosses a bar. */
  readonly point: string;
  readonly link: string;
  readonly cross: string;
}
export const UNICODE: Strokes = {
  open: '├─',
  line: '─',
  returned: '─┤',
  pending: '─?',
  failed: '─x',
  gives: '→',
  point: '●',
  link: '│',
  cross: '┼',
};
export const ASCII: Strokes = {
  open: '|-',
  line: '-',
  returned: '-|',
  pending: '-?',
  failed: '-x',
  gives: '->',
  point: 'o',
  link: '|',
  cross: '+',
};

/**
 * Draws a history as text: one row per process, time from left to right.
 *
 * @example
 * assert.equal(draw(sketch('A  |- push(1) -|')), 'A  ├─ push(1) ─┤');
 */
export function draw(history: History, strokes: Strokes = UNICODE): string {
  const layout = layOut(history, (k) => labelOf(history, k, strokes));
  return drawRows(layout, (bar) => drawBar(history, bar, strokes)).join('\n');
}

/** The rows of a layout. `bar` draws a bar with exactly its width. */
export function drawRows({ rows, bars }: Layout, bar: (bar: Bar) => string): string[] {
  const names = rows.map(quoteName);
  const margin = marginOf(rows);
  return rows.map((_, row) => {
    let text = names[row] + ' '.repeat(margin - width(names[row]));
    let column = 0;
    for (const own of bars) {
      if (own.row !== row) continue;
      text += ' '.repeat(own.from - column) + bar(own);
      column = own.to + 1;
    }
    return text;
  });
}

/** Width of the row names. */
export const marginOf = (rows: readonly string[]): number =>
  rows.reduce((widest, name) => Math.max(widest, width(quoteName(name))), 0) + 2;

export function drawBar(history: History, { k, label, from, to }: Bar, strokes: Strokes): string {
  const { status, return: returned } = history.columns;
  const end =
    status[k] === FAILED ? strokes.failed : returned[k] === NEVER ? strokes.pending : strokes.returned;
  const room = to - from + 1 - strokes.open.length - end.length - 2 - width(label);
  return `${strokes.open} ${label} ${strokes.line.repeat(room)}${end}`;
}

/** The operation as text that `sketch` can read: `queue.enqueue(1) → 2`. */
function labelOf(history: History, k: number, { gives }: Strokes): string {
  const { method, args, outcome, object } = history.at(k);
  const call = `${object === undefined ? '' : `${quoteName(object)}.`}${quoteName(method)}(${args.map(stringify).join(', ')})`;
  switch (history.columns.status[k]) {
    case RETURNED:
      return outcome.kind === 'returned' && outcome.value !== undefined
        ? `${call} ${gives} ${stringify(outcome.value)}`
        : call;
    case THREW:
      return outcome.kind === 'threw' ? `${call} ! ${quoteName(outcome.error)}` : call;
    default:
      return call;
  }
}

/** A name, quoted if it has unusual characters or looks like a stroke. */
const quoteName = (name: string): string =>
  /^[\p{L}\p{N}_$:][\p{L}\p{N}_$:-]*$/u.test(name) ? name : printableJson(JSON.stringify(name));
