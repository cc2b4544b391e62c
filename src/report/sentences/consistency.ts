/** How far a history is from linearizable, in words: one line for each level or measure that says something. */
import { show } from '../../base/values/show.js';
import type { Consistency, FaultyValues, OrderedPair } from '../../consistency/measure.js';
import type { History } from '../../history/history.js';
import { count } from '../common/verdict-words.js';
import { join, type Sentence, type Signs, say, Words } from './words.js';

/** A line: what it is about, and its sentences. */
export interface ConsistencyLine {
  readonly topic: 'order' | 'sessions' | 'stale' | 'regular' | 'values' | 'parts' | 'not measured';
  readonly sentence: Sentence;
}

/** The title of the block. */
export const CONSISTENCY_TITLE = 'How far from linearizable:';

const MOST_NAMED = 5;

export function consistencyLines(
  consistency: Consistency,
  history: History,
  signs: Signs,
): ConsistencyLine[] {
  const words = new Words(history, signs);
  const { sequential, sessions, stale, regular, values, parts, notMeasured } = consistency;
  const isMeasured = stale.reads.length > 0 || sessions.broken.length > 0 || sessions.hold.length > 0;
  return [
    { topic: 'order', sentence: orderSentence(sequential, words) },
    ...(isMeasured
      ? [
          { topic: 'stale' as const, sentence: staleSentence(stale, words) },
          { topic: 'sessions' as const, sentence: sessionsSentence(sessions, words) },
          { topic: 'regular' as const, sentence: regularSentence(regular, words) },
        ]
      : []),
    ...(values ? [{ topic: 'values' as const, sentence: valuesSentence(values, words) }] : []),
    ...(partsOf(parts) > 1 ? [{ topic: 'parts' as const, sentence: partsSentence(parts, words) }] : []),
    ...(notMeasured.length > 0
      ? [{ topic: 'not measured' as const, sentence: notMeasuredSentence(notMeasured, words) }]
      : []),
  ];
}

function orderSentence(level: Consistency['sequential'], words: Words): Sentence {
  if (level.kind === 'holds')
    return say`Sequentially consistent: some sequential order keeps the order of each process, but not real time.`;
  if (level.kind === 'not measured') return say`Sequential consistency is not known: ${level.reason}.`;
  const none = 'Not sequentially consistent: no sequential order keeps the order of each process.';
  return level.cycle.length === 0 ? say`${none}` : say`${none} ${cycleSentence(level.cycle, words)}`;
}

/** `No order of the values fits: a before b (process order); b before c (process order).` */
function cycleSentence(cycle: readonly OrderedPair[], words: Words): Sentence {
  const pairs = cycle.map(
    ({ first, second, reason }) =>
      say`${operationOr(first, words)} before ${words.operation(second)} (${reason})`,
  );
  return say`No order of the values fits: ${join(pairs, '; ')}.`;
}

const operationOr = (id: number, words: Words): Sentence =>
  id < 0 ? say`the initial value` : [words.operation(id)];

function staleSentence({ reads, delta }: Consistency['stale'], words: Words): Sentence {
  if (reads.length === 0)
    return delta === undefined || delta === 0
      ? say`No read is stale.`
      : delta === Number.POSITIVE_INFINITY
        ? say`No read is stale, but a value was read before it was written.`
        : say`No read alone is stale, but reads saw values in different orders; they would agree if each read had been called ${timeText(delta)} earlier.`;
  const worst = reads.reduce((a, b) => ((b.by ?? b.versions) > (a.by ?? a.versions) ? b : a));
  const parts = new Set(reads.map(({ part }) => part)).size;
  const most = Math.max(...reads.map(({ versions }) => versions));
  const by = worst.by === undefined ? '' : `by up to ${timeText(worst.by)} and `;
  const where = parts > 1 ? ` of ${count(parts, 'key')}` : '';
  return say`${count(reads.length, 'stale read')}${where}, ${by}by at least ${count(most, 'version')}. Worst: ${words.operation(worst.operation)}; a newer value was present since ${words.operation(worst.newer)} returned.`;
}

const timeText = (time: number): string => `${Number(time.toPrecision(6))} units of time`;

