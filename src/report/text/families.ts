/** Why values of a family are in each other's way, in plain sentences. */
import { printable, show } from '../../base/index.js';
import type { FamilyCause, Stay } from '../../check/index.js';
import type { History } from '../../history/index.js';
import { Labels } from '../label.js';
import { cellSentences } from './cell-causes.js';
import { mutexSentences } from './mutex-sentences.js';
import { count } from './number.js';
import type { Style } from './style.js';
import { sumSentences } from './sum-sentences.js';

const MOST = 6;

export function familySentences(cause: FamilyCause, history: History, style: Style): string[] {
  const words = new Words(history, style);
  switch (cause.kind) {
    case 'from nowhere':
      return ['Nobody put that in.'];
    case 'taken twice':
      return [`It was taken out already, by ${words.operation(cause.stay.taken)}.`];
    case 'too early':
      return [`Only then was it put in, by ${words.operation(cause.stay.put)}.`];
    case 'too late':
      return [`Before that was called, ${words.operation(cause.stay.taken)} had taken it out.`];
    case 'overtaken':
      return overtaken(cause, words);
    case 'two at the front':
      return [
        `${words.values(cause.stays)} were at the front in turns, but a value stays there until it is taken out.`,
      ];
    case 'tangled':
      return tangled(cause, words);
    case 'not the first':
      return [
        `${words.values(cause.stays)} ${cause.stays.length === 1 ? 'goes' : 'go'} out before ${words.value(cause.stay)}. ${
          cause.stays.length === 1
            ? `It was inside all the time that ${words.value(cause.stay)} can have been given${words.how(cause.stays[0])}`
            : `At each moment at which ${words.value(cause.stay)} can have been given, one of them was inside`
        }.`,
      ];
    case 'never empty':
      return [
        cause.stays.length === 1
          ? `All that time ${words.values(cause.stays)} was inside${words.how(cause.stays[0])}.`
          : `At each moment of the call one of ${words.values(cause.stays)} was inside${spare(cause.stays, words)}.`,
      ];
    case 'overlap':
    case 'backwards':
    case 'unreached':
      return sumSentences(cause, history, (id) => words.operation(id));
    case 'two holders':
    case 'not held':
    case 'surely held':
    case 'surely free':
      return mutexSentences(cause, history, (id) => words.operation(id));
    default:
      return cellSentences(cause, words);
  }
}

function overtaken(
  { first, second, between, left }: Extract<FamilyCause, { kind: 'overtaken' }>,
  words: Words,
): string[] {
  const older =
    first.put === undefined
      ? `${words.value(first)} was inside at first`
      : `${words.value(first)} was put in before ${words.value(second)} was`;
  const still =
    left.length > 0
      ? `. So ${left.length === 1 ? 'was' : 'were'} ${words.values(left)}, and ${count(left.length, 'call')} that never returned can not have taken them all out`
      : first.taken === undefined
        ? ', and nobody had taken it out'
        : `, and was taken out only later, by ${words.operation(first.taken)}`;
  return [
    `${older}${still}.`,
    ...(between.length > 0
      ? [`Between them, ${words.values(between)} ${between.length === 1 ? 'was' : 'were'} at the front.`]
      : []),
  ];
}

function tangled({ stays, blocked }: Tangled, words: Words): string[] {
  const above = stays.findIndex((stay, i) => blocked[i] === stay.put);
  if (stays.length === 2 && above >= 0) return underneath(stays, blocked, above, words);
  return [
    `Of ${words.values(stays)}, the one that was put in first was alone whenever it was put in, seen or taken out.`,
    ...stays
      .slice(0, MOST)
      .map((stay, i) =>
        blocked[i] === undefined
          ? `That is not ${words.value(stay)}: it was there at first, above others.`
          : `That is not ${words.value(stay)}: all the time of ${words.operation(blocked[i])} others were inside.`,
      ),
    ...(stays.length > MOST ? [`Nor is it one of the ${stays.length - MOST} more.`] : []),
  ];
}

/** Of two values the upper one was inside when the lower one was given. */
function underneath(
  stays: readonly Stay[],
  blocked: Tangled['blocked'],
  above: number,
  words: Words,
): string[] {
  const [upper, lower] = [stays[above], stays[1 - above]].map((stay) => words.value(stay));
  const since =
    stays[above].put === undefined
      ? `${upper} was above ${lower} at first.`
      : `${upper} is above ${lower}, which was inside all the time of ${words.operation(stays[above].put)}.`;
  return [`${since} And ${upper} was inside all the time of ${words.operation(blocked[1 - above])}.`];
}

type Tangled = Extract<FamilyCause, { kind: 'tangled' }>;

/** Where calls that never returned may have taken some. */
function spare(stays: readonly Stay[], words: Words): string {
  return stays.some(({ taken }) => taken !== undefined && words.isPending(taken))
    ? ', and calls that never returned can not have taken all out'
    : '';
}

class Words {
  readonly #history: History;
  readonly #labels: Labels;
  readonly #style: Style;

  constructor(history: History, style: Style) {
    this.#history = history;
    this.#labels = new Labels(history, style.strokes.gives);
    this.#style = style;
  }

  value({ value }: Stay): string {
    return this.#style.strong(show(value));
  }

  strong(text: string): string {
    return this.#style.strong(text);
  }

  values(stays: readonly Stay[]): string {
    const told = stays.slice(0, MOST).map((stay) => this.value(stay));
    if (stays.length > MOST) return `${told.join(', ')} and ${stays.length - MOST} more`;
    return told.length === 1 ? told[0] : `${told.slice(0, -1).join(', ')} and ${told[told.length - 1]}`;
  }

  operation(id: number | undefined): string {
    if (id === undefined) return 'somebody';
    const operation = this.#history.at(this.#history.positionsById()[id]);
    return `${this.#labels.call(operation)} of ${printable(operation.process)} (operation ${id})`;
  }

  /** Who put it in, and who took it out. */
  how({ put, taken }: Stay): string {
    const since = put === undefined ? ', from the beginning' : `, since ${this.operation(put)}`;
    return taken === undefined ? since : `${since}, up to ${this.operation(taken)}`;
  }

  isPending(id: number): boolean {
    return this.#history.at(this.#history.positionsById()[id]).outcome.kind === 'pending';
  }
}
