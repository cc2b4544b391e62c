/** The rendezvous that a report draws: those of a witness, or those that a counterexample speaks of. */

import type { Cause, Verdict } from '../../check/model/verdict.js';
import type { DrawnRendezvous } from '../../history/drawing/layout.js';
import type { History } from '../../history/history.js';

/* Where in time rendezvous may have been: each as early as it can be, after the one before it. */

/** Of operations by id, in an order of the rendezvous; those that the history has not are left out. */
export function layOutRendezvous(
  history: History,
  rendezvous: readonly (readonly number[])[],
): DrawnRendezvous[] {
  const position = history.positionsById();
  const { call } = history.columns;
  let moment = -1;
  return rendezvous
    .map((members) => members.map((id) => position[id] ?? -1).filter((k) => k >= 0))
    .filter((members) => members.length > 0)
    .map((members) => {
      for (const k of members) moment = Math.max(moment, call[k]);
      return { moment, members };
    });
}

export interface ReportedRendezvous {
  /** By id. */
  readonly members: readonly number[];
  /** It should have come about, and did not. */
  readonly isMissed: boolean;
}

export function reportedRendezvous(verdict: Verdict): ReportedRendezvous[] {
  if (verdict.kind === 'linearizable')
    return (verdict.witness.rendezvous ?? []).map((members) => ({ members: [...members], isMissed: false }));
  return verdict.kind === 'violation' ? ofCause(verdict.counterexample.cause) : [];
}

function ofCause(cause: Cause): ReportedRendezvous[] {
  switch (cause.kind) {
    case 'unmatched':
      return cause.longest.rendezvous.map((members) => ({ members, isMissed: false }));
    case 'left behind':
      return [{ members: [cause.operation, ...cause.partners], isMissed: false }];
    case 'should synchronise':
      return [{ members: cause.calls, isMissed: true }];
    default:
      return [];
  }
}
