/** Why no meetings explain what happened, in plain sentences. */
import { printable } from '../../base/values/show.js';
import type { MeetingCause } from '../../check/model/rendezvous-causes.js';
import { count } from '../common/verdict-words.js';
import { join, type Reason, type Sentence, say } from './sentence.js';
import { strong, type Words } from './words.js';

const MOST = 6;
const MOST_MEETINGS = 8;
/** The state of an object that has none, which is not worth telling. */
const NO_STATE = 'null';

/** Does the cause speak for itself, without what the call at fault returned? */
export const isOfProgress = ({ kind }: MeetingCause): boolean =>
  kind === 'should meet' || kind === 'left behind';

export function meetingReasons(cause: MeetingCause, words: Words): Reason[] {
  if (cause.kind === 'unmet') return unmetReasons(cause, words);
  return [{ sentence: sentenceOf(cause, words) }];
}

function sentenceOf(cause: Exclude<MeetingCause, { kind: 'unmet' }>, words: Words): Sentence {
  switch (cause.kind) {
    case 'untold':
      return say`No meetings explain it; to find out more took too long.`;
    case 'lonely':
      return cause.others.length === 0
        ? say`It did not meet any other call: none that it could have met was open while it was${nearest(cause, words)}.`
        : say`It did not meet any other call: ${listed(cause.others, words)} ${cause.others.length === 1 ? 'was' : 'were'} open while it was, but what they took and gave does not fit.`;
    case 'too few partners':
      return say`${calls(cause.calls, words, 'These')} can only have met ${calls(cause.partners, words, 'these')}, and each meets one: there are too few.`;
    case 'odd groups':
      return oddGroups(cause, words);
    case 'should meet':
      return say`Nothing moves any more, but ${listed(cause.calls, words)} should have ${cause.calls.length === 1 ? 'gone on' : 'met'}.`;
    case 'left behind': {
      const own = words.operation(cause.operation);
      const what = cause.met.length === 0 ? say`took effect` : say`met ${listed(cause.met, words)}`;
      return say`Nothing moves any more. What returned can only be explained if ${own} ${what}, but it waits still.`;
    }
  }
}

/** Who had gone before, and who came after. */
function nearest(
  { operation, nearest: ids }: Extract<MeetingCause, { kind: 'lonely' }>,
  words: Words,
): Sentence {
  const { call } = words.history.columns;
  const at = (id: number) => call[words.position(id)];
  const told = ids.map((id) =>
    at(id) < at(operation)
      ? say`${words.operation(id)} had returned before`
      : say`${words.operation(id)} came after`,
  );
  return told.length === 0 ? [] : say`; ${join(told, ', and ')}`;
}

function unmetReasons(
  { longest: { meetings, state, waiting } }: Extract<MeetingCause, { kind: 'unmet' }>,
  words: Words,
): Reason[] {
  const others =
    waiting.length === 0
      ? say`no other call was waiting`
      : say`only ${listed(waiting, words)} ${waiting.length === 1 ? 'was' : 'were'} waiting`;
  const hasState = state !== NO_STATE;
  if (meetings.length === 0) {
    const start = hasState ? say` The object starts as ${strong(printable(state))}.` : '';
    return [{ sentence: say`No meeting explains it: ${others}.${start}` }];
  }
  const told = meetings.slice(-MOST_MEETINGS);
  const some = told.length < meetings.length ? `, the last ${told.length} of ${meetings.length}` : '';
  return [
    {
      sentence: say`No meetings explain it. Some that explain all before it${some}:`,
      steps: told.map((members) => meeting(members, words)),
    },
    {
      sentence: hasState
        ? say`After them ${others}, and the object is ${strong(printable(state))}.`
        : say`After them ${others}.`,
    },
  ];
}

function oddGroups(
  { groups, through }: Extract<MeetingCause, { kind: 'odd groups' }>,
  words: Words,
): Sentence {
  if (groups.length === 1 && through.length === 0)
    return say`${listed(groups[0], words)} can only have met one another, but they are odd in number.`;
  const inside = groups.map((group) => say`[${listed(group, words)}]`);
  return say`Set ${listed(through, words)} aside, and what is left falls into ${count(groups.length, 'group')} that can only have met inside, each odd in number: ${join(inside, ', ')}. Each needs ${through.length === 1 ? 'the one' : `one of the ${through.length}`} set aside, and they are too few.`;
}

/** `send(1) of A (operation 0) and receive() of B (operation 1)`. */
function listed(ids: readonly number[], words: Words): Sentence {
  const told = ids.slice(0, MOST).map((id) => words.operation(id));
  if (told.length < ids.length) return say`${join(told, ', ')}, ${words.ellipsis}`;
  return told.length < 2 ? told : say`${join(told.slice(0, -1), ', ')} and ${told[told.length - 1]}`;
}

function calls(ids: readonly number[], words: Words, these: string): Sentence {
  return ids.length === 1
    ? [words.operation(ids[0])]
    : say`${these} ${String(ids.length)}, ${listed(ids, words)},`;
}

/** `send(1) with receive() → 1`. */
function meeting(ids: readonly number[], words: Words): Sentence {
  const labels = ids.map((id) => ({ text: words.labels.operation(words.position(id)), operations: [id] }));
  return join(labels, ' with ');
}
