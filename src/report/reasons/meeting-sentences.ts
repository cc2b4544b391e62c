/** Why no meetings explain what happened, in plain sentences. */
import { printable } from '../../base/index.js';
import type { MeetingCause } from '../../check/index.js';
import { count } from '../number.js';
import { join, type Phrase, type Reason, type Sentence, say } from './sentence.js';
import { strong, type Words } from './words.js';

const MOST = 6;
const MOST_MEETINGS = 8;

/** What the cause says after "send(1) by A returned no result". */
export function meetingReasons(cause: MeetingCause, words: Words): Reason[] {
  return cause.kind === 'unmet'
    ? unmet(cause, words)
    : [{ sentence: sentenceOf(cause, new MeetingWords(words)) }];
}

function sentenceOf(cause: Exclude<MeetingCause, { kind: 'unmet' }>, words: MeetingWords): Sentence {
  switch (cause.kind) {
    case 'lonely':
      return cause.others.length === 0
        ? say`It did not meet any other call: none that it could have met was open while it was.`
        : say`It did not meet any other call: ${words.list(cause.others)} ${was(cause.others)} open while it was, but what they gave does not fit.`;
    case 'too few partners':
      return say`${words.calls(cause.calls)} can only have met ${words.calls(cause.partners)}, and each meets one: there are too few.`;
    case 'odd groups':
      return oddGroups(cause, words);
    case 'should meet':
      return say`Nothing moves any more, but ${words.list(cause.calls)} should have ${cause.calls.length === 1 ? 'gone on' : 'met'}.`;
    case 'left behind': {
      const how = cause.met.length === 0 ? 'took effect' : say`met ${words.list(cause.met)}`;
      return say`Nothing moves any more. What returned can only be explained if ${words.one(cause.operation)} ${how}, but it waits still.`;
    }
  }
}

function unmet(
  { longest: { meetings, state, waiting } }: Extract<MeetingCause, { kind: 'unmet' }>,
  words: Words,
): Reason[] {
  const own = new MeetingWords(words);
  const object = strong(printable(state));
  const others =
    waiting.length === 0
      ? say`no other call was waiting`
      : say`only ${own.list(waiting)} ${was(waiting)} waiting`;
  if (meetings.length === 0)
    return [{ sentence: say`No meeting explains it: ${others}. The object starts as ${object}.` }];
  const told = meetings.slice(-MOST_MEETINGS);
  const some = told.length < meetings.length ? `, the last ${told.length} of ${meetings.length}` : '';
  return [
    {
      sentence: say`No meetings explain it. Some that explain all before it${some}:`,
      steps: told.map((members) => own.meeting(members)),
    },
    { sentence: say`After them ${others}, and the object is ${object}.` },
  ];
}

function oddGroups(
  { groups, through }: Extract<MeetingCause, { kind: 'odd groups' }>,
  words: MeetingWords,
): Sentence {
  if (groups.length === 1 && through.length === 0)
    return say`${words.list(groups[0])} can only have met one another, but they are odd in number.`;
  const told = join(
    groups.map((group) => say`[${words.list(group)}]`),
    ', ',
  );
  return say`Set ${words.list(through)} aside, and what is left falls into ${count(groups.length, 'group')} that can only have met inside, each odd in number: ${told}. Each needs one of ${through.length === 1 ? 'it' : `those ${through.length}`}, and they are too few.`;
}

const was = (ids: readonly number[]): string => (ids.length === 1 ? 'was' : 'were');

/** Operations by id, in words. */
class MeetingWords {
  readonly #words: Words;

  constructor(words: Words) {
    this.#words = words;
  }

  one(id: number): Phrase {
    const { process } = this.#words.history.at(this.#words.position(id));
    return { text: `${this.#label(id)} by ${printable(process)} (${id})`, operations: [id] };
  }

  list(ids: readonly number[]): Sentence {
    const told = ids.slice(0, MOST).map((id) => this.one(id));
    if (told.length < ids.length) return join([...told, this.#words.ellipsis], ', ');
    return told.length < 2 ? told : say`${join(told.slice(0, -1), ', ')} and ${told[told.length - 1]}`;
  }

  calls(ids: readonly number[]): Sentence {
    return ids.length === 1 ? [this.one(ids[0])] : say`these ${String(ids.length)}, ${this.list(ids)},`;
  }

  meeting(ids: readonly number[]): Sentence {
    return join(
      ids.map((id): Phrase => ({ text: this.#label(id), operations: [id] })),
      this.#words.meets,
    );
  }

  #label(id: number): string {
    return this.#words.labels.operation(this.#words.position(id));
  }
}
