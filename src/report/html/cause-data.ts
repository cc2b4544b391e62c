/** The root cause as data of a page: each repair with its lines, the steps inside it, and the interruptions. */
import { Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import { NOTHING, VERBS } from '../../execution/memory/access.js';
import type { Trace } from '../../explore/model/trace-types.js';
import { interruptions } from '../../root-cause/blamed-block.js';
import type { Explained, SourceOf } from '../common/report-types.js';
import { relativePath } from '../common/verdict-words.js';
import {
  basisText,
  betweenSentence,
  blameText,
  noCauseText,
  otherText,
  partialText,
  repairText,
  testsText,
  verificationText,
} from '../sentences/root-cause.js';
import { SIGNS } from '../sentences/words.js';
import { endsOfSteps } from '../text/interleaving.js';
import type { CauseData, RepairData, SourceFileData, StepData } from './page-types.js';

/** Lines of source shown before and after a line of interest. */
const AROUND = 6;

/** The source that a page shows: for each file, the lines of interest and some around them. */
export class SourceFiles {
  readonly #numbers = new Map<string, number>();
  readonly #files: { readonly lines: readonly string[]; readonly spoken: Set<number> }[] = [];

  /** Adds lines of interest; returns the number of the file. */
  add(name: string, lines: readonly string[], from: number, to: number = from): number {
    const number = this.#numbers.get(name) ?? this.#files.push({ lines, spoken: new Set() }) - 1;
    this.#numbers.set(name, number);
    for (let line = from; line <= to; line++) this.#files[number].spoken.add(line);
    return number;
  }

  get data(): SourceFileData[] {
    return Array.from(this.#numbers, ([name, number]) => {
      const { lines, spoken } = this.#files[number];
      const isNear = (line: number) => [...spoken].some((own) => Math.abs(own - line) <= AROUND);
      return { name, lines: lines.map((text, i) => [i + 1, text] as const).filter(([line]) => isNear(line)) };
    });
  }
}

/* An execution for a page: its steps, with what each read or stored and where it stands. */

export function stepsData(trace: Trace, sourceOf: SourceOf, files: SourceFiles): StepData[] {
  const { steps, idOf } = trace;
  const ends = endsOfSteps(trace);
  return steps.map(({ operation, kind, site, value, task }, i): StepData => {
    const source = task ? undefined : sourceOf(site);
    return {
      operation: idOf[operation],
      access: task ? task.does : kind === NOTHING && !source ? '' : VERBS[kind],
      name: task ? task.place : (source?.name ?? ''),
      value: value ?? null,
      file: source ? files.add(source.place.file, source.lines, source.place.line) : null,
      line: source?.place.line ?? 0,
      ends: ends[i].map((ended) => idOf[ended]),
    };
  });
}

export function causeData(
  explained: Explained,
  trace: Trace,
  sourceOf: SourceOf,
  files: SourceFiles,
): CauseData {
  const { explanation, linesOf, placeOf } = explained;
  const { repairs, refuted, partial, collected } = explanation;
  const [first] = repairs;
  const tests = testsText(explained);
  if (first === undefined) return { summary: [noCauseText(explained), ...tests].join(' '), repairs: [] };
  const all = [
    ...[...repairs, ...refuted].map((one) => ({
      ...one,
      outcome: one === first ? 'comes first' : otherText(one),
      tried: verificationText(one, explained),
    })),
    ...partial.map((one) => ({ ...one, outcome: partialText(one, explanation) })),
  ];
  return {
    summary: [blameText(first, explanation), ...tests, basisText(explanation)].join(' '),
    repairs: all.map(({ repair, forbidden, outcome, ...one }): RepairData => {
      const blocks = new Blocks(repair, placeOf);
      return {
        name: repairText(
          repair,
          all.map((one) => one.repair),
        ),
        rank: 'rank' in one ? one.rank : null,
        outcome,
        tried: 'tried' in one ? one.tried : '',
        forbidden,
        of: collected.passing.length,
        blocks: repair.map(({ file, start, end }) => ({
          file: files.add(relativePath(file), linesOf(file), start.line, end.line),
          from: start.line,
          to: end.line,
        })),
        inside: trace.steps.flatMap(({ levels }, i) => (blocks.runOf(levels) === NO_RUN ? [] : [i])),
        between: interruptions(trace, repair, placeOf).map((own) => ({
          sentence: betweenSentence(own, trace, sourceOf, SIGNS),
          steps: own.by.map((step) => trace.steps.indexOf(step)).filter((i) => i >= 0),
        })),
      };
    }),
  };
}
