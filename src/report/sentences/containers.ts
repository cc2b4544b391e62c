/** Why values of a family are in each other's way, in plain sentences. */
import type { FamilyCause, Stay } from '../../check/model/monitor-causes.js';
import { count } from '../common/format-number.js';
import { mutexSentences } from './mutex.js';
import { cellSentences } from './register.js';
import { type Sentence, say } from './sentence.js';
import { sumSentences } from './sums.js';
import type { Words } from './words.js';

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