function sessionsSentence({ broken, hold }: Consistency['sessions'], words: Words): Sentence {
  const held = hold.length > 0 ? [say`${capital(list(hold))} ${hold.length === 1 ? 'holds' : 'hold'}.`] : [];
  const named = new Map<string, (typeof broken)[number]>();
  for (const one of broken) if (!named.has(list(one.guarantees))) named.set(list(one.guarantees), one);
  const failing = Array.from(named, ([names, { guarantees, cycle }]) => {
    const times = broken
      .filter((one) => list(one.guarantees) === names)
      .reduce((sum, one) => sum + one.times, 0);
    const verb = guarantees.length === 1 ? 'does not hold' : 'cannot all hold';
    const often = times > 1 ? ` (${count(times, 'operation')})` : '';
    return say`${capital(names)} ${verb}${often}. ${evidenceSentence(cycle, words)}`;
  });
  return join([...failing, ...held], ' ');
}

function evidenceSentence(cycle: readonly OrderedPair[], words: Words): Sentence {
  const [pair, writes] = cycle;
  if (cycle.length !== 2 || writes.reason !== 'real time') return cycleSentence(cycle, words);
  const older =
    writes.first < 0
      ? say`the initial value`
      : say`${words.operation(writes.first)} had returned before ${words.operation(writes.second)} was called`;
  return say`${words.operation(pair.second)} came after ${words.operation(pair.first)} but saw an older value: ${older}.`;
}

function regularSentence(level: Consistency['regular'], words: Words): Sentence {
  if (level.kind === 'holds') return say`Each read alone is correct with all writes (regular register).`;
  if (level.kind === 'not measured') return say`Not known for all reads: ${level.reason}.`;
  const irregular = level.irregular ?? [];
  return say`${count(irregular.length, 'read is', 'reads are')} wrong even alone with all writes: ${operations(irregular, words)}.`;
}

function valuesSentence(
  { invented, duplicated, overtaken, missing, notEmpty }: FaultyValues,
  words: Words,
): Sentence {
  const valueList = (items: readonly { readonly value: unknown }[]): string =>
    words.list(
      items.slice(0, MOST_NAMED).map(({ value }) => show(value)),
      ', ',
    ) + (items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : '');
  const most = Math.max(0, ...overtaken.map(({ by }) => by));
  const pieces = [
    ...(missing.length > 0
      ? [say`${count(missing.length, 'value is', 'values are')} lost or still inside (${valueList(missing)})`]
      : []),
    ...(duplicated.length > 0
      ? [
          say`${count(duplicated.length, 'value was', 'values were')} removed twice (${operations(duplicated, words)})`,
        ]
      : []),
    ...(invented.length > 0
      ? [
          say`${count(invented.length, 'value was', 'values were')} removed that had not been added (${operations(invented, words)})`,
        ]
      : []),
    ...(overtaken.length > 0
      ? [
          say`${count(overtaken.length, 'value was', 'values were')} overtaken, by up to ${String(most)} (${valueList(overtaken)})`,
        ]
      : []),
    ...(notEmpty.length > 0
      ? [
          say`${count(notEmpty.length, 'operation')} found the queue empty although a value was present (${operations(notEmpty, words)})`,
        ]
      : []),
  ];
  return pieces.length === 0
    ? say`No value is lost, invented, removed twice or overtaken.`
    : say`${join(pieces, '; ')}.`;
}

const operations = (ids: readonly number[], words: Words): Sentence => {
  const named = ids.slice(0, MOST_NAMED).map((id) => words.operation(id));
  const rest = ids.length - named.length;
  return say`${join(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};

const partsOf = ({ linearizable, violations, undecided, notExamined }: Consistency['parts']): number =>
  linearizable + violations.length + undecided.length + notExamined.length;

function partsSentence(parts: Consistency['parts'], words: Words): Sentence {
  const { violations, undecided, notExamined } = parts;
  const failing = violations
    .slice(0, MOST_NAMED)
    .map(({ part, operation }) => say`${show(part)} (operation ${String(operation)})`);
  const rest = violations.length - failing.length;
  const others = [
    ...(undecided.length > 0 ? [`${count(undecided.length, 'part is', 'parts are')} undecided`] : []),
    ...(notExamined.length > 0
      ? [`${count(notExamined.length, 'part was', 'parts were')} not examined`]
      : []),
  ];
  const more = others.length > 0 ? ` ${capital(words.list(others, ', '))}.` : '';
  return say`${String(violations.length)} of ${count(partsOf(parts), 'part')} ${violations.length === 1 ? 'is' : 'are'} not linearizable: ${join(failing, ', ')}${rest > 0 ? ` and ${rest} more` : ''}.${more}`;
}

function notMeasuredSentence(parts: Consistency['notMeasured'], words: Words): Sentence {
  const reasons = [...new Set(parts.map(({ reason }) => reason))];
  return say`Staleness and sessions of ${count(parts.length, 'part')}: ${words.list(reasons, '; ')}.`;
}

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
