/** Meetings, step by step: the state of the spec after each. The same pass as that of the gate that has verified them. */
import { type AnySpecOf, takeApart } from '../../check/rendezvous/split-objects.js';
import { afterMeeting } from '../../check/rendezvous/verify.js';
import type { History } from '../../history/history.js';

/** Of operations by id, in an order of the meetings; states in words. */
export function walkMeetings(
  history: History,
  specOf: AnySpecOf,
  meetings: readonly (readonly number[])[],
): string[] {
  const { meeting: parts } = takeApart(history, specOf);
  const partOf = new Map<number, number>();
  for (const [number, part] of parts.entries())
    for (const id of part.history.columns.id) partOf.set(id, number);
  const states = parts.map(({ machine }) => [machine.initial]);
  return meetings.map((members) => {
    const number = partOf.get(members[0]) ?? 0;
    const { machine } = parts[number];
    states[number] = afterMeeting(machine, states[number], members);
    return states[number].map((state) => machine.describe(state)).join(' or ');
  });
}
