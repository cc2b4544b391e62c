/**
 * An execution step by step: one column per thread with the source lines that it ran.
 *
 * Consecutive steps of a thread on one line form one row, with the values that they read and wrote beside it. A value *decides* if
 * another thread of the execution accesses the same location, and one of the two changes it: it depends on the schedule. Where room is
 * short, the source is cut first, then the other values are left out. Values that decide are never cut: they get rows of their own.
 */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { printable, printableSource } from '../../base/values/show.js';
import { conflict } from '../../execution/memory/access.js';
import type { LocationName } from '../../execution/memory/locations.js';
import type { Trace, TraceStep, WaitingStep } from '../../explore/model/trace-types.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { Labels } from '../common/label.js';
import type { SourceOf } from '../common/report-types.js';
import { type Style, wrapWords } from './style.js';

/** A narrower column has no room for a line and its values: then the threads share one column. */
const LEAST_COLUMN = 28;

/** Source lines of steps, read on demand. */
export function sources(): SourceOf {
  const lines = new Map<string, readonly string[]>();
  return (site) => {
    const place = runtime.sites.placeOf(site);
    if (place.line === 0) return undefined;
    if (!lines.has(place.file)) lines.set(place.file, linesOfFile(place.file));
    const own = lines.get(place.file) ?? [];
    const text = own[place.line - 1] ?? '';
    const name = runtime.sites.names[site] ?? '';
    return { place: { ...place, file: relative(process.cwd(), place.file) }, text, name, lines: own };
  };
}

const linesOfFile = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n');

/** The source of a place such as `pool.ts:21`; undefined if the file cannot be read. */
export function sourceAt(text: string): { file: string; line: number; lines: readonly string[] } | undefined {
  const [, file, line] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (file === undefined) return undefined;
  try {
    return { file, line: Number(line), lines: linesOfFile(file) };
  } catch {
    return undefined;
  }
}

/**
 * Per step, the operations that end after it, in order. An asynchronous call may end in a later step than its own last one: two calls
 * that start in one synchronous turn both start before the microtasks run that end them. An operation that never ends is listed after
 * its last step; a blocked one of a trace that knows where it waits, after the last step of all.
 */
export function endsOfSteps({ steps, history, idOf, endOf, waiting }: Trace): number[][] {
  const position = history.positionsById();
  const returned = (operation: number) => history.columns.return[position[idOf[operation]]];
  const last = new Map(steps.map(({ operation }, i) => [operation, i]));
  for (const { operation } of waiting) last.set(operation, steps.length - 1);
  const ends: number[][] = steps.map(() => []);
  for (const [operation, own] of last) ends[endOf[operation] ?? own]?.push(operation);
  // two operations that never end have no order: Infinity - Infinity is NaN
  for (const own of ends) own.sort((a, b) => returned(a) - returned(b) || 0);
  return ends;
}

/** Per step, whether another thread accesses its location too, and one of the two changes it. */
function decidingSteps(steps: readonly TraceStep[]): boolean[] {
  return steps.map(
    ({ thread, kind, location }) =>
      location !== undefined &&
      steps.some(
        (other) =>
          other.thread !== thread &&
          other.location !== undefined &&
          conflict(kind, other.kind) &&
          overlap(location, other.location),
      ),
  );
}

function overlap(one: LocationName, other: LocationName): boolean {
  if (one.extent === 'everything' || other.extent === 'everything') return true;
  if (one.thread !== other.thread || one.number !== other.number) return false;
  return one.field === other.field || one.extent === 'whole' || other.extent === 'whole';
}

/** How a call ends: what it returned, or where it is blocked and why. */
interface EndOfCall {
  readonly operation: number;
  readonly text: string;
  readonly blockedAt?: ReturnType<SourceOf>;
}

