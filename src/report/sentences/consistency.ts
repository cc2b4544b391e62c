/** How far a history is from linearizable, in words: one line for each level or measure that says something. */
import { show } from '../../base/values/show.js';
import type { OrderedPair, Staleness } from '../../consistency/cells.js';
import type { Consistency } from '../../consistency/measure.js';
import type { History } from '../../history/history.js';
import { count } from '../common/verdict-words.js';
import { allLines, failedAside, faultSentences, operations, valuesSentence } from './contradictions.js';
import { join, listed, type Phrase, type Sentence, type Signs, say, Words } from './words.js';

/** A line: what it is about, and its sentences. */
export interface ConsistencyLine {
  readonly topic:
    | 'order'
    | 'causal'
    | 'sessions'
    | 'stale'
    | 'by key'
    | 'by process'
    | 'regular'
    | 'values'
    | 'parts'
    | 'faults'
    | 'all'
    | 'over time'
    | 'not measured';
  readonly sentence: Sentence;
}

/** The title of the block. */
export const consistencyTitle = ({ extent }: Consistency): string =>
  extent === 'brief' ? 'How far from linearizable (more with --consistency):' : 'How far from linearizable:';

const MOST_NAMED = 5;

/** The lines of the report. `all`: where every contradiction is. */
export function consistencyLines(
  consistency: Consistency,
  history: History,
  signs: Signs,
  { all = false }: { all?: boolean } = {},
): ConsistencyLine[] {
  const words = new Words(history, signs);
  const lines: ConsistencyLine[] =
    consistency.extent === 'brief' ? briefLines(consistency, words) : fullLines(consistency, words, history);
  const { contradictions } = consistency;
  for (const sentence of faultSentences(contradictions.faults, history.length))
    lines.push({ topic: 'faults', sentence });
  if (all) lines.push(...allLines(contradictions));
  return lines;
}

/** Only what is wrong, and whether some sequential order exists. */
function briefLines(
  { sequential, sessions, stale, neverWritten, values }: Consistency,
  words: Words,
): ConsistencyLine[] {
  const lines: ConsistencyLine[] = [];
  if (sequential.kind !== 'not measured')
    lines.push({
      topic: 'order',
      sentence: orderSentence(sequential.kind === 'fails' ? { ...sequential, cycle: [] } : sequential, words),
    });
  if (stale.reads.length > 0) lines.push({ topic: 'stale', sentence: staleSentence(stale, words, true) });
  if (neverWritten.length > 0)
    lines.push({ topic: 'regular', sentence: neverWrittenSentence(neverWritten, words) });
  if (sessions.broken.length > 0)
    lines.push({ topic: 'sessions', sentence: sessionsSentence({ ...sessions, hold: [] }, words, true) });
  if (values && Object.values(values).some((own) => own.length > 0))
    lines.push({ topic: 'values', sentence: valuesSentence(values, words) });
  return lines;
}

function fullLines(consistency: Consistency, words: Words, history: History): ConsistencyLine[] {
  const { sequential, sessions, stale, regular, values, parts, notMeasured } = consistency;
  const isMeasured = stale.reads.length > 0 || regular.kind !== 'not measured';
  const isPartial = notMeasured.some(({ what }) => what === 'reads');
  return [
    {
      topic: 'order',
      sentence: join([orderSentence(sequential, words), ...shortProcesses(sequential, history)], ' '),
    },
    ...causalLines(consistency, words),
    ...(isMeasured
      ? [{ topic: 'stale' as const, sentence: staleSentence(stale, words, false, isPartial) }]
      : []),
    ...(stale.byPart.length > 1
      ? [{ topic: 'by key' as const, sentence: stalenessSentence(stale.byPart, words) }]
      : []),
    ...(stale.byProcess.length > 1
      ? [{ topic: 'by process' as const, sentence: stalenessSentence(stale.byProcess, words) }]
      : []),
    ...(sessions.broken.length > 0 || sessions.hold.length > 0
      ? [{ topic: 'sessions' as const, sentence: sessionsSentence(sessions, words, false) }]
      : []),
    ...(isMeasured ? [{ topic: 'regular' as const, sentence: regularSentence(consistency, words) }] : []),
    ...(values ? [{ topic: 'values' as const, sentence: valuesSentence(values, words) }] : []),
    ...(partsOf(parts) > 1 ? [{ topic: 'parts' as const, sentence: partsSentence(parts, words) }] : []),
    ...(notMeasured.length > 0
      ? [{ topic: 'not measured' as const, sentence: notMeasuredSentence(notMeasured, words) }]
      : []),
  ];
}

