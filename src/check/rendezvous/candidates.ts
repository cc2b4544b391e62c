/**
 * Whom a call could have met by their methods, whatever they took and gave: those that were open while it was; and where there were
 * none, those that came nearest, so that it can be seen that they did not come in time.
 */
import { NEVER } from '../../history/model/columns.js';
import { ANYBODY, Meetings } from './search/enabled-rendezvous.js';
import type { SyncPart } from './search/part.js';

const MOST = 8;
const NONE = -1;

/** Calls open while one was. */
export function couldHaveMet(part: SyncPart, k: number): number[] {
  const { columns, length } = part.history;
  const couldMeet = meetsBy(part, k);
  const others: number[] = [];
  for (let other = 0; other < length && others.length < MOST; other++)
    if (other !== k && overlaps(columns, k, other) && couldMeet(other)) others.push(other);
  return others;
}

/** The last that had returned before one was called, and the first that was called after it had returned; as far as there are any. */
export function nearestTo(part: SyncPart, k: number): number[] {
  const { call, return: returned } = part.history.columns;
  const couldMeet = meetsBy(part, k);
  let [before, after] = [NONE, NONE];
  for (let other = 0; other < call.length; other++) {
    if (returned[other] !== NEVER && returned[other] < call[k]) {
      if ((before === NONE || returned[other] > returned[before]) && couldMeet(other)) before = other;
    } else if (call[other] > returned[k] && after === NONE && couldMeet(other)) after = other;
  }
  return [before, after].filter((other) => other !== NONE);
}

export const overlaps = (
  { call, return: returned }: { readonly call: Int32Array; readonly return: Int32Array },
  a: number,
  b: number,
): boolean => call[a] < returned[b] && call[b] < returned[a];

/** Is there a meeting of one with another, by their methods? */
function meetsBy({ history, machine }: SyncPart, k: number): (other: number) => boolean {
  const meetings = new Meetings(machine, machine.lettersOf(history));
  return (other) => {
    let couldMeet = false;
    meetings.gather(machine.initial, k < other ? [k, other] : [other, k], ANYBODY, (_, length) => {
      couldMeet ||= length === 2;
    });
    return couldMeet;
  };
}
