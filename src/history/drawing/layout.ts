/**
 * Positions of the operations of a history in a drawing: one row per process, time from left to
 * right.
 *
 * Each moment has its own column, in order and as far left as the labels allow. The drawing
 * therefore shows the order of all calls and returns. A process with overlapping calls gets several
 * rows. Each rendezvous has its own column too, after the labels of its operations.
 */
import type { History } from '../history.js';
import { NEVER } from '../model/columns.js';

/** An operation as a bar. Columns are counted in characters; `to` is the last one. */
export interface Bar {
  readonly k: number;
  readonly label: string;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** Operations that synchronise after the event at a moment and before the next one. */
export interface DrawnRendezvous {
  readonly moment: number;
  readonly members: readonly number[];
}

export interface Layout {
  /** Row to process name. */
  readonly rows: readonly string[];
  /** In order of call. */
  readonly bars: readonly Bar[];
  /** Rendezvous to its column. */
  readonly points: readonly number[];
}

/** Two characters at each end, and a space on both sides of the label. */
const FRAME = 6;
const GAP = 2;

/** Width of a text: one column per code point. */
export const width = (text: string): number => [...text].length;

export function layOut(
  history: History,
  labelOf: (k: number) => string,
  rendezvous: readonly DrawnRendezvous[] = [],
): Layout {
  const { events, return: returned, process } = history.columns;
  const labels = Array.from(history.columns.id, (_, k) => labelOf(k));
  const rows: { process: number; last: number; end: number }[] = [];
  const rowOf: number[] = [];
  const from: number[] = [];
  const to: number[] = [];

  let column = -1;
  const points = new Array<number>(rendezvous.length).fill(-1);
  const placeRendezvous = (moment: number) => {
    for (const [number, { members }] of rendezvous.entries()) {
      if (rendezvous[number].moment !== moment) continue;
      column = Math.max(column + 1, ...members.map((k) => from[k] + width(labels[k]) + FRAME - 2));
      points[number] = column;
      for (const k of members) {
        to[k] = Math.max(to[k], column + 2);
        rows[rowOf[k]].end = Math.max(rows[rowOf[k]].end, to[k]);
      }
    }
  };
  const place = (event: number) => {
    const k = event >= 0 ? event : ~event;
    if (event < 0) {
      // a return: at least as far right as the label needs
      column = Math.max(column + 1, to[k]);
      to[k] = column;
      rows[rowOf[k]].end = column;
      return;
    }
    // a call: on the first row of its process that is free by now
    let row = rows.findIndex(
      (own) =>
        own.process === process[k] &&
        !(returned[own.last] > history.columns.call[k] && returned[own.last] !== NEVER),
    );
    if (row < 0) row = rows.push({ process: process[k], last: k, end: -GAP - 1 }) - 1;
    column = Math.max(column + 1, rows[row].end + GAP + 1);
    rowOf[k] = row;
    from[k] = column;
    to[k] = column + width(labels[k]) + FRAME - 1;
    rows[row].last = k;
    rows[row].end = to[k];
  };
  events.forEach((event, moment) => {
    place(event);
    placeRendezvous(moment);
  });

  return {
    rows: rows.map((row) => history.tables.processes[row.process]),
    bars: labels.map((label, k) => ({ k, label, row: rowOf[k], from: from[k], to: to[k] })),
    points,
  };
}

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