function orderSentence(level: Consistency['sequential'], words: Words): Sentence {
  if (level.kind === 'holds')
    return say`Sequentially consistent: some sequential order gives these results and keeps the order of each process.`;
  if (level.kind === 'not measured') return say`Sequential consistency is not known: ${level.reason}.`;
  const none =
    'Not sequentially consistent: no sequential order gives these results and keeps the order of each process.';
  return level.cycle.length === 0 ? say`${none}` : say`${none} ${cycleSentence(level.cycle, words)}`;
}

/** Causal consistency, unless the history is sequentially consistent, which includes it. */
function causalLines({ sequential, causal, convergent }: Consistency, words: Words): ConsistencyLine[] {
  if (sequential.kind === 'holds' || (causal.kind === 'not measured' && convergent.kind === 'not measured'))
    return [];
  return [{ topic: 'causal', sentence: causalSentence(causal, convergent, words) }];
}

function causalSentence(
  causal: Consistency['causal'],
  convergent: Consistency['convergent'],
  words: Words,
): Sentence {
  if (causal.kind === 'fails') {
    const pairs = pairsSentence(causal.cycle, words);
    if (causal.overwritten === undefined) return say`Not causally consistent: these form a cycle: ${pairs}.`;
    const { older, newer, read } = causal.overwritten;
    const start = older < 0 ? say`the initial value before ${words.operation(newer)} (it comes first); ` : '';
    return say`Not causally consistent: ${words.operation(read, true)} returned a value that ${words.operation(newer)} had overwritten: ${start}${pairs}.`;
  }
  const holds =
    causal.kind === 'holds'
      ? say`Causally consistent`
      : say`Causal consistency is not known (${causal.reason})`;
  return convergent.kind === 'fails'
    ? say`${holds}, but not with one order of the writes for all processes (causal convergence): ${pairsSentence(convergent.cycle, words)}.`
    : say`${holds}, with one order of the writes for all processes (causal convergence).`;
}

const REASONS: Readonly<Record<OrderedPair['reason'], string>> = {
  'process order': 'process order',
  'real time': 'real time',
  'reads its value': 'which reads its value',
  'later read': 'a read that follows the first write returned the value of the second',
};

const pairsSentence = (cycle: readonly OrderedPair[], words: Words): Phrase =>
  listed(
    cycle.map(
      ({ first, second, reason }) =>
        say`${operationOr(first, words)} before ${words.operation(second, true)} (${first < 0 ? 'it comes first' : REASONS[reason]})`,
    ),
    '; ',
  );

/** Where few processes have an order to keep, sequential consistency says little. */
function shortProcesses(level: Consistency['sequential'], history: History): Sentence[] {
  if (level.kind !== 'holds') return [];
  const calls = new Map<number, number>();
  for (const process of history.columns.process) calls.set(process, (calls.get(process) ?? 0) + 1);
  const long = [...calls.values()].filter((own) => own > 1).length;
  return 2 * long > calls.size
    ? []
    : [
        long === 0
          ? say`No process called more than one operation, so there is no order to keep.`
          : say`Only ${String(long)} of ${count(calls.size, 'process', 'processes')} called more than one operation, so there is little order to keep.`,
      ];
}

