/**
 * The meetings of several objects in one order that respects real time.
 *
 * In its own order a meeting can take place at the latest call among those in it and in the meetings
 * before it. Sorted by these moments, meetings of all objects respect real time together.
 */
import type { History } from '../../history/history.js';

/** Lists of meetings, by id, as one. */
export function joinMeetings(
  lists: readonly (readonly Int32Array[])[],
  history: History,
): readonly Int32Array[] {
  if (lists.length === 1) return lists[0];
  const position = history.positionsById();
  const { call } = history.columns;
  const placed = lists.flatMap((meetings) => {
    let moment = -1;
    return meetings.map((members) => {
      for (const id of members) moment = Math.max(moment, call[position[id]]);
      return { members, moment };
    });
  });
  return placed.sort((a, b) => a.moment - b.moment).map(({ members }) => members);
}
