/**
 * The meetings that a page goes through, with the states after them.
 *
 * A history may have plain objects beside those whose calls meet. Their calls take effect alone, and are told among the meetings: each
 * step at the latest call up to it, which is inside of all its calls, so that the steps of both are in one order.
 */
import type { Verdict } from '../../check/model/verdict.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { History } from '../../history/history.js';
import { toldMeetings } from '../common/drawn-meetings.js';
import type { MeetingData } from './page-types.js';
import { walkMeetings } from './rendezvous-steps.js';

const MOST_MEETINGS = 20_000;
/** Meetings whose states are told: these may be long. */
const MOST_STATES = 2_000;

/** The first ones, of which the states are told as far as these go. */
export function meetingsOf(verdict: Verdict, history: History, specOf: AnySpecOf): MeetingData[] {
  const told = toldMeetings(verdict).slice(0, MOST_MEETINGS);
  const met = told.filter(({ isMissed }) => !isMissed).map(({ members }) => members);
  const states = met.length > 0 ? walkMeetings(history, specOf, met.slice(0, MOST_STATES)) : [];
  const meetings = told.map((own, i) => ({ ...own, state: states[i] ?? '' }));
  if (verdict.kind !== 'linearizable' || meetings.length === 0) return meetings;
  const alone = Array.from(verdict.witness.order, (id) => ({ members: [id], isMissed: false, state: '' }));
  return merged(history, alone, meetings).slice(0, MOST_MEETINGS);
}

function merged(history: History, ...sequences: readonly (readonly MeetingData[])[]): MeetingData[] {
  const position = history.positionsById();
  const { call } = history.columns;
  const timed = sequences.map((steps) => {
    let latest = 0;
    return steps.map((step) => {
      latest = Math.max(latest, ...step.members.map((id) => call[position[id]]));
      return [latest, step] as const;
    });
  });
  return timed
    .flat()
    .sort(([a], [b]) => a - b)
    .map(([, step]) => step);
}
