/**
 * The drawing of a report: a row for each process if that fits the width,
 * otherwise a column for each process, time going down.
 */
import { printable } from '../../base/values/show.js';
import type { Counterexample } from '../../check/model/verdict.js';
import {
  type Bar,
  type DrawnRendezvous,
  type Layout,
  layOut,
  type Strokes,
} from '../../history/drawing/layout.js';
import { drawBar, drawRows, marginOf } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { FAILED, NEVER } from '../../history/model/columns.js';
import { Labels } from '../common/label.js';
import { reasons } from '../sentences/reasons.js';
import { painted, type Style, wrapItems, wrapWords } from './style.js';

/* Rendezvous in a drawing: a point on the bar of each member, and a link across the rows between. */

/** Rows of a drawing, with the points in it. Columns of the layout start at `margin`. */
function withPoints(
  rows: readonly string[],
  { bars, points }: Pick<Layout, 'bars' | 'points'>,
  rendezvous: readonly DrawnRendezvous[],
  margin: number,
  { point, link, cross, line }: Strokes,
): string[] {
  const cells = rows.map((row) => [...row]);
  const rowOf = (k: number) => (bars.find((bar: Bar) => bar.k === k) as Bar).row;
  for (const [number, { members }] of rendezvous.entries()) {
    const column = margin + points[number];
    const own = members.map(rowOf);
    for (let row = Math.min(...own); row <= Math.max(...own); row++) {
      while (cells[row].length <= column) cells[row].push(' ');
      const there = cells[row][column];
      if (own.includes(row)) cells[row][column] = point;
      else if (there === ' ') cells[row][column] = link;
      else if (there === line) cells[row][column] = cross;
    }
  }
  return cells.map((row) => row.join(''));
}

/** The operation with the id `fault` is marked, if there is one; `rendezvous` are drawn as points. */
export function drawTimeline(
  history: History,
  fault: number | undefined,
  style: Style,
  rendezvous: readonly DrawnRendezvous[] = [],
): string[] {
  const labels = new Labels(history, style.strokes.gives);
  const marked = (k: number) => history.columns.id[k] === fault;
  const layout = layOut(
    history,
    (k) => (marked(k) ? `${labels.operation(k, true)} ${style.no}` : labels.operation(k)),
    rendezvous,
  );
  const margin = marginOf(layout.rows);
  // `to` is the last column of a bar, and reports indent by two
  const width = Math.max(...layout.bars.map(({ to }) => to)) + 1 + margin + 2;
  if (width > style.width) return drawColumns(history, labels, marked, rendezvous, style);
  const rows = drawRows(layout, (bar) => drawBar(history, bar, style.strokes));
  const drawn = withPoints(rows, layout, rendezvous, margin, style.strokes);
  const bar = layout.bars.find(({ k }) => marked(k));
  return drawn.map((row, number) => {
    if (bar?.row !== number) return row;
    const cells = [...row];
    const [from, end] = [margin + bar.from, margin + bar.to + 1];
    return [cells.slice(0, from), [style.bad(cells.slice(from, end).join(''))], cells.slice(end)]
      .map((part) => part.join(''))
      .join('');
  });
}

/** Narrower columns do not wrap outcomes. */
const LEAST_OUTCOME = 26;

