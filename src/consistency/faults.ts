/**
 * All contradictions of a history, by part and over time, and counted against the faults that its annotations describe.
 *
 * A contradiction is a set of few operations that no order contains, whatever else happened: a stale read with the
 * operation that shows a newer value, a value that was removed twice. Each stands by itself, so all of them can be
 * counted after the first violation. It is placed at the call of its last operation.
 *
 * A fault is an interval. It lasts from an annotation to its `until`; or to the annotation that ends it: `X over`, or the
 * same words with the opposite verb, such as `pause n1` and `resume n1`, or `n1 is paused` and `n1 resumed`. Events of Jepsen's nemesis end each other by
 * their function alone; a second event with the same function is the completion of the first. A fault that nothing ends
 * lasts until the end of the history.
 */
import { InputError } from '../base/errors.js';
import { show } from '../base/values/show.js';
import type { History } from '../history/history.js';
import { NEVER } from '../history/model/columns.js';
import type { Annotation } from '../history/model/operation.js';
import { addTimestamps, negated } from '../history/model/timestamps.js';
import type { CellLevels } from './cells.js';
import type { FaultyValues } from './container-values.js';

export type ContradictionKind =
  | 'stale read'
  | 'value never written'
  | 'value not yet written'
  | 'broken session guarantee'
  | 'value invented'
  | 'value removed twice'
  | 'value overtaken'
  | 'value removed from below'
  | 'value missing'
  | 'not empty';

/** A contradiction, by the id of the operation at whose call it is placed. */
interface Contradiction {
  readonly kind: ContradictionKind;
  readonly operation: number;
  readonly part: string;
}

/** How many contradictions were called during a fault. */
export interface FaultCount {
  readonly fault: string;
  /** How often the fault occurred, and how many operations were called during it. */
  readonly times: number;
  readonly operations: number;
  readonly counts: readonly {
    readonly kind: ContradictionKind;
    readonly total: number;
    readonly within: number;
  }[];
}

/** All contradictions, and where they are. One operation may have several, such as a stale read that breaks a session guarantee. */
export interface AllContradictions {
  readonly each: readonly Contradiction[];
  /** How many operations have one, by part. */
  readonly byPart: readonly { readonly part: string; readonly count: number }[];
  /** How many operations have one, in each tenth of the history. */
  readonly overTime: readonly number[];
  readonly faults: readonly FaultCount[];
}

/** What contradictions follow from. */
type Measured = CellLevels & { readonly values: FaultyValues | undefined };

export function allContradictions(
  consistency: Measured,
  history: History,
  partOf: (position: number) => string,
): AllContradictions {
  const position = history.positionsById();
  const each = contradictionsOf(consistency)
    .map(([kind, operation]) => ({ kind, operation, part: partOf(position[operation]) }))
    .sort((a, b) => a.operation - b.operation);
  const parts = new Map<string, number>();
  const overTime = new Array<number>(TENTHS).fill(0);
  const operations = new Map(each.map(({ operation, part }) => [operation, part]));
  for (const [operation, part] of operations) {
    parts.set(part, (parts.get(part) ?? 0) + 1);
    overTime[Math.min(TENTHS - 1, Math.floor((TENTHS * position[operation]) / history.length))]++;
  }
  return {
    each,
    byPart: Array.from(parts, ([part, count]) => ({ part, count })).sort((a, b) => b.count - a.count),
    overTime,
    faults: each.length === 0 ? [] : countFaults(each, history, position),
  };
}

const TENTHS = 10;

function contradictionsOf({
  stale,
  neverWritten,
  regular,
  sessions,
  values,
}: Measured): [ContradictionKind, number][] {
  const found: [ContradictionKind, number][] = [];
  const add = (kind: ContradictionKind, operations: Iterable<number | undefined>): void => {
    for (const operation of operations) if (operation !== undefined) found.push([kind, operation]);
  };
  const staleIds = new Set(stale.reads.map(({ operation }) => operation));
  add('stale read', staleIds);
  add('value never written', neverWritten);
  const unwritten = new Set(neverWritten);
  add(
    'value not yet written',
    (regular.irregular ?? []).filter((id) => !staleIds.has(id) && !unwritten.has(id)),
  );
  add('broken session guarantee', new Set(sessions.broken.flatMap(({ operations }) => operations)));
  add('value invented', values?.invented ?? []);
  add('value removed twice', values?.duplicated ?? []);
  add('value overtaken', values?.overtaken.map(({ taken, overtaker }) => taken ?? overtaker) ?? []);
  add('value removed from below', values?.fromBelow.map(({ taken }) => taken) ?? []);
  const overtaken = new Set(values?.overtaken.map(({ put }) => put));
  add('value missing', values?.missing.map(({ put }) => put).filter((put) => !overtaken.has(put)) ?? []);
  add('not empty', values?.notEmpty ?? []);
  return found;
}

