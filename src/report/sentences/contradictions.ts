/** All contradictions of a history in words: what may be claimed, where they are, and during which faults. */
import { show } from '../../base/values/show.js';
import type { Witness } from '../../check/model/verdict.js';
import type { FaultyValues } from '../../consistency/container-values.js';
import {
  type AllContradictions,
  type ContradictionKind,
  type FaultCount,
  faultCounts,
} from '../../consistency/contradictions.js';
import type { History } from '../../history/history.js';
import { FAILED, NEVER, overlapIn } from '../../history/model/columns.js';
import { count, grouped } from '../common/verdict-words.js';
import { join, listed, type Sentence, say, type Words } from './words.js';

/** How many parts and faults are named; the others are counted. */
const MOST_NAMED = 5;

/** A kind of contradiction, as one and as several. */
const KINDS: Readonly<Record<ContradictionKind, readonly [one: string, several: string]>> = {
  'stale read': ['stale read', 'stale reads'],
  'value never written': [
    'read of a value that was never written',
    'reads of values that were never written',
  ],
  'value not yet written': ['read of a value before its write', 'reads of values before their writes'],
  'broken session guarantee': [
    'operation that breaks a session guarantee',
    'operations that break a session guarantee',
  ],
  'value invented': ['removal of a value that was not there', 'removals of values that were not there'],
  'value removed twice': ['second removal of a value', 'second removals of values'],
  'value overtaken': ['overtaken value', 'overtaken values'],
  'value removed from below': ['value removed from below', 'values removed from below'],
  'value missed': ['value that an "empty" result missed', 'values that "empty" results missed'],
  'not empty': ['incorrect "empty" result', 'incorrect "empty" results'],
};

/** `During "pause n2" (40 of 200 operations): all 5 stale reads.`, for each fault. */
export function faultSentences(faults: readonly FaultCount[], length: number): Sentence[] {
  const rest = faults.length - MOST_NAMED;
  const named = faults.slice(0, MOST_NAMED).map(({ fault, times, operations: inside, counts }) => {
    const often = times > 1 ? `${times} times, ` : '';
    const pieces = counts.map(({ kind, total, within }) => {
      const [one, several] = KINDS[kind];
      if (within === 0) return say`no ${one}`;
      if (total === 1) return say`the only ${one}`;
      const all = total === 2 ? 'both' : `all ${total}`;
      const amount = within === total ? all : `${within} of ${total}`;
      return say`${amount} ${several}`;
    });
    const share = `${often}${inside.toLocaleString('en')} of ${count(length, 'operation')}`;
    return pieces.length === 0
      ? say`During ${show(fault)}: ${share}.`
      : say`During ${show(fault)} (${share}): ${join(pieces, ', ')}.`;
  });
  return rest > 0 ? [...named, say`Not listed: ${count(rest, 'more fault')}.`] : named;
}

interface ContradictionsLine {
  readonly topic: 'all' | 'over time';
  readonly sentence: Sentence;
}

/** Every contradiction: what may be claimed, in which parts, and when. */
export function allLines({ each, byPart, overTime, extent }: AllContradictions): ContradictionsLine[] {
  if (each.length === 0)
    return [{ topic: 'all', sentence: say`Only the violation above: ${UNCOUNTED[extent]}.` }];
  const kinds = [...new Set(each.map(({ kind }) => kind))].map((kind) => {
    const total = each.filter((one) => one.kind === kind).length;
    return say`${String(total)} ${KINDS[kind][total === 1 ? 0 : 1]}`;
  });
  const parts = byPart.slice(0, MOST_NAMED).map(({ part, count: own }) => say`${show(part)}: ${String(own)}`);
  const rest = byPart.length - parts.length;
  const where =
    byPart.length > 1 ? say` By part: ${join(parts, ', ')}${rest > 0 ? ` and ${rest} more` : ''}.` : say``;
  const operations = new Set(each.map(({ operation }) => operation)).size;
  const together =
    operations < each.length ? say` Together these are ${count(operations, 'operation')}.` : say``;
  const claim =
    each.length === 1
      ? say`It is a contradiction by itself, whatever else happened; more operations may be incorrect.`
      : say`Each is a contradiction by itself, whatever else happened; they may have one cause, and more operations may be incorrect.`;
  return [
    {
      topic: 'all',
      sentence: say`${join(kinds, ', ')}.${together} ${claim}${where}`,
    },
    {
      topic: 'over time',
      sentence: say`${listed(
        overTime.map((own) => say`${String(own)}`),
        ' ',
      )} (operations with a contradiction, in each tenth of the history).`,
    },
  ];
}

/** Why no contradiction is counted, although the history has one. */
const UNCOUNTED: Readonly<Record<AllContradictions['extent'], string>> = {
  all: 'it is of no kind that can be counted, such as a stale read',
  some: 'some contradictions are not counted, because not everything could be measured',
  none: 'contradictions of this history are not counted',
};