function drawColumns(
  history: History,
  labels: Labels,
  marked: (k: number) => boolean,
  rendezvous: readonly DrawnRendezvous[],
  style: Style,
): string[] {
  const { events, process, status, return: returned } = history.columns;
  const ascii = style.strokes.line === '-';
  const [start, middle, end] = ascii ? ['+', '|', '+'] : ['┬', '│', '┴'];
  const columns = [...new Set(process)];
  const calls = Array.from(process, (_, k) => labels.call(history.at(k)));
  const endText = (k: number): string => {
    const outcome = labels.operation(k, marked(k)).slice(calls[k].length).trim();
    return `${status[k] === FAILED ? 'failed' : outcome}${marked(k) ? ` ${style.no}` : ''}`;
  };
  const ends = calls.map((_, k) => endText(k));
  const longest = (texts: readonly string[], p: number): number =>
    Math.max(0, ...texts.filter((_, k) => process[k] === p).map((text) => [...text].length));
  const least = columns.map((p) => Math.max(history.tables.processes[p].length, longest(calls, p) + 4) + 2);
  const whole = columns.map((p, i) => Math.max(least[i], longest(ends, p) + 4));
  const fits = (columnWidths: readonly number[]): boolean =>
    columnWidths.reduce((sum, width) => sum + width, 2) <= style.width;
  // a longer outcome continues on rows of its own
  const widths = fits(whole)
    ? whole
    : least.map((width, i) => Math.min(whole[i], Math.max(width, LEAST_OUTCOME)));
  const row = (
    cell: (p: number) => string,
    paint: (text: string, p: number) => string = (text) => text,
  ): string =>
    columns
      .map((p, i) => paint(cell(p).padEnd(widths[i]), p))
      .join('')
      .trimEnd();

  if (!fits(widths)) return list(history, calls, labels, marked, style);

  const open = new Map<number, number[]>();
  const lines = [style.faint(row((p) => printable(history.tables.processes[p])))];
  for (const [moment, event] of events.entries()) {
    const k = event >= 0 ? event : ~event;
    const now = open.get(process[k]) ?? [];
    const texts =
      event >= 0
        ? [`${start} ${calls[k]}${returned[k] === NEVER ? ' ?' : ''}`]
        : wrapWords(ends[k], widths[columns.indexOf(process[k])] - 4).map(
            (line, i) => `${i === 0 ? end : ' '} ${line}`,
          );
    for (const text of texts.length > 0 ? texts : [end])
      lines.push(
        row(
          (p) => (p === process[k] ? text : (open.get(p) ?? []).length > 0 ? middle : ''),
          (cell, p) => (p === process[k] && marked(k) ? style.bad(cell) : cell),
        ),
      );
    if (event < 0)
      open.set(
        process[k],
        now.filter((other) => other !== k),
      );
    else if (returned[k] !== NEVER) open.set(process[k], [...now, k]);
    for (const { members } of rendezvous.filter((own) => own.moment === moment)) {
      const involved = new Set(members.map((own) => process[own]));
      lines.push(
        row((p) => (involved.has(p) ? style.strokes.point : (open.get(p) ?? []).length > 0 ? middle : '')),
      );
    }
  }
  return lines;
}

/** Too narrow for columns: one event a line. */
function list(
  history: History,
  calls: readonly string[],
  labels: Labels,
  marked: (k: number) => boolean,
  style: Style,
): string[] {
  const { events, process, status } = history.columns;
  return Array.from(events, (event) => {
    const k = event >= 0 ? event : ~event;
    const who = printable(history.tables.processes[process[k]]);
    const outcome = labels.operation(k, marked(k)).slice(calls[k].length).trim();
    const line =
      event >= 0
        ? `${who} calls ${calls[k]}`
        : `${who} ${status[k] === FAILED ? 'failed' : `returns from ${calls[k]}`}${outcome === '' ? '' : ` ${outcome}`}`;
    return marked(k) ? style.bad(event >= 0 ? line : `${line} ${style.no}`) : line;
  });
}

/** An explanation on a terminal: sentences coloured and wrapped, with the steps of linearizations indented below. */
export function reasonLines(counterexample: Counterexample, history: History, style: Style): string[] {
  const signs = { gives: style.strokes.gives, ellipsis: style.ellipsis };
  return reasons(counterexample, history, signs).flatMap(({ sentence, steps = [] }) => [
    ...wrapWords(painted(sentence, style), style.width - 2),
    ...(steps.length === 0
      ? []
      : wrapItems(
          steps.map((step) => painted(step, style)),
          style.width - 6,
        ).map((line) => `  ${line}`)),
  ]);
}
