/** Why no sequence of rendezvous gives the results of a history of calls that synchronise. */
import { printable } from '../../base/values/show.js';
import type { RendezvousCause } from '../../check/model/causes.js';
import { count } from '../common/verdict-words.js';
import { join, type Reason, type Sentence, say, strong, type Words } from './words.js';

const MOST = 6;
const MOST_RENDEZVOUS = 8;
/** The state of an object without states, which is not printed. */
const NO_STATE = 'null';

/** Does the cause speak for itself, without what the call at fault returned? */
export const isOfProgress = ({ kind }: RendezvousCause): boolean =>
  kind === 'should synchronise' || kind === 'left behind';

export function rendezvousReasons(cause: RendezvousCause, words: Words): Reason[] {
  if (cause.kind === 'unmatched') return unmatchedReasons(cause, words);
  return [{ sentence: sentenceOf(cause, words) }];
}

function sentenceOf(cause: Exclude<RendezvousCause, { kind: 'unmatched' }>, words: Words): Sentence {
  switch (cause.kind) {
    case 'unexplained':
      return say`No sequence of rendezvous gives this result; the search for the reason reached its limit.`;
    case 'no partner':
      return cause.others.length === 0
        ? say`It synchronised with no other call: no matching call was open at the same time${nearest(cause, words)}.`
        : say`It synchronised with no other call: ${listed(cause.others, words)} ${cause.others.length === 1 ? 'was' : 'were'} open at the same time, but the arguments and results do not match.`;
    case 'too few partners':
      return say`${calls(cause.calls, words, 'These')}${cause.calls.length === 1 ? '' : ','} can only have synchronised with ${calls(cause.partners, words, 'these')}. That is too few partners, because each call synchronises once.`;
    case 'odd groups':
      return oddGroups(cause, words);
    case 'should synchronise':
      return say`The history is stuck: no call makes progress, although ${listed(cause.calls, words)} can ${cause.calls.length === 1 ? 'return' : 'synchronise'}.`;
    case 'left behind': {
      const own = words.operation(cause.operation);
      const what =
        cause.partners.length === 0
          ? say`took effect`
          : say`synchronised with ${listed(cause.partners, words)}`;
      return say`The history is stuck. The completed calls require that ${own} ${what}, but it never returned.`;
    }
  }
}

/** The nearest calls that returned before it or started after it. */
function nearest(
  { operation, nearest: ids }: Extract<RendezvousCause, { kind: 'no partner' }>,
  words: Words,
): Sentence {
  const { call } = words.history.columns;
  const at = (id: number) => call[words.position(id)];
  const named = ids.map((id) =>
    at(id) < at(operation)
      ? say`${words.operation(id)} had already returned`
      : say`${words.operation(id)} started later`,
  );
  return named.length === 0 ? [] : say`; ${join(named, ', and ')}`;
}

function unmatchedReasons(
  { longest: { rendezvous, state, waiting } }: Extract<RendezvousCause, { kind: 'unmatched' }>,
  words: Words,
): Reason[] {
  const others =
    waiting.length === 0
      ? say`no other call was waiting`
      : say`only ${listed(waiting, words)} ${waiting.length === 1 ? 'was' : 'were'} waiting`;
  const hasState = state !== NO_STATE;
  if (rendezvous.length === 0) {
    const start = hasState ? say` The initial state is ${strong(printable(state))}.` : '';
    return [{ sentence: say`No sequence of rendezvous gives this result: ${others}.${start}` }];
  }
  const named = rendezvous.slice(-MOST_RENDEZVOUS);
  const some = named.length < rendezvous.length ? ` (the last ${named.length} of ${rendezvous.length})` : '';
  return [
    {
      sentence: say`No sequence of rendezvous gives this result. These rendezvous give all earlier results${some}:`,
      steps: named.map((members) => rendezvousText(members, words)),
    },
    {
      sentence: hasState
        ? say`After them, ${others}, and the state is ${strong(printable(state))}.`
        : say`After them, ${others}.`,
    },
  ];
}

function oddGroups(
  { groups, through }: Extract<RendezvousCause, { kind: 'odd groups' }>,
  words: Words,
): Sentence {
  if (groups.length === 1 && through.length === 0)
    return say`${listed(groups[0], words)} can only have synchronised with one another in pairs, but their number is odd.`;
  const inside = groups.map((group) => say`[${listed(group, words)}]`);
  return say`Without ${listed(through, words)}, the calls fall into ${count(groups.length, 'group')} of odd size that can only synchronise in pairs inside the group: ${join(inside, ', ')}. Each group needs a partner outside it, but only ${count(through.length, 'call is', 'calls are')} left for ${count(groups.length, 'group')}.`;
}

/** `send(1) of A (operation 0) and receive() of B (operation 1)`. */
function listed(ids: readonly number[], words: Words): Sentence {
  const named = ids.slice(0, MOST).map((id) => words.operation(id));
  if (named.length < ids.length) return say`${join(named, ', ')}, ${words.ellipsis}`;
  return named.length < 2 ? named : say`${join(named.slice(0, -1), ', ')} and ${named[named.length - 1]}`;
}

function calls(ids: readonly number[], words: Words, these: string): Sentence {
  return ids.length === 1
    ? [words.operation(ids[0])]
    : say`${these} ${String(ids.length)} calls, ${listed(ids, words)}`;
}

/** `send(1) with receive() → 1`. */
function rendezvousText(ids: readonly number[], words: Words): Sentence {
  const labels = ids.map((id) => ({ text: words.labels.operation(words.position(id)), operations: [id] }));
  return join(labels, ' with ');
}