/** Per step, the calls that end after it. `fault`: id of the faulty operation. */
export function endsOfCalls(trace: Trace, fault: number, sourceOf: SourceOf, labels: Labels): EndOfCall[][] {
  const { history, idOf, errors, uncaught, endOf, steps } = trace;
  const position = history.positionsById();
  const processOf = (thread: number): string => {
    const own = steps.find((step) => step.thread === thread);
    return own === undefined ? '' : history.at(position[idOf[own.operation]]).process;
  };
  const blocked = new Map(trace.waiting.map((step) => [step.operation, step]));
  return endsOfSteps(trace).map((ends) =>
    ends.map((operation) => {
      const wait = blocked.get(operation);
      return wait
        ? { operation, text: blockedText(wait, processOf), blockedAt: sourceOf(wait.site) }
        : { operation, text: endText(operation) };
    }),
  );

  function endText(operation: number): string {
    const at = position[idOf[operation]];
    const own = history.at(at);
    const outcome = labels
      .operation(at, at === position[fault])
      .slice(labels.call(own).length)
      .trim();
    const error = printable(errors[operation] ?? 'rejects');
    switch (own.outcome.kind) {
      case 'pending':
        if (uncaught !== undefined) return 'pending';
        return endOf[operation] === undefined ? 'blocked forever' : `! ${error}: effect unknown`;
      case 'failed':
        return `! ${error}: no effect`;
      case 'threw':
        return outcome.replace(printable(own.outcome.error), () => error);
      default:
        return outcome === '' ? 'returns' : outcome;
    }
  }
}

/** Why a blocked call cannot continue. */
function blockedText({ reason, holders }: WaitingStep, processOf: (thread: number) => string): string {
  const names = holders.map(processOf).join(' and ');
  if (reason === 'held')
    return names === ''
      ? 'blocked forever'
      : `blocked forever: ${names} ${holders.length === 1 ? 'holds' : 'hold'} it`;
  return reason === 'spinning' ? 'blocked forever: the loop repeats' : 'blocked forever: nothing wakes it';
}

interface Value {
  readonly text: string;
  readonly decides: boolean;
}

interface Row {
  readonly process: string;
  readonly text: string;
  /** Is it a line of source? Nothing is cut of other rows. */
  readonly isSource: boolean;
  /** Values read and written on the line. */
  readonly values: readonly Value[];
}

/** `fault`: id of the faulty operation. Rows with a marked step have a bar before them. */
export function interleaving(
  trace: Trace,
  fault: number,
  sourceOf: SourceOf,
  style: Style,
  isMarked: (step: TraceStep) => boolean = () => false,
): string[] {
  const rows = new Rows(trace, fault, sourceOf, style, isMarked).rows;
  // the order of the rows in the drawing: by the first call
  const { history } = trace;
  const processes = [...new Set(Array.from(history.columns.process, (_, k) => history.at(k).process))];
  const widest = Math.max(...rows.map((row) => lengthOf(row.text + valuesText(row.values))));
  const width = Math.min(widest + 3, Math.floor((style.width - 2) / processes.length));
  if (width < Math.min(LEAST_COLUMN, widest + 3)) return oneColumn(rows, processes, style);
  const line = (cells: readonly string[]): string => cells.join('').trimEnd();
  return [
    style.faint(line(processes.map((process) => process.padEnd(width)))),
    ...rows.flatMap((row) =>
      fitted(row, width - 1, style).map((text) =>
        line(processes.map((own) => (own === row.process ? text : '').padEnd(width))),
      ),
    ),
  ];
}

/** All threads in one column, each row after the name of its thread. */
function oneColumn(rows: readonly Row[], processes: readonly string[], style: Style): string[] {
  const margin = Math.max(...processes.map(lengthOf)) + 2;
  return rows.flatMap((row, i) => {
    const name = rows[i - 1]?.process === row.process ? '' : row.process;
    return fitted(row, style.width - 2 - margin, style).map((text, k) =>
      `${(k === 0 ? name : '').padEnd(margin)}${text}`.trimEnd(),
    );
  });
}

const lengthOf = (text: string): number => [...text].length;

const valuesText = (values: readonly Value[]): string =>
  values.length > 0 ? `   ${values.map(({ text }) => text).join(', ')}` : '';

/** A row in lines of at most `width` characters. Every value that decides is in them, whole. */
function fitted({ text, values, isSource }: Row, width: number, { ellipsis }: Style): string[] {
  if (!isSource) return indented(text.trimStart(), text.match(/^ */)![0], width);
  const cut = (most: number): string =>
    lengthOf(text) <= most ? text : `${[...text].slice(0, most - ellipsis.length).join('')}${ellipsis}`;
  const deciding = values.filter(({ decides }) => decides);
  for (const shown of [values, deciding]) {
    const beside = valuesText(shown);
    const room = width - lengthOf(beside);
    if (room >= Math.min(lengthOf(text), Math.ceil(width / 2))) return [cut(room) + beside];
  }
  return [cut(width), ...indented(deciding.map((value) => value.text).join(', '), ' '.repeat(6), width)];
}

