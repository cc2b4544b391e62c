/** The meetings that a report draws: those of a witness, or those that a counterexample speaks of. */
import type { Cause, Verdict } from '../../check/model/verdict.js';

export interface ToldMeeting {
  /** By id. */
  readonly members: readonly number[];
  /** It should have come about, and did not. */
  readonly isMissed: boolean;
}

export function toldMeetings(verdict: Verdict): ToldMeeting[] {
  if (verdict.kind === 'linearizable')
    return (verdict.witness.meetings ?? []).map((members) => ({ members: [...members], isMissed: false }));
  return verdict.kind === 'violation' ? ofCause(verdict.counterexample.cause) : [];
}

function ofCause(cause: Cause): ToldMeeting[] {
  switch (cause.kind) {
    case 'unmet':
      return cause.longest.meetings.map((members) => ({ members, isMissed: false }));
    case 'left behind':
      return [{ members: [cause.operation, ...cause.met], isMissed: false }];
    case 'should meet':
      return [{ members: cause.calls, isMissed: true }];
    default:
      return [];
  }
}
