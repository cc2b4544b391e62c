/**
 * An execution step by step: one column per thread with the source lines that it ran.
 *
 * Consecutive steps of a thread on one line form one row, with the values that they read and wrote beside it.
 */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { printable, printableSource } from '../../base/values/show.js';
import { WRITE } from '../../execution/memory/access.js';
import type { Trace, TraceStep } from '../../explore/model/trace-types.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { Labels } from '../common/label.js';
import type { SourceOf } from '../common/report-types.js';
import type { Style } from './style.js';

/*
 * After which step of an execution each call has ended.
 *
 * An asynchronous call may end in a later step than its own last one: two calls that start in one synchronous turn both
 * start before the microtasks run that end them.
 */

/** Source lines of steps, read on demand. */

export function sources(): SourceOf {
  const lines = new Map<string, readonly string[]>();
  return (site) => {
    const place = runtime.sites.placeOf(site);
    if (place.line === 0) return undefined;
    if (!lines.has(place.file)) lines.set(place.file, readFileSync(place.file, 'utf8').split('\n'));
    const own = lines.get(place.file) ?? [];
    const text = own[place.line - 1] ?? '';
    const name = runtime.sites.names[site] ?? '';
    return { place: { ...place, file: relative(process.cwd(), place.file) }, text, name, lines: own };
  };
}

/** Per step, the operations that end after it, in order. An operation that never ends is listed after its last step. */
export function endsOfSteps({ steps, history, idOf, endOf }: Trace): number[][] {
  const position = history.positionsById();
  const returned = (operation: number) => history.columns.return[position[idOf[operation]]];
  const last = new Map(steps.map(({ operation }, i) => [operation, i]));
  const ends: number[][] = steps.map(() => []);
  for (const [operation, own] of last) ends[endOf[operation] ?? own].push(operation);
  // two operations that never end have no order: Infinity - Infinity is NaN
  for (const own of ends) own.sort((a, b) => returned(a) - returned(b) || 0);
  return ends;
}

interface Row {
  readonly process: string;
  readonly text: string;
  /** Values read and written on the line; kept when the line is cut. */
  readonly values: readonly string[];
}

/** `fault`: id of the faulty operation. Rows with a marked step have a bar before them. */
export function interleaving(
  trace: Trace,
  fault: number,
  sourceOf: SourceOf,
  style: Style,
  isMarked: (step: TraceStep) => boolean = () => false,
): string[] {
  const rows = rowsOf(trace, fault, sourceOf, style, isMarked);
  // the order of the rows in the drawing: by the first call
  const { history } = trace;
  const processes = [...new Set(Array.from(history.columns.process, (_, k) => history.at(k).process))];
  const widest = Math.max(...rows.map((row) => [...whole(row)].length));
  const width = Math.min(widest + 3, Math.floor((style.width - 2) / processes.length));
  const cell = (row: Row): string => fitted(row, width, style).padEnd(width);
  const line = (cells: readonly string[]): string => cells.join('').trimEnd();
  return [
    style.faint(line(processes.map((process) => process.padEnd(width)))),
    ...rows.map((row) => line(processes.map((own) => (own === row.process ? cell(row) : ' '.repeat(width))))),
  ];
}

const valuesText = (values: readonly string[]): string =>
  values.length > 0 ? `   ${values.join(', ')}` : '';
const whole = ({ text, values }: Row): string => `${text}${valuesText(values)}`;

/** A row in fewer characters than `width`: first the line is cut, then the values. */
function fitted(row: Row, width: number, { ellipsis }: Style): string {
  const cut = (text: string, most: number): string => {
    const letters = [...text];
    return letters.length <= most ? text : `${letters.slice(0, most - ellipsis.length).join('')}${ellipsis}`;
  };
  const values = cut(valuesText(row.values), Math.floor(width / 2));
  return `${cut(row.text, width - 1 - [...values].length)}${values}`;
}

function rowsOf(
  trace: Trace,
  fault: number,
  sourceOf: SourceOf,
  style: Style,
  isMarked: (step: TraceStep) => boolean,
): Row[] {
  const { steps, history, idOf } = trace;
  const labels = new Labels(history, style.strokes.gives);
  const ends = endsOfSteps(trace);
  const position = history.positionsById();
  const rows: Row[] = [];
  const started = new Set<number>();
  steps.forEach((step, i) => {
    const { operation, site, task } = step;
    const at = position[idOf[operation]];
    const { process } = history.at(at);
    if (!started.has(operation)) rows.push({ process, text: labels.call(history.at(at)), values: [] });
    started.add(operation);
    const mark = isMarked(step) ? style.bar : ' ';
    if (task)
      rows.push({ process, text: `${mark} ${printable(`${task.does}  ${task.place}`.trim())}`, values: [] });
    const source = task ? undefined : sourceOf(site);
    if (source) {
      const text = `${mark} ${basename(source.place.file)}:${source.place.line}  ${printableSource(source.text.trim())}`;
      const values = valuesOf(step, source.name, style);
      const last = rows.at(-1);
      if (last?.process === process && last.text === text)
        rows[rows.length - 1] = { ...last, values: [...last.values, ...values] };
      else rows.push({ process, text, values });
    }
    for (const ended of ends[i]) {
      const own = position[idOf[ended]];
      rows.push({
        process: history.at(own).process,
        text: ending(labels, ended, own),
        values: [],
      });
    }
  });
  const last = steps.at(-1);
  if (trace.uncaught !== undefined && last) {
    const { process } = history.at(position[idOf[last.operation]]);
    rows.push({ process, text: `  ! ${printable(trace.uncaught)}`, values: [] });
  }
  return rows;

  function ending(of: Labels, operation: number, at: number): string {
    const own = history.at(at);
    const outcome = of
      .operation(at, at === position[fault])
      .slice(of.call(own).length)
      .trim();
    const error = printable(trace.errors[operation] ?? 'rejects');
    switch (own.outcome.kind) {
      case 'pending':
        if (trace.uncaught !== undefined) return '  pending';
        return trace.endOf[operation] === undefined ? '  blocked forever' : `  ! ${error}: effect unknown`;
      case 'failed':
        return `  ! ${error}: no effect`;
      case 'threw':
        return `  ${outcome.replace(printable(own.outcome.error), () => error)}`;
      default:
        return outcome === '' ? '  returns' : `  ${outcome}`;
    }
  }
}

/** `taken → 0` for a read, `taken = 1` for a write. */
function valuesOf({ kind, value }: TraceStep, name: string, { strokes, ellipsis }: Style): string[] {
  if (value === undefined || value === 'undefined') return [];
  const sign = kind === WRITE ? '=' : strokes.gives;
  return [`${name === '' ? '' : `${printable(name)} `}${sign} ${value.replaceAll('…', ellipsis)}`];
}