/** A time during which something was broken, in moments: the first one inside, and the first one after it. */
interface Fault {
  /** Faults with one name are counted together. */
  readonly name: string;
  /** The annotation that begins it. */
  readonly text: string;
  readonly from: number;
  until: number;
}

/** The faults of a history, and how many operations were called during each. */
export const faultCounts = (history: History): FaultCount[] =>
  countFaults([], history, history.positionsById());

function countFaults(
  each: readonly Contradiction[],
  { annotations, columns }: History,
  position: Int32Array,
): FaultCount[] {
  const faults = faultsOf(annotations);
  const kinds = [...new Set(each.map(({ kind }) => kind))];
  return [...new Set(faults.map(({ name }) => name))].map((name) => {
    const own = faults.filter((fault) => fault.name === name);
    const isInside = (moment: number): boolean =>
      own.some(({ from, until }) => moment >= from && moment < until);
    return {
      fault: name,
      times: own.length,
      operations: columns.call.reduce((sum, moment) => sum + (isInside(moment) ? 1 : 0), 0),
      counts: kinds.map((kind) => {
        const all = each.filter((one) => one.kind === kind);
        const within = all.filter(({ operation }) => isInside(columns.call[position[operation]]));
        return { kind, total: all.length, within: within.length };
      }),
    };
  });
}

/** Verbs that begin a fault, with those that end it. */
const VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['start', ['stop']],
  ['pause', ['resume']],
  ['stop', ['start', 'continue']],
  ['kill', ['start', 'restart']],
  ['crash', ['restart', 'recover']],
  ['partition', ['heal']],
  ['isolate', ['heal', 'rejoin']],
  ['disconnect', ['reconnect', 'connect']],
  ['slow', ['fast']],
  ['fail', ['recover']],
  ['begin', ['end']],
  ['paused', ['resumed']],
  ['stopped', ['started', 'continued']],
  ['killed', ['started', 'restarted', 'back']],
  ['crashed', ['restarted', 'recovered']],
  ['partitioned', ['healed']],
  ['isolated', ['healed', 'rejoined']],
  ['disconnected', ['reconnected', 'connected']],
]);

/** Words that make no difference: `n1 is paused` and `n1 resumed`. */
const AUXILIARY = ['is', 'was', 'are'];

const OVER = ' over';

/** An annotation as words: those before the verb, the verb, and those after it. */
interface Phrase {
  readonly before: string;
  readonly verb: string;
  readonly rest: string;
}

/** The ways to read an annotation as a phrase with one of these verbs; `start-partition` has the verb `start`. */
function phrases(text: string, verbs: readonly string[]): Phrase[] {
  const words = text.split(' ');
  return words.flatMap((word, i) => {
    const verb = verbs.find((own) => word === own || word.startsWith(`${own}-`));
    if (verb === undefined) return [];
    const kind = word.slice(verb.length);
    // what the nemesis reports after the function differs between the call and its completion
    const rest = words[0] === NEMESIS ? '' : words.slice(i + 1).join(' ');
    const before = words.slice(0, i).filter((own) => !AUXILIARY.includes(own));
    return [{ before: before.join(' '), verb, rest: `${kind} ${rest}` }];
  });
}

const NEMESIS = 'nemesis';