/** Text in lines that are broken between words, or inside of words that are longer than a line. */
function indented(text: string, indent: string, width: number): string[] {
  const room = width - indent.length;
  const broken = (line: string): string[] => {
    const letters = [...line];
    return Array.from({ length: Math.max(1, Math.ceil(letters.length / room)) }, (_, i) =>
      letters.slice(i * room, (i + 1) * room).join(''),
    );
  };
  return wrapWords(text, room)
    .flatMap(broken)
    .map((line) => indent + line);
}

class Rows {
  readonly rows: Row[] = [];
  readonly #trace: Trace;
  readonly #sourceOf: SourceOf;
  readonly #style: Style;
  readonly #labels: Labels;
  readonly #position: Int32Array;

  constructor(
    trace: Trace,
    fault: number,
    sourceOf: SourceOf,
    style: Style,
    isMarked: (step: TraceStep) => boolean,
  ) {
    const { steps, history } = trace;
    this.#trace = trace;
    this.#sourceOf = sourceOf;
    this.#style = style;
    this.#labels = new Labels(history, style.strokes.gives);
    this.#position = history.positionsById();
    const decides = decidingSteps(steps);
    const ends = endsOfCalls(trace, fault, sourceOf, this.#labels);
    const started = new Set<number>();
    for (const [i, step] of steps.entries()) {
      const { operation } = step;
      if (!started.has(operation)) this.#push(operation, this.#labels.call(history.at(this.#at(operation))));
      started.add(operation);
      this.#step(step, isMarked(step) ? style.bar : ' ', decides[i]);
      for (const end of ends[i]) this.#end(end);
    }
    const last = steps.at(-1);
    if (trace.uncaught !== undefined && last) this.#push(last.operation, `  ! ${printable(trace.uncaught)}`);
  }

  #at(operation: number): number {
    return this.#position[this.#trace.idOf[operation]];
  }

  #process(operation: number): string {
    return this.#trace.history.at(this.#at(operation)).process;
  }

  #push(operation: number, text: string, isSource = false, values: readonly Value[] = []): void {
    this.rows.push({ process: this.#process(operation), text, isSource, values });
  }

  #step(step: TraceStep, mark: string, decides: boolean): void {
    const { operation, site, task } = step;
    // the name of the file without its folder, as for lines of threads
    if (task) this.#push(operation, `${mark} ${printable(`${task.does}  ${basename(task.place)}`.trim())}`);
    const source = task ? undefined : this.#sourceOf(site);
    if (!source) return;
    const values = this.#valuesOf(step, source.name).map((text) => ({ text, decides }));
    this.#line(operation, this.#lineOf(source, mark), values);
  }

  /** Adds values to the last row, if that is the same line. */
  #line(operation: number, text: string, values: readonly Value[]): void {
    const last = this.rows.at(-1);
    if (last?.process === this.#process(operation) && last.text === text)
      this.rows[this.rows.length - 1] = { ...last, values: [...last.values, ...values] };
    else this.#push(operation, text, true, values);
  }

  #lineOf({ place, text }: NonNullable<ReturnType<SourceOf>>, mark: string): string {
    return `${mark} ${basename(place.file)}:${place.line}  ${printableSource(text.trim())}`;
  }

  /** How a call ended; if it is blocked, after the line at which it is, unless that is its last row. */
  #end({ operation, text, blockedAt }: EndOfCall): void {
    const process = this.#process(operation);
    const line = blockedAt && this.#lineOf(blockedAt, ' ');
    const last = this.rows.findLast((row) => row.process === process);
    if (line !== undefined && last?.text.slice(1) !== line.slice(1)) this.#push(operation, line, true);
    this.#push(operation, `  ${text}`);
  }

  /** `taken → 0` for a read, `taken = 1` for a write. */
  #valuesOf({ value, isStored }: TraceStep, name: string): string[] {
    if (value === undefined) return [];
    const { strokes, ellipsis } = this.#style;
    const sign = isStored ? '=' : strokes.gives;
    return [`${name === '' ? '' : `${printable(name)} `}${sign} ${value.replaceAll('…', ellipsis)}`];
  }
}