/** What became of the values of queues and stacks. */
export function valuesSentence(
  { invented, duplicated, overtaken, fromBelow, missing, notEmpty }: FaultyValues,
  words: Words,
): Sentence {
  /** `Value 7 was lost`, `2 values were lost: 7, 8`. */
  const about = (items: readonly { readonly value: unknown }[], one: string, several: string): Sentence => {
    const named = items.slice(0, MOST_NAMED).map(({ value }) => show(value));
    const rest = items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : '';
    return items.length === 1
      ? say`Value ${named[0]} ${one}.`
      : say`${count(items.length, 'value')} ${several}: ${words.list(named, ', ')}${rest}.`;
  };
  const others = (items: FaultyValues['overtaken']): string => {
    const most = items.reduce((all, { by }) => Math.max(all, by), 0);
    return `${items.length === 1 ? '' : 'up to '}${count(most, 'other value')}`;
  };
  const pieces = [
    ...(missing.length > 0 ? [about(missing, 'is lost or still inside', 'are lost or still inside')] : []),
    ...(duplicated.length > 0
      ? [
          say`${count(duplicated.length, 'operation')} removed a value that had been removed already: ${operations(duplicated, words)}.`,
        ]
      : []),
    ...(invented.length > 0
      ? [
          say`${count(invented.length, 'operation')} removed a value that had not been added${failedAside(words)}: ${operations(invented, words)}.`,
        ]
      : []),
    ...(overtaken.length > 0
      ? [
          about(
            overtaken,
            `was overtaken by ${others(overtaken)}`,
            `were overtaken, each by ${others(overtaken)}`,
          ),
        ]
      : []),
    ...(fromBelow.length > 0
      ? [
          about(
            fromBelow,
            `was removed from below ${others(fromBelow)}`,
            `were removed, each from below ${others(fromBelow)}`,
          ),
        ]
      : []),
    ...(notEmpty.length > 0
      ? [
          say`${count(notEmpty.length, 'operation')} found it empty although a value was present: ${operations(notEmpty, words)}.`,
        ]
      : []),
  ];
  return pieces.length === 0
    ? say`No value is known to be lost, invented or removed twice, and no two values are known to be in the wrong order.`
    : join(pieces, ' ');
}

/** Failed operations have no effect, so a value that only they added counts as not added. */
export const failedAside = ({ history }: Words): string =>
  history.columns.status.includes(FAILED) ? ' (failed operations do not count)' : '';

/** The first few operations by name; the others are counted. */
export const operations = (ids: readonly number[], words: Words): Sentence => {
  const named = ids.slice(0, MOST_NAMED).map((id) => words.operation(id));
  const rest = ids.length - named.length;
  return say`${join(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

/*
 * What a linearizable history has tested: overlapping operations, unknown outcomes, and faults.
 */

interface EvidenceLine {
  readonly topic: 'overlap' | 'unknown' | 'faults';
  readonly sentence: Sentence;
}

export const EVIDENCE_TITLE = 'What this history tested';

export function evidenceLines(history: History, witness: Witness): EvidenceLine[] {
  const faults = faultCounts(history).map(
    ({ fault, times, operations }) =>
      `${fault} (${count(times, 'time')}, ${count(operations, 'operation')} called during it)`,
  );
  return [
    { topic: 'overlap', sentence: say`${overlapText(history)}` },
    ...unknownLine(history, witness),
    ...(faults.length > 0 ? [{ topic: 'faults' as const, sentence: say`${faults.join('; ')}.` }] : []),
  ];
}

function overlapText({ columns, length }: History): string {
  const { overlapping, mostOpen } = overlapIn(columns);
  return overlapping === 0
    ? 'No two operations overlapped, so the history shows nothing about concurrent calls.'
    : `${grouped(overlapping)} of ${count(length, 'operation')} overlapped another one. At most ${mostOpen} were open at the same time.`;
}

function unknownLine({ columns }: History, { order }: Witness): EvidenceLine[] {
  const pending = new Set(columns.id.filter((_, k) => columns.return[k] === NEVER));
  if (pending.size === 0) return [];
  const effective = order.filter((id) => pending.has(id)).length;
  const sentence = say`${count(pending.size, 'operation has', 'operations have')} no known result. In this linearization, ${tookEffect(effective, pending.size)}.`;
  return [{ topic: 'unknown', sentence }];
}

/** `it took effect`, `2 of them took effect`. */
function tookEffect(effective: number, of: number): string {
  if (of === 1) return effective === 1 ? 'it took effect' : 'it did not take effect';
  return effective === 0 ? 'none of them took effect' : `${grouped(effective)} of them took effect`;
}