/** The faults that annotations describe, by their beginnings, and the annotations that neither begin nor end one. */
export function faultsAndOthers(annotations: readonly Annotation[]): {
  readonly faults: readonly Fault[];
  readonly others: readonly Annotation[];
} {
  const faults: Fault[] = [];
  const others = new Set<Annotation>();
  const open: { readonly fault: Fault; readonly phrase: Phrase }[] = [];
  const closed: { readonly fault: Fault; readonly phrase: Phrase }[] = [];
  const begin = (fault: Fault, phrase: Phrase): void => {
    faults.push(fault);
    open.push({ fault, phrase });
  };
  annotations.forEach((annotation, i) => {
    const { text, moment, until } = annotation;
    if (until !== undefined) {
      faults.push({ name: text, text, from: moment, until });
      return;
    }
    const over = text.endsWith(OVER) ? text.slice(0, -OVER.length) : undefined;
    const isOver = open.findIndex(({ fault }) => fault.name === over);
    const begun = annotations.slice(0, i).findLast((own) => own.text === over);
    if (isOver >= 0) {
      open.splice(isOver, 1)[0].fault.until = moment;
      return;
    }
    if (begun) {
      faults.push({ name: begun.text, text: begun.text, from: begun.moment, until: moment });
      others.delete(begun);
      return;
    }
    const isEndOf = ({ phrase }: { readonly phrase: Phrase }): boolean =>
      phrases(text, VERBS.get(phrase.verb) ?? []).some(
        ({ before, rest }) => before === phrase.before && rest === phrase.rest,
      );
    const ended = open.findIndex(isEndOf);
    if (ended >= 0) {
      const [own] = open.splice(ended, 1);
      own.fault.until = moment;
      closed.push(own);
      return;
    }
    const completed = text.startsWith(NEMESIS) ? closed.findLast(isEndOf) : undefined;
    if (completed && closed.at(-1) === completed) {
      completed.fault.until = moment;
      return;
    }
    const [phrase] = phrases(text, [...VERBS.keys()]);
    const isKnown = ({ phrase: own }: { readonly phrase: Phrase }): boolean =>
      own.before === phrase?.before && own.verb === phrase.verb && own.rest === phrase.rest;
    if (phrase === undefined) others.add(annotation);
    if (phrase === undefined || open.some(isKnown)) return;
    const name = text.startsWith(NEMESIS) ? text.split(' ').slice(0, 2).join(' ') : text;
    begin({ name, text, from: moment, until: NEVER }, phrase);
  });
  return { faults: faults.sort((a, b) => a.from - b.from), others: [...others] };
}

/** The faults that annotations describe, by their beginnings. */
export const faultsOf = (annotations: readonly Annotation[]): readonly Fault[] =>
  faultsAndOthers(annotations).faults;

/** A fault as another file describes it, with times of the clock of the history. */
export interface FaultRecord {
  readonly text: string;
  readonly at: string;
  readonly until: string | undefined;
  /** Its times are dates, in nanoseconds since 1970. */
  readonly isDated: boolean;
}

/** Faults as annotations of a history, which must have recorded times. */
export function faultAnnotations({ columns, tables }: History, faults: readonly FaultRecord[]): Annotation[] {
  const { times } = tables;
  if (faults.length === 0) return [];
  if (times === undefined)
    throw new InputError('--faults needs the times of calls and returns, which the history does not have');
  const hasDates = times.clock === 'dates';
  const other = faults.find(({ isDated }) => isDated !== hasDates);
  if (other)
    throw new InputError(
      `--faults: the time of ${show(other.text)} is a ${hasDates ? 'number' : 'date'}, but the times of the history are ${hasDates ? 'dates' : 'numbers'}; expected one clock`,
    );
  const sorted = Float64Array.from(columns.events, (event) =>
    event >= 0 ? times.call[columns.id[event]] : times.return[columns.id[~event]],
  ).sort();
  const momentOf = (at: string): number => {
    const time = times.since === undefined ? Number(at) : Number(addTimestamps(at, negated(times.since)));
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return faults.map(({ text, at, until }) => ({
    text,
    moment: momentOf(at),
    ...(until !== undefined && { until: momentOf(until) }),
  }));
}

/** The faults of another file during which no operation was called, by name: their times may be of another clock. */
export function idleFaults({ annotations, columns }: History, given: readonly FaultRecord[]): string[] {
  const names = new Set(given.map(({ text }) => text));
  const own = faultsOf(annotations).filter(({ name }) => names.has(name));
  const busy = own.filter(({ from, until }) =>
    columns.call.some((moment) => moment >= from && moment < until),
  );
  return [...new Set(own.map(({ name }) => name))].filter((name) =>
    busy.every((fault) => fault.name !== name),
  );
}
