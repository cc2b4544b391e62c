/** The data of the page: the history, the lanes in which it is drawn, and the labels of its operations. */
import { printable, showLines } from '../../src/base/values/show.js';
import type { History } from '../../src/history/history.js';
import { FAILED, NEVER } from '../../src/history/model/columns.js';
import { layOutRendezvous, type ReportedRendezvous } from '../../src/report/common/choose-operations.js';
import { Labels } from '../../src/report/common/label.js';
import { unpackHistory } from '../../src/report/html/history-data.js';
import type { PageData } from '../../src/report/html/page-types.js';
import { type Lanes, lanesOf, type Mark, marksOf, spread } from './places.js';

export class Model {
  readonly data: PageData;
  readonly history: History;
  readonly labels: Labels;
  readonly lanes: Lanes;
  readonly marks: readonly Mark[];
  /** Rendezvous: their members, by position, and moments with fractions. */
  readonly links: readonly {
    readonly moment: number;
    readonly members: readonly number[];
    readonly isMissed: boolean;
  }[];
  /** The ids of the core. */
  readonly core: ReadonlySet<number>;
  readonly #positions: Int32Array;
  /** The text that a query is matched with, by position; computed on demand. */
  readonly #searched: string[] = [];

  constructor(data: PageData) {
    this.data = data;
    this.history = unpackHistory(data.history);
    this.labels = new Labels(this.history, '→');
    this.lanes = lanesOf(this.history);
    this.marks = marksOf(this.history.annotations);
    this.links = linksOf(this.history, data.rendezvous);
    this.core = new Set(data.core?.operations);
    this.#positions = this.history.positionsById();
  }

  /** The position of an operation, by id; -1 for one that is not in the page. */
  position(id: number): number {
    return this.#positions[id] ?? -1;
  }

  get hasTimes(): boolean {
    return this.history.tables.times !== undefined;
  }

  process(k: number): string {
    return printable(this.history.tables.processes[this.history.columns.process[k]]);
  }

  partName(number: number): string {
    return printable(this.data.parts[number]?.name ?? '');
  }

  /** `dequeue() → 2`, `push(1) (failed)`. `full`: even a result that is implied. */
  label(k: number, full = true): string {
    return `${this.labels.operation(k, full)}${this.#suffix(k)}`;
  }

