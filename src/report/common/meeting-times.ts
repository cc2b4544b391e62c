/** Where in time meetings may have been: each as early as it can be, after the one before it. */
import type { Meet } from '../../history/drawing/layout.js';
import type { History } from '../../history/history.js';

/** Of operations by id, in an order of the meetings; those that the history has not are left out. */
export function meetsOf(history: History, meetings: readonly (readonly number[])[]): Meet[] {
  const position = history.positionsById();
  const { call } = history.columns;
  let moment = -1;
  return meetings
    .map((members) => members.map((id) => position[id] ?? -1).filter((k) => k >= 0))
    .filter((members) => members.length > 0)
    .map((members) => {
      for (const k of members) moment = Math.max(moment, call[k]);
      return { moment, members };
    });
}
