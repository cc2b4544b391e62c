/**
 * The faults that the annotations of a history describe, and those of another file.
 *
 * A fault is an interval. It lasts from an annotation to its `until`; or to the annotation that ends it: `X over`, or the
 * same words with the opposite verb, such as `pause n1` and `resume n1`, or `n1 is paused` and `n1 resumed`. Events of Jepsen's nemesis end each other by
 * their function alone; a second event with the same function is the completion of the first. A fault that nothing ends
 * lasts until the end of the history.
 *
 * Annotations of a history may describe something else: only those with an `until`, a known verb or an end are faults. In a
 * file of faults, everything is one.
 */
import { InputError } from '../base/errors.js';
import { show } from '../base/values/show.js';
import type { History } from '../history/history.js';
import { NEVER } from '../history/model/columns.js';
import type { Annotation } from '../history/model/operation.js';
import { addTimestamps, compareTimestamps, negated } from '../history/model/timestamps.js';

/** A time during which something was broken, in moments: the first one inside, and the first one after it. */
interface Fault {
  /** Faults with one name are counted together. */
  readonly name: string;
  /** The annotation that begins it. */
  readonly text: string;
  readonly from: number;
  until: number;
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
  ['bump', ['reset']],
  ['strobe', ['reset']],
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

/**
 * The faults that annotations describe, by their beginnings, and the annotations that neither begin nor end one.
 * `areFaults`: every annotation begins a fault or ends one.
 */
export function faultsAndOthers(
  unsorted: readonly Annotation[],
  areFaults = false,
): {
  readonly faults: readonly Fault[];
  readonly others: readonly Annotation[];
} {
  const annotations = [...unsorted].sort((a, b) => a.moment - b.moment);
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
    const whole = areFaults ? { before: text, verb: '', rest: '' } : undefined;
    const phrase = phrases(text, [...VERBS.keys()])[0] ?? whole;
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

/**
 * Faults as annotations of a history, which must have recorded times. Each has an end; `endless` are the names of those that
 * nothing ends, so that they last until the end of the history.
 */
export function faultAnnotations(
  { columns, tables }: History,
  faults: readonly FaultRecord[],
): { readonly annotations: readonly Annotation[]; readonly endless: readonly string[] } {
  const { times } = tables;
  if (faults.length === 0) return { annotations: [], endless: [] };
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
  // equal moments may be different times
  const inTime = [...faults].sort((a, b) => compareTimestamps(a.at, b.at));
  const given = inTime.map(({ text, at, until }) => ({
    text,
    moment: momentOf(at),
    ...(until !== undefined && { until: momentOf(until) }),
  }));
  const own = faultsAndOthers(given, true).faults;
  return {
    annotations: own.map(({ text, from, until }) => ({
      text,
      moment: from,
      until: Math.min(until, sorted.length),
    })),
    endless: [...new Set(own.filter(({ until }) => until === NEVER).map(({ text }) => text))],
  };
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