/** `No order of the values satisfies all of these: a before b (process order); b before c (process order).` */
function cycleSentence(cycle: readonly OrderedPair[], words: Words): Sentence {
  return say`No order of the values satisfies all of these: ${pairsSentence(cycle, words)}.`;
}

const operationOr = (id: number, words: Words): Sentence =>
  id < 0 ? say`the initial value` : [words.operation(id, true)];

function staleSentence(
  { reads, delta, k }: Consistency['stale'],
  words: Words,
  isBrief: boolean,
  isPartial = false,
): Sentence {
  if (reads.length === 0)
    return delta === undefined || delta === 0
      ? say`${isPartial ? 'No read that was measured' : 'No read'} is stale.`
      : delta === Number.POSITIVE_INFINITY
        ? say`No read is stale, but a value was read before it was written.`
        : say`No read alone is stale, but reads saw values in different orders; they would agree if each read had been called ${timeText(delta, words)} earlier.`;
  const worst = reads.reduce((a, b) => ((b.by ?? b.versions) > (a.by ?? a.versions) ? b : a));
  const parts = new Set(reads.map(({ part }) => part)).size;
  const oldest = reads.reduce((a, b) => (b.versions > a.versions ? b : a));
  const most = oldest.versions;
  const upTo = reads.length === 1 ? 'by' : 'by up to';
  const by = worst.by === undefined ? '' : `${upTo} ${timeText(worst.by, words)} and `;
  const where = parts > 1 ? ` of ${count(parts, 'key')}` : '';
  // the bounds of k count the newest value, too
  const bound = k !== undefined && k.atMost === most + 1 ? 'by ' : 'by at least ';
  const label =
    reads.length === 1
      ? say`: `
      : worst.versions === most
        ? say`. Worst: `
        : say`. Worst by versions: ${words.operation(oldest.operation)}. Worst by time: `;
  const named = say`${count(reads.length, 'stale read')}${where}, ${by}${bound}${count(most, 'version')}${label}${words.operation(worst.operation)}`;
  if (isBrief) return say`${named}.`;
  const all =
    delta === undefined || delta === 0 || !Number.isFinite(delta) || delta === worst.by
      ? ''
      : ` To explain all reads together, each would have to be called ${timeText(delta, words)} earlier.`;
  return say`${named}; a newer value was present since ${words.operation(worst.newer)} returned.${all}`;
}

