/**
 * Progress: nothing moves any more, so nobody may wait who could meet.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 4:
 *   synchronisation progressibility. A stuck history is as it should be exactly when there are meetings of all
 *   calls that returned, and of no others, after which those that wait can not meet.
 *
 *   what is wrong                                cause
 *   meetings explain what returned, but then     should meet
 *   some who wait can meet
 *   they explain it only with one who waits      left behind
 */
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { RendezvousCause } from '../model/rendezvous-causes.js';
import type { Counterexample } from '../model/verdict.js';
import type { RendezvousObstruction } from './search/configuration-graph.js';
import { ANY_CALL, EnabledRendezvous } from './search/enabled-rendezvous.js';
import type { RendezvousPart } from './search/part.js';

/** Those who wait, by call. */
export function pendingOf({ columns }: History): number[] {
  const pending: number[] = [];
  columns.return.forEach((moment, k) => {
    if (moment === NEVER) pending.push(k);
  });
  return pending;
}

/** Is there a state among those left open in which nobody who waits can meet? */
export function restsIn({ history, machine }: RendezvousPart): (state: number) => boolean {
  const pending = pendingOf(history);
  const meetings = new EnabledRendezvous(machine, machine.lettersOf(history));
  return (state) =>
    machine.alternatives(state).some((own) => !meetings.each(own, pending, ANY_CALL, () => true));
}

/** No meetings of what returned leave the others waiting; `safe` explain it with some of those. */
export function noProgress(
  part: RendezvousPart,
  refusal: RendezvousObstruction,
  safe: readonly Int32Array[],
): Counterexample {
  const { history } = part;
  const isOver = refusal.moment === history.columns.events.length;
  return isOver ? shouldMeet(part, refusal) : leftBehind(part, safe);
}

function shouldMeet(part: RendezvousPart, { ends }: RendezvousObstruction): Counterexample {
  const { history, machine } = part;
  const [state] = machine.alternatives(ends[0].state);
  const meetings = new EnabledRendezvous(machine, machine.lettersOf(history));
  let calls: number[] = [];
  meetings.each(state, pendingOf(history), ANY_CALL, (members, length) => {
    calls = part.ids(members.subarray(0, length)).sort((a, b) => a - b);
    return true;
  });
  return counterexample(part, {
    kind: 'should meet',
    operation: calls[0],
    calls,
    state: machine.describe(state),
  });
}

function leftBehind(part: RendezvousPart, safe: readonly Int32Array[]): Counterexample {
  const { return: returned } = part.history.columns;
  const waits = (k: number) => returned[k] === NEVER;
  const mixed = safe.filter((members) => members.some(waits));
  const told = mixed.find((members) => !members.every(waits)) ?? mixed[0];
  const operation = told.find(waits) ?? told[0];
  return counterexample(part, {
    kind: 'left behind',
    operation: part.history.columns.id[operation],
    met: part.ids(told.filter((k) => k !== operation)),
  });
}

const counterexample = (part: RendezvousPart, cause: RendezvousCause): Counterexample => ({
  part: part.name,
  core: part.history,
  cuts: part.cuts,
  minimal: false,
  property: 'progress',
  cause: { ...cause, allowed: [], refused: [] },
});
