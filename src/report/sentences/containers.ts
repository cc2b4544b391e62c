/** Why values of a family are in each other's way, in plain sentences. */
import { show } from '../../base/values/show.js';
import type { FamilyCause, Run, Stay } from '../../check/model/monitor-causes.js';
import { count } from '../common/verdict-words.js';
import { join, type Phrase, type Sentence, say } from './sentence.js';
import { strong, type Words } from './words.js';

/* Why operations on a register, or on one key of a map, are in each other's way, in plain sentences. */

type CellCause = Extract<
  FamilyCause,
  { kind: 'never written' | 'swapped twice' | 'out of turn' | 'in turns' }
>;

const MOST = 4;

function cellSentences(cause: CellCause, words: Words): Sentence[] {
  switch (cause.kind) {
    case 'never written':
      return [neverWritten(cause.links, words)];
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => words.operation(id));
      return [
        say`${one} and ${other} both replaced ${strong(show(cause.value))}; after one of them it was not there any more.`,
      ];
    }
    case 'out of turn':
      return [
        say`By the values, ${words.operation(cause.first)} comes before ${words.operation(cause.second)}; but it was called only after that had returned.`,
      ];
    case 'in turns': {
      const [one, other] = cause.runs;
      return [say`${isBefore(one, other, words)}.`, say`But ${isBefore(other, one, words)}.`];
    }
  }
}

function neverWritten(links: readonly number[], words: Words): Sentence {
  if (links.length === 0) return say`Nobody wrote that.`;
  const told = links.slice(0, MOST).map((id) => words.operation(id));
  const rest = links.length > MOST ? ` and ${links.length - MOST} more` : '';
  return say`That was written only by ${join(told, ', ')}${rest}, and what these replaced was never there before.`;
}

/** Why one run comes first: it was seen before the other was asked for the last time. */
function isBefore(one: Run, other: Run, words: Words): Sentence {
  const [earlier, later] = [one, other].map(values);
  const so = say`so ${earlier} was there before ${later}`;
  const since =
    one.first === undefined
      ? say`${earlier} was there at first`
      : say`${words.operation(one.first)} had returned`;
  if (other.last === undefined)
    return say`${since}, and nobody took ${later} away, so ${earlier} was there before`;
  return one.first === undefined
    ? say`${since}, before ${later}`
    : say`${since} before ${words.operation(other.last)} was called, ${so}`;
}

/** The values at both ends of a run, of which the second came from the first by swaps. */
const values = ({ values, first, last }: Run): Phrase => ({
  text: values.map(show).join(' and then '),
  tone: 'strong',
  operations: [first, last].filter((id) => id !== undefined),
});

/* Who held a mutex, or nobody, in plain sentences. */

type MutexCause = Extract<FamilyCause, { kind: 'two holders' | 'not held' | 'surely held' | 'surely free' }>;

function mutexSentences(cause: MutexCause, words: Words): Sentence[] {
  const owner = show(words.history.at(words.position(cause.operation)).args[0]);
  switch (cause.kind) {
    case 'two holders': {
      const [{ owner: holder, lock, unlock }] = cause.holds;
      const until = unlock === undefined ? ' on' : say` to ${words.operation(unlock)}`;
      return [say`But ${show(holder)} held it, from ${words.operation(lock)}${until}.`];
    }
    case 'not held':
      return [say`But ${owner} did not hold it.`];
    case 'surely held':
      return [say`But it was held all that time, from ${words.operation(cause.lock)} on.`];
    case 'surely free': {
      const { after, before } = cause;
      const how = join(
        [
          ...(after === undefined
            ? []
            : [say`${words.operation(after)} had returned before that was called`]),
          ...(before === undefined
            ? []
            : [say`${words.operation(before)}, the next, was called only after its return`]),
        ],
        ', and ',
      );
      return [say`But nobody held it${how.length === 0 ? '' : say`: ${how}`}.`];
    }
  }
}

/* Why what was found by fetch-and-add can not be, in plain sentences. */

type SumCause = Extract<FamilyCause, { kind: 'overlap' | 'backwards' | 'unreached' }>;

function sumSentences(cause: SumCause, words: Words): Sentence[] {
  const own = actOf(words, cause.operation);
  if (cause.kind === 'unreached') {
    const { sum, open, each } = cause;
    const calls = { text: count(open.length, 'call'), operations: open };
    return [
      open.length === 0
        ? say`All that was added before it makes ${show(sum)}.`
        : say`All that was added before it makes ${show(sum)}; ${calls} that never returned could add ${show(each)} each, which does not make it ${show(own.found)}.`,
    ];
  }
  const other = actOf(words, cause.other);
  const who = words.operation(cause.other);
  if (cause.kind === 'backwards')
    return [say`Before that was called, ${who} had found ${show(other.found)}, and no add leads back.`];
  if (own.found === other.found && own.adds !== 0 && other.adds !== 0)
    return [say`So did ${who}, but the first of the two changed it, and no add leads back.`];
  const [passes, passed] = isBetween(own.found, other) ? [other, own] : [own, other];
  return [
    say`${passes === own ? say`${who} found ${show(passed.found)}, but this` : who} went from ${show(passes.found)} to ${show(passes.found + passes.adds)} at once: ${show(passed.found)} was never there.`,
  ];
}

