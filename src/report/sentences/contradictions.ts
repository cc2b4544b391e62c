/** All contradictions of a history in words: what may be claimed, where they are, and during which faults. */
import { show } from '../../base/values/show.js';
import type { AllContradictions, ContradictionKind, FaultCount } from '../../consistency/faults.js';
import { count } from '../common/verdict-words.js';
import { join, type Sentence, say } from './words.js';

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
  'value missing': ['value lost or still inside', 'values lost or still inside'],
  'not empty': ['incorrect "empty" result', 'incorrect "empty" results'],
};

/** `During "pause n2" (40 of 200 operations): all 5 stale reads.` */
export function faultsSentence(faults: readonly FaultCount[], length: number): Sentence {
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
    return say`During ${show(fault)} (${share}): ${join(pieces, ', ')}.`;
  });
  return join([...named, ...(rest > 0 ? [say`Not listed: ${count(rest, 'more fault')}.`] : [])], ' ');
}

interface ContradictionsLine {
  readonly topic: 'all' | 'over time';
  readonly sentence: Sentence;
}

/** Every contradiction: what may be claimed, in which parts, and when. */
export function allLines({ each, byPart, overTime }: AllContradictions): ContradictionsLine[] {
  if (each.length === 0)
    return [
      {
        topic: 'all',
        sentence: say`No small group of operations is a contradiction by itself; other contradictions are not counted.`,
      },
    ];
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
      sentence: say`${overTime.map(String).join(' ')} (operations with a contradiction, in each tenth of the history).`,
    },
  ];
}
