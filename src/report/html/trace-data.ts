/** An execution for a page: its steps, with what each read or stored, and the source around the lines that they ran. */
import { type Trace, VERBS } from '../../explore/index.js';
import type { SourceOf } from '../text/interleaving.js';
import type { StepData, TraceData } from './page-types.js';

/** Lines of source that are told before and after one that ran. */
const AROUND = 6;

export function traceData({ steps, idOf }: Trace, sourceOf: SourceOf): TraceData {
  const names: string[] = [];
  const ran: { lines: readonly string[]; numbers: Set<number> }[] = [];
  const told = steps.map(({ operation, kind, site, value }): StepData => {
    const source = sourceOf(site);
    let file = source ? names.indexOf(source.place.file) : -1;
    if (source && file < 0) {
      file = names.push(source.place.file) - 1;
      ran.push({ lines: source.lines, numbers: new Set() });
    }
    if (source) ran[file].numbers.add(source.place.line);
    return {
      operation: idOf[operation],
      access: VERBS[kind],
      name: source?.name ?? '',
      value: value ?? null,
      file: file < 0 ? null : file,
      line: source?.place.line ?? 0,
    };
  });
  return {
    steps: told,
    files: names.map((name, file) => ({ name, lines: linesAround(ran[file].lines, ran[file].numbers) })),
  };
}

function linesAround(lines: readonly string[], ran: ReadonlySet<number>): (readonly [number, string])[] {
  const isNear = (number: number) => [...ran].some((own) => Math.abs(own - number) <= AROUND);
  return lines.map((text, i) => [i + 1, text] as const).filter(([number]) => isNear(number));
}