/** `k7: 3 reads, by up to 20 units of time and 4 versions; k2: …` */
function stalenessSentence(groups: readonly Staleness[], words: Words): Sentence {
  const named = groups.slice(0, MOST_NAMED).map(({ name, reads, by, versions, isAtLeast, delta }) => {
    const time = by === undefined ? '' : `${timeText(by, words)} and `;
    const least = isAtLeast ? 'at least ' : '';
    const isMore = delta !== undefined && Number.isFinite(delta) && delta !== by;
    const together = isMore ? timeText(delta, words) : '';
    if (reads === 0)
      return say`${show(name)}: ${isMore ? `no read alone, but all reads together by ${together}` : 'a value was read before it was written'}`;
    return say`${show(name)}: ${count(reads, 'read')}, ${reads === 1 ? 'by' : 'by up to'} ${time}${least}${count(versions, 'version')}${isMore ? ` (${together} to explain all together)` : ''}`;
  });
  const rest = groups.length - named.length;
  return say`${listed(named, '; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

/** A duration: in milliseconds, if the unit of the recording is known. */
function timeText(time: number, { history }: Words): string {
  const inDigits = (amount: number) => amount.toLocaleString('en', { maximumSignificantDigits: 6 });
  if (history.tables.times?.clock !== undefined) return `${inDigits(time / 1e6)} ms`;
  return `${inDigits(time)} ${inDigits(time) === '1' ? 'unit' : 'units'} of time`;
}

function sessionsSentence(
  { broken, hold }: Consistency['sessions'],
  words: Words,
  isBrief: boolean,
): Sentence {
  const held = hold.length > 0 ? [say`${quoted(hold)} ${hold.length === 1 ? 'holds' : 'hold'}.`] : [];
  const named = new Map<string, (typeof broken)[number]>();
  for (const one of broken) if (!named.has(quoted(one.guarantees))) named.set(quoted(one.guarantees), one);
  // of one key, only the smallest sets are listed
  const impliedBySome = (guarantees: readonly string[]): boolean =>
    broken.some(
      (one) =>
        one.guarantees.length < guarantees.length && one.guarantees.every((own) => guarantees.includes(own)),
    );
  const failing = Array.from(named, ([names, { guarantees, cycle }]) => {
    const ids = broken
      .filter((one) => quoted(one.guarantees) === names)
      .flatMap(({ operations: own }) => own);
    const verb =
      guarantees.length === 1
        ? 'does not hold'
        : `cannot ${guarantees.length === 2 ? 'both' : 'all'} hold${impliedBySome(guarantees) ? ' for another key' : ''}`;
    if (isBrief)
      return ids.length === 0
        ? say`${names} ${verb}.`
        : say`${names} ${verb}, because of ${operations(ids.slice(0, 1), words)}${ids.length > 1 ? ` and ${count(ids.length - 1, 'more operation')}` : ''}.`;
    const often = ids.length > 1 ? ` (${count(ids.length, 'operation')})` : '';
    return say`${names} ${verb}${often}. ${evidenceSentence(cycle, words)}`;
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
  return say`${words.operation(pair.second, true)} came after ${words.operation(pair.first, true)} but saw an older value: ${older}.`;
}

function regularSentence({ regular, safe, neverWritten }: Consistency, words: Words): Sentence {
  if (regular.kind === 'holds') return say`Each read by itself fits the writes (regular register).`;
  if (regular.kind === 'not measured') return say`Not known for all reads: ${regular.reason}.`;
  const irregular = regular.irregular ?? [];
  const wrong = say`${count(irregular.length, 'read does', 'reads do')} not fit the writes, even taken alone: ${operations(irregular, words)}.`;
  const unsafe = safe.kind === 'fails' ? (safe.unsafe ?? []) : [];
  const overlap =
    safe.kind === 'holds'
      ? [
          say`${irregular.length === 1 ? 'It overlaps' : 'Each overlaps'} a write, where a safe register may return anything.`,
        ]
      : unsafe.length > 0
        ? [
            say`${irregular.length === 1 ? 'It overlaps' : count(unsafe.length, 'of them overlaps', 'of them overlap')} no write, so this is not even a safe register.`,
          ]
        : [];
  const never = neverWritten.length > 0 ? [neverWrittenSentence(neverWritten, words)] : [];
  return join([wrong, ...overlap, ...never], ' ');
}

const neverWrittenSentence = (ids: readonly number[], words: Words): Sentence =>
  say`${count(ids.length, 'read', 'reads')} returned a value that was never written${failedAside(words)}: ${operations(ids, words)}.`;

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
  const sentences = (['reads', 'values'] as const).flatMap((what) => {
    const own = parts.filter((part) => part.what === what);
    const reasons = [...new Set(own.map(({ reason }) => reason))];
    return own.length === 0
      ? []
      : [say`Some or all ${what}${namedParts(own)}: ${words.list(reasons, '; ')}.`];
  });
  return join(sentences, ' ');
}

/** ` of "x", "y" and 2 more parts`; empty for the only part of a history. */
function namedParts(parts: Consistency['notMeasured']): string {
  const names = [...new Set(parts.map(({ part }) => part))];
  if (names.join('') === '') return '';
  const rest = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).map(show);
  return ` of ${list(rest > 0 ? [shown.join(', '), `${count(rest, 'more part')}`] : shown)}`;
}

const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** `"Read your writes" and "monotonic reads"`, at the start of a sentence. */
const quoted = (names: readonly string[]): string =>
  list(names.map((name, k) => `"${k === 0 ? capital(name) : name}"`));

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
