/** Sentences for the causes that monitors find: values of containers, registers, locks and counters that contradict each other. */
import { show } from '../../base/values/show.js';
import type { Cluster, MonitorCause, ValueInterval } from '../../check/model/causes.js';
import type { Outcome } from '../../history/model/operation.js';
import { count } from '../common/verdict-words.js';
import { join, type Phrase, type Sentence, say, strong, type Words } from './words.js';

/* Registers, and single keys of maps. */

type CellCause = Extract<
  MonitorCause,
  { kind: 'never written' | 'swapped twice' | 'out of turn' | 'in turns' }
>;

/** At most this many operations are named; the others are counted. */
const MOST_NAMED = 4;

function cellSentences(cause: CellCause, words: Words): Sentence[] {
  switch (cause.kind) {
    case 'never written':
      return [neverWritten(cause, words)];
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => words.operation(id));
      return [
        say`${one} and ${other} both replaced ${strong(words.show(cause.value))}, but after the first of them it was no longer there.`,
      ];
    }
    case 'out of turn':
      return [
        say`The values require ${words.operation(cause.first)} before ${words.operation(cause.second)}, but ${words.again(cause.first, cause.second)} was called after ${words.again(cause.second, cause.first)} had returned.`,
      ];
    case 'in turns': {
      // the initial value, if it is one of them, comes first
      const [one, other] = cause.runs[1].first === undefined ? [cause.runs[1], cause.runs[0]] : cause.runs;
      // a stale read contradicts the order of the values, so it comes second
      const [first, second] =
        one.first !== undefined && hasRead(other, words) && !hasRead(one, words)
          ? [other, one]
          : [one, other];
      return [say`${isBefore(first, second, words)}.`, say`But ${contradicts(second, first, words)}.`];
    }
  }
}

function neverWritten(cause: Extract<CellCause, { kind: 'never written' }>, words: Words): Sentence {
  const { links } = cause;
  if (links.length === 0)
    return say`That value was never written.${optionHint(cause, 'it is the initial value', 'initial', words)}`;
  const named = links.slice(0, MOST_NAMED).map((id) => words.operation(id));
  const rest = links.length > MOST_NAMED ? ` and ${links.length - MOST_NAMED} more` : '';
  const replaced = links.length === 1 ? say`value that ${words.again(links[0])}` : 'values that they';
  return say`That value was written only by ${join(named, ', ')}${rest}, but the object never held the ${replaced} replaced.`;
}

/** Texts that stand for the absence of a value. */
const EMPTY = /^(?:|nil|null|none|empty|nothing|undefined)$/i;