  #suffix(k: number): string {
    const { status, return: returned } = this.history.columns;
    if (status[k] === FAILED) return ' (failed)';
    return returned[k] === NEVER ? ' (never returned)' : '';
  }

  /** The known facts of an operation, as pairs of a name and a text. */
  details(k: number): [name: string, text: string][] {
    const { id, return: returned, call } = this.history.columns;
    const { lines } = this.history.tables;
    const { outcome, args, method, object } = this.history.at(k);
    const never = returned[k] === NEVER;
    const reason =
      'reason' in outcome && outcome.reason !== undefined ? `: ${printable(outcome.reason)}` : '';
    const ended = {
      returned: outcome.kind === 'returned' ? `returned ${long(outcome.value)}` : '',
      threw: outcome.kind === 'threw' ? `ended in error ${printable(outcome.error)}` : '',
      failed: `failed, so it did not happen${reason}`,
      pending: `never returned; it may have taken effect or not${reason}`,
    }[outcome.kind];
    return [
      ['operation', String(id[k])],
      ['process', this.process(k)],
      ...(object === undefined ? [] : [['object', printable(object)] as [string, string]]),
      ['method', printable(method)],
      ...args.map((value, i): [string, string] => [`argument ${i + 1}`, long(value)]),
      ['outcome', ended],
      ['called', this.when(k, 'call') ?? `event ${call[k]}`],
      ...(never ? [] : [['returned', this.when(k, 'return') ?? `event ${returned[k]}`] as [string, string]]),
      ...(this.duration(k) === undefined ? [] : [['duration', this.duration(k) ?? ''] as [string, string]]),
      ...(this.data.parts.length > 1
        ? [['part', this.partName(this.data.partOf[k])] as [string, string]]
        : []),
      ...(lines ? [['line', String(lines[id[k]])] as [string, string]] : []),
    ];
  }

  /** The recorded time, if there is one. */
  when(k: number, end: 'call' | 'return'): string | undefined {
    const { times } = this.history.tables;
    const time = times?.[end][this.history.columns.id[k]];
    if (time === undefined || Number.isNaN(time)) return undefined;
    return times?.since === undefined ? number(time) : `${printable(times.since)} + ${number(time)}`;
  }

  duration(k: number): string | undefined {
    const { times } = this.history.tables;
    const id = this.history.columns.id[k];
    const lasted = times ? times.return[id] - times.call[id] : Number.NaN;
    if (Number.isNaN(lasted)) return undefined;
    const { unit, size } = this.unitFor(lasted);
    return `${number(lasted / size)} ${unit}`.trim();
  }

  /** Call and return of an operation on an axis of ranks or times; infinite for a pending one. */
  span(k: number, axis: Axis): [from: number, to: number] {
    const { call, return: returned, id } = this.history.columns;
    const never = returned[k] === NEVER;
    const { times } = this.history.tables;
    if (axis === 'rank' || !times) return [call[k], never ? Number.POSITIVE_INFINITY : returned[k]];
    return [times.call[id[k]], never ? Number.POSITIVE_INFINITY : times.return[id[k]]];
  }

  /** The time or rank of a moment, which may lie between two events. */
  atMoment(moment: number, axis: Axis): number {
    const { events } = this.history.columns;
    const { times } = this.history.tables;
    if (axis === 'rank' || !times || events.length === 0) return moment;
    const timeOf = (m: number): number => {
      const event = events[Math.max(0, Math.min(events.length - 1, m))];
      const k = event >= 0 ? event : ~event;
      return times[event >= 0 ? 'call' : 'return'][this.history.columns.id[k]];
    };
    const [before, after] = [timeOf(Math.floor(moment)), timeOf(Math.ceil(moment))];
    return before + (moment - Math.floor(moment)) * (after - before);
  }

  /** The first and the last place on an axis. */
  extent(axis: Axis): [number, number] {
    const { events } = this.history.columns;
    if (events.length === 0) return [0, 1];
    const [first, last] = [this.atMoment(0, axis), this.atMoment(events.length - 1, axis)];
    return first < last ? [first, last] : [first, first + 1];
  }

  /** The unit in which people read a span of time, and its size in the unit of the recording; no name if that is unknown. */
  unitFor(span: number): { readonly unit: string; readonly size: number } {
    if (this.history.tables.times?.clock === undefined) return { unit: '', size: 1 };
    return UNITS.find(({ size }) => span >= 2 * size) ?? UNITS[UNITS.length - 1];
  }

  /** The text that a query is matched with, in lower case. */
  searched(k: number): string {
    this.#searched[k] ??= `${this.process(k)} ${this.label(k)}`.toLowerCase();
    return this.#searched[k];
  }
}

function linksOf(history: History, rendezvous: readonly ReportedRendezvous[]): Model['links'] {
  const position = history.positionsById();
  const known = rendezvous.filter(({ members }) => members.some((id) => position[id] >= 0));
  const drawn = layOutRendezvous(
    history,
    known.map(({ members }) => members),
  );
  const moments = spread(drawn.map(({ moment }) => moment));
  return drawn.map(({ members }, i) => ({ moment: moments[i], members, isMissed: known[i].isMissed }));
}

export type Axis = 'rank' | 'time';

/** Units of time in nanoseconds. */
const UNITS = [
  { unit: 'min', size: 60e9 },
  { unit: 's', size: 1e9 },
  { unit: 'ms', size: 1e6 },
  { unit: 'µs', size: 1e3 },
  { unit: 'ns', size: 1 },
] as const;

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 6 });

/** Characters of a value in the panel of details. */
const LONG = 2_000;

function long(value: unknown): string {
  if (typeof value !== 'string') return showLines(value).join('\n');
  const text = printable(JSON.stringify(value.slice(0, LONG)));
  return value.length > LONG ? `${text} and ${number(value.length - LONG)} more characters` : text;
}

/** The details of an operation, one per line. */
export function tooltip(model: Model, k: number): string {
  const lines = model.details(k).map(([name, text]) => `${name}: ${text.slice(0, 200)}`);
  return lines.join('\n');
}
