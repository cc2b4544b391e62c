/**
 * A history as plain data, on its way into a page.
 *
 * The page makes the same history of it, so that labels and drawings come from the code that the terminal uses.
 * Values travel as JSON with tags. A value that JSON does not have, such as a function, travels as its text.
 */
import { Interner } from '../../base/values/interner.js';
import { parseJson } from '../../base/values/json-reader.js';
import { stringify, untag } from '../../base/values/json-values.js';
import { show } from '../../base/values/show.js';
import { History } from '../../history/history.js';
import { type Columns, type Describe, NEVER } from '../../history/model/columns.js';
import type { Annotation } from '../../history/model/operation.js';
import type { RecordedTimes } from '../../history/model/timestamps.js';
import { Labels } from '../common/label.js';

export interface HistoryData {
  readonly objects: readonly (string | null)[];
  readonly processes: readonly string[];
  readonly methods: readonly string[];
  readonly values: readonly string[];
  readonly undefinedIsNull: boolean;
  /** Columns, as in a history; a return of -1 is one that never came. Lines and times are by position too. */
  readonly id: readonly number[];
  readonly object: readonly number[];
  readonly process: readonly number[];
  readonly method: readonly number[];
  readonly argumentStart: readonly number[];
  readonly argument: readonly number[];
  readonly status: readonly number[];
  readonly result: readonly number[];
  readonly call: readonly number[];
  readonly return: readonly number[];
  readonly after?: { readonly start: readonly number[]; readonly items: readonly number[] };
  readonly lines?: readonly number[];
  readonly times?: {
    readonly call: readonly (number | null)[];
    readonly return: readonly (number | null)[];
    readonly since?: string;
  };
  /** By position: calls, and operations with their outcomes, as a spec describes them. */
  readonly texts?: { readonly calls: readonly string[]; readonly operations: readonly string[] };
  readonly annotations: readonly Annotation[];
  readonly stuck: boolean;
}

export function packHistory(history: History): HistoryData {
  const { columns, tables, annotations, stuck } = history;
  const { id, after } = columns;
  const { lines, times } = tables;
  const used = usedValues(columns);
  const timesOf = (column: Float64Array) =>
    Array.from(id, (own) => (Number.isNaN(column[own]) ? null : column[own]));
  return {
    objects: tables.objects.map((object) => object ?? null),
    processes: tables.processes,
    methods: tables.recordedMethods ?? tables.methods,
    values: tables.values.values.map((value, number) =>
      used.has(number) ? valueText(value) : `"unused value ${number}"`,
    ),
    undefinedIsNull: tables.undefinedIsNull,
    id: Array.from(id),
    object: Array.from(columns.object),
    process: Array.from(columns.process),
    method: Array.from(columns.method),
    argumentStart: Array.from(columns.argumentStart),
    argument: Array.from(columns.argument),
    status: Array.from(columns.status),
    result: Array.from(columns.result),
    call: Array.from(columns.call),
    return: Array.from(columns.return, (moment) => (moment === NEVER ? -1 : moment)),
    ...(after && { after: { start: Array.from(after.start), items: Array.from(after.items) } }),
    ...(lines && { lines: Array.from(id, (own) => lines[own]) }),
    ...(times && {
      times: {
        call: timesOf(times.call),
        return: timesOf(times.return),
        ...(times.since !== undefined && { since: times.since }),
      },
    }),
    ...(tables.describe && { texts: textsOf(history) }),
    annotations,
    stuck,
  };
}

function textsOf(history: History): NonNullable<HistoryData['texts']> {
  const labels = new Labels(history, '→');
  const positions = Array.from(history.columns.id.keys());
  return {
    calls: positions.map((k) => labels.call(history.at(k))),
    operations: positions.map((k) => labels.operation(k)),
  };
}

/** Omits the values that no operation of the cut has. */
function usedValues({ argument, result }: Columns): Set<number> {
  const used = new Set<number>(argument);
  for (const number of result) used.add(number);
  return used;
}

function valueText(value: unknown): string {
  try {
    return stringify(value);
  } catch {
    return stringify(show(value));
  }
}

export function unpackHistory(data: HistoryData): History {
  const { processes, methods, undefinedIsNull, annotations, stuck, lines, times, texts } = data;
  const id = Int32Array.from(data.id);
  const columns: Columns = {
    id,
    object: Int32Array.from(data.object),
    process: Int32Array.from(data.process),
    method: Int32Array.from(data.method),
    argumentStart: Int32Array.from(data.argumentStart),
    argument: Int32Array.from(data.argument),
    status: Uint8Array.from(data.status),
    result: Int32Array.from(data.result),
    call: Int32Array.from(data.call),
    return: Int32Array.from(data.return, (moment) => (moment < 0 ? NEVER : moment)),
    events: eventsOf(data),
    ...(data.after && {
      after: { start: Int32Array.from(data.after.start), items: Int32Array.from(data.after.items) },
    }),
  };
  const last = id.length === 0 ? -1 : id[id.length - 1];
  const tables = {
    objects: data.objects.map((object) => object ?? undefined),
    processes,
    methods,
    values: valuesOf(data.values),
    undefinedIsNull,
    ...(lines && { lines: scattered(new Int32Array(last + 1), id, lines) }),
    ...(times && { times: unpackTimes(times, id, last + 1) }),
    ...(texts && { describe: describeBy(texts, id) }),
  };
  return new History(columns, tables, annotations, stuck);
}

function describeBy({ calls, operations }: NonNullable<HistoryData['texts']>, ids: Int32Array): Describe {
  const position = new Map(Array.from(ids, (id, k) => [id, k]));
  return {
    operation: ({ id }, outcome) => (outcome ? operations : calls)[position.get(id) ?? -1],
    value: () => undefined,
  };
}

function eventsOf({ call, return: returned }: HistoryData): Int32Array {
  const events = new Int32Array(call.length + returned.filter((moment) => moment >= 0).length);
  call.forEach((moment, k) => {
    events[moment] = k;
    if (returned[k] >= 0) events[returned[k]] = ~k;
  });
  return events;
}

/** Each value keeps its number, which distinguishes values whose texts are equal. */
function valuesOf(texts: readonly string[]): Interner {
  const values = new Interner();
  texts.forEach((text, number) => {
    if (values.intern(untag(parseJson(text))) !== number) values.intern(`${text} (value ${number})`);
  });
  return values;
}

const unpackTimes = (
  { call, return: returned, since }: NonNullable<HistoryData['times']>,
  id: Int32Array,
  size: number,
): RecordedTimes => ({
  call: scattered(new Float64Array(size), id, call),
  return: scattered(new Float64Array(size), id, returned),
  ...(since !== undefined && { since }),
});

/** By position becomes by id. */
function scattered<A extends Int32Array | Float64Array>(
  into: A,
  id: Int32Array,
  items: readonly (number | null)[],
): A {
  items.forEach((item, k) => {
    into[id[k]] = item ?? Number.NaN;
  });
  return into;
}