interface Act {
  readonly adds: number;
  readonly found: number;
}

function actOf(words: Words, id: number): Act {
  const { args, outcome } = words.history.at(words.position(id));
  const found = outcome.kind === 'returned' ? (outcome.value as number) : Number.NaN;
  return { adds: (args[0] as number | undefined) ?? 0, found };
}

const isBetween = (value: number, { found, adds }: Act): boolean =>
  (value - found) * (found + adds - value) > 0;

/** Of a tangle: with the two sentences before and the one after, these are six. */
const MOST_TANGLED = 3;

export function familySentences(cause: FamilyCause, words: Words): Sentence[] {
  switch (cause.kind) {
    case 'from nowhere':
      return [say`Nobody put that in.`];
    case 'taken twice':
      return [say`It was taken out already, by ${words.operation(cause.stay.taken)}.`];
    case 'too early':
      return [say`Only then was it put in, by ${words.operation(cause.stay.put)}.`];
    case 'too late':
      return [say`Before that was called, ${words.operation(cause.stay.taken)} had taken it out.`];
    case 'overtaken':
      return overtaken(cause, words);
    case 'two at the front':
      return [
        say`${words.stays(cause.stays)} were at the front in turns, but a value stays there until it is taken out.`,
      ];
    case 'tangled':
      return tangled(cause, words);
    case 'not the first':
      return notTheFirst(cause, words);
    case 'never empty':
      return [
        cause.stays.length === 1
          ? say`All that time ${words.stays(cause.stays)} was inside${words.how(cause.stays[0])}.`
          : say`At each moment of the call one of ${words.stays(cause.stays)} was inside${spare(cause.stays, words)}.`,
      ];
    case 'overlap':
    case 'backwards':
    case 'unreached':
      return sumSentences(cause, words);
    case 'two holders':
    case 'not held':
    case 'surely held':
    case 'surely free':
      return mutexSentences(cause, words);
    default:
      return cellSentences(cause, words);
  }
}

function overtaken(
  { first, second, between, left }: Extract<FamilyCause, { kind: 'overtaken' }>,
  words: Words,
): Sentence[] {
  const older =
    first.put === undefined
      ? say`${words.stay(first)} was inside at first`
      : say`${words.stay(first)} was put in before ${words.stay(second)} was`;
  const still =
    left.length > 0
      ? say`. So ${left.length === 1 ? 'was' : 'were'} ${words.stays(left)}, and ${count(left.length, 'call')} that never returned can not have taken them all out`
      : first.taken === undefined
        ? say`, and nobody had taken it out`
        : say`, and was taken out only later, by ${words.operation(first.taken)}`;
  return [
    say`${older}${still}.`,
    ...(between.length > 0
      ? [say`Between them, ${words.stays(between)} ${between.length === 1 ? 'was' : 'were'} at the front.`]
      : []),
  ];
}

function notTheFirst(
  { stay, stays }: Extract<FamilyCause, { kind: 'not the first' }>,
  words: Words,
): Sentence[] {
  const given = words.stay(stay);
  return [
    stays.length === 1
      ? say`${words.stays(stays)} goes out before ${given}. It was inside all the time that ${given} can have been given${words.how(stays[0])}.`
      : say`${words.stays(stays)} go out before ${given}. At each moment at which ${given} can have been given, one of them was inside.`,
  ];
}

type Tangled = Extract<FamilyCause, { kind: 'tangled' }>;

function tangled({ stays, blocked }: Tangled, words: Words): Sentence[] {
  const above = stays.findIndex((stay, i) => blocked[i] === stay.put);
  if (stays.length === 2 && above >= 0) return [underneath(stays, blocked, above, words)];
  const more = stays.length - MOST_TANGLED;
  return [
    say`Of ${words.stays(stays)}, the one that was put in first was alone whenever it was put in, seen or taken out.`,
    ...stays
      .slice(0, MOST_TANGLED)
      .map((stay, i) =>
        blocked[i] === undefined
          ? say`That is not ${words.stay(stay)}: it was there at first, above others.`
          : say`That is not ${words.stay(stay)}: all the time of ${words.operation(blocked[i])} others were inside.`,
      ),
    ...(more > 0 ? [say`Nor is it ${more === 1 ? 'the other one' : `one of the ${more} others`}.`] : []),
  ];
}

/** Of two values the upper one was inside when the lower one was given. */
function underneath(
  stays: readonly Stay[],
  blocked: Tangled['blocked'],
  above: number,
  words: Words,
): Sentence {
  const [upper, lower] = [stays[above], stays[1 - above]].map((stay) => words.stay(stay));
  const since =
    stays[above].put === undefined
      ? say`${upper} was above ${lower} at first.`
      : say`${upper} is above ${lower}, which was inside all the time of ${words.operation(stays[above].put)}.`;
  return say`${since} And ${upper} was inside all the time of ${words.operation(blocked[1 - above])}.`;
}

/** Where calls that never returned may have taken some. */
function spare(stays: readonly Stay[], words: Words): string {
  return stays.some(({ taken }) => taken !== undefined && words.isPending(taken))
    ? ', and calls that never returned can not have taken all out'
    : '';
}
