/**
 * How an execution went, step by step: a column for each thread, and in it the source lines that it ran.
 *
 * Steps of one thread on one line, one after another, are one row.
 */
import { basename } from 'node:path';
import { printable } from '../../base/index.js';
import type { Place, Trace } from '../../explore/index.js';
import { Labels } from '../label.js';
import type { Style } from './style.js';

/** Where a step stands, and the text of that line. */
export type SourceOf = (site: number) => { readonly place: Place; readonly text: string } | undefined;

interface Row {
  readonly process: string;
  readonly text: string;
}

export function interleaving(trace: Trace, sourceOf: SourceOf, style: Style): string[] {
  const rows = rowsOf(trace, sourceOf, style);
  const processes = [...new Set(trace.history.processes)].sort();
  const widest = Math.max(...rows.map(({ text }) => [...text].length));
  const width = Math.min(widest + 3, Math.floor((style.width - 2) / processes.length));
  const cell = (text: string): string => {
    const letters = [...text];
    const fits = letters.length < width;
    return (
      fits ? text : `${letters.slice(0, width - 2 - style.ellipsis.length + 1).join('')}${style.ellipsis}`
    ).padEnd(width);
  };
  return [
    style.faint(
      processes
        .map((process) => cell(process))
        .join('')
        .trimEnd(),
    ),
    ...rows.map(({ process, text }) =>
      processes
        .map((own) => cell(own === process ? text : ''))
        .join('')
        .trimEnd(),
    ),
  ];
}

function rowsOf({ steps, history, idOf }: Trace, sourceOf: SourceOf, style: Style): Row[] {
  const labels = new Labels(history, style.strokes.gives);
  const position = history.positionsById();
  const rows: Row[] = [];
  const begun = new Set<number>();
  steps.forEach(({ operation, site, task }, i) => {
    const at = position[idOf[operation]];
    const { process } = history.at(at);
    if (!begun.has(operation)) rows.push({ process, text: labels.call(history.at(at)) });
    begun.add(operation);
    if (task) rows.push({ process, text: `  ${printable(`${task.does}  ${task.place}`.trim())}` });
    const source = task ? undefined : sourceOf(site);
    if (source) {
      const text = `  ${basename(source.place.file)}:${source.place.line}  ${printable(source.text.trim())}`;
      const last = rows.at(-1);
      if (last?.process !== process || last.text !== text) rows.push({ process, text });
    }
    const isLast = !steps.slice(i + 1).some((later) => later.operation === operation);
    if (isLast) rows.push({ process, text: ending(labels, at, history.columns.return[at]) });
  });
  return rows;

  function ending(of: Labels, at: number, returned: number): string {
    const call = of.call(history.at(at));
    const outcome = of.operation(at, true).slice(call.length).trim();
    if (!Number.isFinite(returned) || history.at(at).outcome.kind === 'pending') return '  waits for ever';
    return outcome === '' ? '  returns' : `  ${outcome}`;
  }
}