/** Advice for a result that looks like the absence of a value where the spec returns `null`: an option is missing. */
function optionHint(
  { operation, allowed = [] }: { readonly operation: number; readonly allowed?: readonly Outcome[] },
  meaning: string,
  option: string,
  words: Words,
): string {
  const { outcome } = words.history.at(words.position(operation));
  if (outcome.kind !== 'returned') return '';
  const { value } = outcome;
  const looksEmpty =
    typeof value === 'string' ? EMPTY.test(value) : value === 0 || value === false || isEmptyList(value);
  const isNullAllowed = allowed.some((own) => own.kind === 'returned' && (own.value ?? null) === null);
  if (!looksEmpty || !isNullAllowed) return '';
  return ` If ${meaning}, set the option ${option} (--${option} '${JSON.stringify(value)}').`;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Why one cluster precedes another: it was observed before the last operation of the other one was called. */
function isBefore(one: Cluster, other: Cluster, words: Words): Sentence {
  const [earlier, later] = [one, other].map((cluster) => values(cluster, words));
  if (one.first === undefined)
    return one.values.length === 1
      ? say`${earlier} is the initial value`
      : say`${earlier} were there first, because ${strong(words.show(one.values[0]))} is the initial value`;
  const so = say`so ${earlier} ${one.values.length === 1 ? 'was' : 'were'} there before ${later}`;
  const since = say`${words.operation(one.first)} had returned`;
  if (other.last === undefined) return say`${since}, and no operation replaced ${later}, ${so}`;
  const called = say`${since} before ${words.operation(other.last)} was called`;
  return other.first === undefined
    ? say`${called}, so ${later} had been replaced by then`
    : say`${called}, ${so}`;
}

/** Is the last operation of the cluster one that only returned its value? */
function hasRead({ last, values }: Cluster, words: Words): boolean {
  if (last === undefined) return false;
  const { outcome, args } = words.history.at(words.position(last));
  const value = show(values[values.length - 1]);
  return (
    outcome.kind === 'returned' && show(outcome.value) === value && !args.some((own) => show(own) === value)
  );
}

/** Why the second cluster does not precede the first: it was read, or another operation on it was called, too late. */
function contradicts(one: Cluster, other: Cluster, words: Words): Sentence {
  if (one.first === undefined || other.first === undefined || !hasRead(other, words))
    return isBefore(one, other, words);
  const value = strong(words.show(other.values[other.values.length - 1]));
  return say`${words.operation(other.last)} was called after ${words.operation(one.first)} had returned, and returned ${value}`;
}

/** The values at both ends of a cluster; the second came from the first by swaps. */
const values = ({ values, first, last }: Cluster, words: Words): Phrase => ({
  text: `${values.map((value) => words.show(value)).join(' and ')}${values.length > 1 ? ' (in this order)' : ''}`,
  tone: 'strong',
  operations: [first, last].filter((id) => id !== undefined),
});

/* Locks with owners. */

type MutexCause = Extract<
  MonitorCause,
  { kind: 'two holders' | 'not held' | 'definitely held' | 'definitely free' }
>;

function mutexSentences(cause: MutexCause, words: Words): Sentence[] {
  const owner = words.show(words.history.at(words.position(cause.operation)).args[0]);
  switch (cause.kind) {
    case 'two holders': {
      const [{ owner: holder, lock, unlock }] = cause.holds;
      const until = unlock === undefined ? ' on' : say` to ${words.operation(unlock)}`;
      return [say`${words.show(holder)} held the lock from ${words.operation(lock)}${until}.`];
    }
    case 'not held':
      return [say`${owner} did not hold the lock.`];
    case 'definitely held':
      return [say`The lock was held during the whole call, from ${words.operation(cause.lock)} on.`];
    case 'definitely free': {
      const { after, before } = cause;
      const how = join(
        [
          ...(after === undefined
            ? []
            : [say`${words.operation(after)} had returned before this call started`]),
          ...(before === undefined
            ? []
            : [say`${words.operation(before)}, the next to take it, was called after this call returned`]),
        ],
        ', and ',
      );
      return [say`The lock was free during the whole call${how.length === 0 ? '' : say`: ${how}`}.`];
    }
  }
}

/* Fetch-and-add. */

type SumCause = Extract<MonitorCause, { kind: 'overlap' | 'backwards' | 'unreached' }>;

function sumSentences(cause: SumCause, words: Words): Sentence[] {
  const own = additionOf(words, cause.operation);
  if (cause.kind === 'unreached') {
    const { sum, open, each } = cause;
    const calls = { text: count(open.length, 'pending call'), operations: open };
    return [
      open.length === 0
        ? say`The additions before it sum to ${show(sum)}.`
        : say`The additions before it sum to ${show(sum)}; ${calls} could add ${show(each)}${open.length === 1 ? '' : ' each'}, which never gives ${show(own.found)}.`,
    ];
  }
  const other = additionOf(words, cause.other);
  const name = words.operation(cause.other);
  if (cause.kind === 'backwards')
    return [
      say`Before this call started, ${name} had returned ${show(other.found)}, and no call can change the value back.`,
    ];
  if (own.found === other.found && own.adds !== 0 && other.adds !== 0)
    return [
      say`${name} returned the same value, but the first of these two calls changed it, and no call can change the value back.`,
    ];
  const [passes, passed] = isBetween(own.found, other) ? [other, own] : [own, other];
  return [
    say`${passes === own ? say`${name} returned ${show(passed.found)}, but ${words.operation(cause.operation)}` : name} changed the value from ${show(passes.found)} to ${show(passes.found + passes.adds)} in one step, so it was never ${show(passed.found)}.`,
  ];
}

interface Addition {
  readonly adds: number;
  readonly found: number;
}

function additionOf(words: Words, id: number): Addition {
  const { args, outcome } = words.history.at(words.position(id));
  const found = outcome.kind === 'returned' ? (outcome.value as number) : Number.NaN;
  return { adds: (args[0] as number | undefined) ?? 0, found };
}

const isBetween = (value: number, { found, adds }: Addition): boolean =>
  (value - found) * (found + adds - value) > 0;

/** Values of a cyclic core that are explained one by one; with the sentences around them, an explanation has at most six. */
const MOST_EXPLAINED = 3;

export function familySentences(cause: MonitorCause, words: Words): Sentence[] {
  switch (cause.kind) {
    case 'from nowhere':
      return [
        say`That value was never inserted.${optionHint(cause, 'it stands for "empty"', 'empty', words)}`,
      ];
    case 'taken twice':
      return [say`That value had already been removed, by ${words.operation(cause.interval.taken)}.`];
    case 'too early':
      return [say`That value was inserted only afterwards, by ${words.operation(cause.interval.put)}.`];
    case 'too late':
      return [
        say`That value had been removed before this call started, by ${words.operation(cause.interval.taken)}.`,
      ];
    case 'overtaken':
      return overtaken(cause, words);
    case 'two at the front':
      return [
        say`${words.values(cause.intervals)} were both at the front, each before the other was removed. But a value stays at the front until it is removed.`,
      ];
    case 'cyclic core':
      return cyclicCore(cause, words);
    case 'not the first':
      return notTheFirst(cause, words);
    case 'never empty':
      return [
        cause.intervals.length === 1
          ? say`The object was not empty: ${words.values(cause.intervals)} was in it during the whole call, ${words.duration(cause.intervals[0])}.`
          : say`The object was never empty: at each moment of the call, at least one of ${words.values(cause.intervals)} was in it${pendingNote(cause.intervals, words)}.`,
      ];
    case 'overlap':
    case 'backwards':
    case 'unreached':
      return sumSentences(cause, words);
    case 'two holders':
    case 'not held':
    case 'definitely held':
    case 'definitely free':
      return mutexSentences(cause, words);
    default:
      return cellSentences(cause, words);
  }
}

function overtaken(
  { first, second, between, left }: Extract<MonitorCause, { kind: 'overtaken' }>,
  words: Words,
): Sentence[] {
  const isInitial = first.put === undefined;
  const still =
    first.taken === undefined
      ? say`, and no operation had removed it`
      : say` ${isInitial ? 'and' : 'but'} was removed after ${isInitial ? words.value(second) : 'it'}, by ${words.operation(first.taken)}`;
  return [
    left.length > 0
      ? tooFewRemovals([first, ...left], second, words)
      : isInitial
        ? say`${words.value(first)} was in the queue at the start${still}.`
        : say`${words.value(first)} was inserted before ${words.value(second)}${still}.`,
    ...(between.length > 0
      ? [
          say`After ${words.value(second)} and before ${words.value(first)}, ${words.values(between)} ${between.length === 1 ? 'was' : 'were'} at the front.`,
        ]
      : []),
  ];
}

/** One pending call fewer than these values may have removed them. */
function tooFewRemovals(earlier: readonly ValueInterval[], later: ValueInterval, words: Words): Sentence {
  const inOrder = [...earlier].sort((a, b) => (a.put ?? -1) - (b.put ?? -1));
  const verb = earlier.some(({ put }) => put === undefined) ? 'in the queue' : 'inserted';
  const removed = earlier.length === 2 ? 'both' : 'all of them';
  return say`${words.values(inOrder)} were ${verb} before ${words.value(later)}. ${earlier.length === 2 ? 'One pending call' : count(earlier.length - 1, 'pending call')} cannot have removed ${removed}.`;
}

function notTheFirst(
  { interval, intervals }: Extract<MonitorCause, { kind: 'not the first' }>,
  words: Words,
): Sentence[] {
  const given = words.value(interval);
  return [
    intervals.length === 1
      ? say`${words.values(intervals)} comes before ${given}, because the smallest priority leaves first. It was in the queue at every moment at which ${given} could have been returned, ${words.duration(intervals[0])}.`
      : say`${words.values(intervals)} come before ${given}, because the smallest priority leaves first. At every moment at which ${given} could have been returned, one of them was in the queue.`,
  ];
}

type CyclicCore = Extract<MonitorCause, { kind: 'cyclic core' }>;

function cyclicCore({ intervals, blocked }: CyclicCore, words: Words): Sentence[] {
  const above = intervals.findIndex((interval, i) => blocked[i] === interval.put);
  if (intervals.length === 2 && above >= 0) return [underneath(intervals, blocked, above, words)];
  const more = intervals.length - MOST_EXPLAINED;
  return [
    say`One of ${words.values(intervals)} was ${intervals.some(({ put }) => put === undefined) ? 'on the stack' : 'pushed'} first. During each operation on that value, there must be a moment with none of the others on the stack.`,
    ...intervals
      .slice(0, MOST_EXPLAINED)
      .map((interval, i) =>
        blocked[i] === undefined
          ? say`${words.value(interval)} was not first: at the start, it was above another of them.`
          : say`${words.value(interval)} was not first: another of them was on the stack during the whole of ${words.operation(blocked[i])}.`,
      ),
    ...(more > 0
      ? [say`${more === 1 ? 'The other one was' : `The ${more} others were`} not first either.`]
      : []),
  ];
}

/** Of two values on a stack, the upper one was still there when the lower one was returned. */
function underneath(
  intervals: readonly ValueInterval[],
  blocked: CyclicCore['blocked'],
  above: number,
  words: Words,
): Sentence {
  const [upper, lower] = [intervals[above], intervals[1 - above]].map((interval) => words.value(interval));
  const since =
    intervals[above].put === undefined
      ? say`At the start, ${upper} was above ${lower}.`
      : say`${upper} was above ${lower}, because ${lower} was on the stack during the whole of ${words.operation(intervals[above].put)}.`;
  return say`${since} But ${upper} was still on the stack during the whole of ${words.operation(blocked[1 - above])}, so ${lower} was not at the top.`;
}

/** Added where pending calls may have removed some of the values. */
function pendingNote(intervals: readonly ValueInterval[], words: Words): string {
  return intervals.some(({ taken }) => taken !== undefined && words.isPending(taken))
    ? ', and the pending calls cannot have removed all of them'
    : '';
}
