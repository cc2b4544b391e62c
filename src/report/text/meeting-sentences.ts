/** Why no meetings explain what happened, in plain sentences. */
import { printable } from '../../base/index.js';
import type { MeetingCause } from '../../check/index.js';
import type { History } from '../../history/index.js';
import { Labels } from '../label.js';
import { count } from './number.js';
import type { Style } from './style.js';

const MOST = 6;
const MOST_MEETINGS = 8;

/** What the cause says after "send(1) by A returned no result". */
export function meetingSentences(cause: MeetingCause, history: History, style: Style): string[] {
  const words = new Words(history, style);
  switch (cause.kind) {
    case 'lonely':
      return [
        cause.others.length === 0
          ? 'It did not meet any other call: none that it could have met was open while it was.'
          : `It did not meet any other call: ${words.list(cause.others)} ${cause.others.length === 1 ? 'was' : 'were'} open while it was, but what they gave does not fit.`,
      ];
    case 'too few partners':
      return [
        `${words.calls(cause.calls)} can only have met ${words.calls(cause.partners)}, and each meets one: there are too few.`,
      ];
    case 'odd groups':
      return oddGroups(cause, words);
    case 'should meet':
      return [
        `Nothing moves any more, but ${words.list(cause.calls)} should have ${cause.calls.length === 1 ? 'gone on' : 'met'}.`,
      ];
    case 'left behind':
      return cause.met.length === 0
        ? [
            `Nothing moves any more. What returned can only be explained if ${words.one(cause.operation)} took effect, but it waits still.`,
          ]
        : [
            `Nothing moves any more. What returned can only be explained if ${words.one(cause.operation)} met ${words.list(cause.met)}, but it waits still.`,
          ];
    case 'unmet':
      return unmetSentences(cause, words, style);
  }
}

function unmetSentences(
  { longest: { meetings, state, waiting } }: Extract<MeetingCause, { kind: 'unmet' }>,
  words: Words,
  style: Style,
): string[] {
  const others =
    waiting.length === 0
      ? 'no other call was waiting'
      : `only ${words.list(waiting)} ${waiting.length === 1 ? 'was' : 'were'} waiting`;
  if (meetings.length === 0)
    return [`No meeting explains it: ${others}. The object starts as ${style.strong(printable(state))}.`];
  const told = meetings.slice(-MOST_MEETINGS);
  return [
    `No meetings explain it. Some that explain all before it${told.length < meetings.length ? `, the last ${told.length} of ${meetings.length}` : ''}:`,
    ...told.map((members) => `  ${words.meeting(members)}`),
    `After them ${others}, and the object is ${style.strong(printable(state))}.`,
  ];
}

function oddGroups(
  { groups, through }: Extract<MeetingCause, { kind: 'odd groups' }>,
  words: Words,
): string[] {
  if (groups.length === 1 && through.length === 0)
    return [`${words.list(groups[0])} can only have met one another, but they are odd in number.`];
  return [
    `Set ${words.list(through)} aside, and what is left falls into ${count(groups.length, 'group')} that can only have met inside, each odd in number: ${groups.map((group) => `[${words.list(group)}]`).join(', ')}. Each needs one of ${through.length === 1 ? 'it' : `those ${through.length}`}, and they are too few.`,
  ];
}

/** Operations by id, in words. */
class Words {
  readonly #history: History;
  readonly #labels: Labels;
  readonly #style: Style;

  constructor(history: History, style: Style) {
    this.#history = history;
    this.#labels = new Labels(history, style.strokes.gives);
    this.#style = style;
  }

  one(id: number): string {
    const k = this.#history.positionsById()[id];
    return `${this.#labels.operation(k)} by ${printable(this.#history.at(k).process)} (${id})`;
  }

  list(ids: readonly number[]): string {
    const told = ids.slice(0, MOST).map((id) => this.one(id));
    if (told.length < ids.length) return `${told.join(', ')}, ${this.#style.ellipsis}`;
    return told.length < 2 ? told.join('') : `${told.slice(0, -1).join(', ')} and ${told[told.length - 1]}`;
  }

  calls(ids: readonly number[]): string {
    return ids.length === 1 ? this.one(ids[0]) : `these ${ids.length}, ${this.list(ids)},`;
  }

  meeting(ids: readonly number[]): string {
    const labels = ids.map((id) => this.#labels.operation(this.#history.positionsById()[id]));
    return labels.join(this.#style.strokes.line === '-' ? ' <-> ' : ' ⇄ ');
  }
}
