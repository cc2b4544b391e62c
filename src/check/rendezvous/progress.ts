/**
 * Progress: in a stuck history, no blocked calls may be able to synchronise.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 2.6:
 *   synchronisation progressibility. A stuck history is correct exactly when there is a sequence of rendezvous of all
 *   returned calls, and of no others, after which the blocked calls cannot synchronise.
 *
 *   violation                                    cause
 *   after rendezvous of the returned calls,      should synchronise
 *   some blocked calls can synchronise
 *   the returned calls need a blocked one        left behind
 */
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { RendezvousCause } from '../model/causes.js';
import type { Counterexample } from '../model/verdict.js';
import type { RendezvousObstruction } from './search/configuration-graph.js';
import { ANY_CALL, EnabledRendezvous, type RendezvousPart } from './search/enabled-rendezvous.js';

/** The pending calls, in order of call. */
export function pendingOf({ columns }: History): number[] {
  const pending: number[] = [];
  columns.return.forEach((moment, k) => {
    if (moment === NEVER) pending.push(k);
  });
  return pending;
}

/** Accepts states of which one alternative lets no blocked calls synchronise. */
export function restsIn({ history, machine }: RendezvousPart): (state: number) => boolean {
  const pending = pendingOf(history);
  const rendezvous = new EnabledRendezvous(machine, machine.lettersOf(history));
  return (state) =>
    machine.alternatives(state).some((own) => !rendezvous.each(own, pending, ANY_CALL, () => true));
}

/** No rendezvous of the returned calls leave the others blocked; `safe` uses some blocked calls. */
export function noProgress(
  part: RendezvousPart,
  refusal: RendezvousObstruction,
  safe: readonly Int32Array[],
): Counterexample {
  const { history } = part;
  const isOver = refusal.moment === history.columns.events.length;
  return isOver ? shouldSynchronise(part, refusal) : leftBehind(part, safe);
}

function shouldSynchronise(part: RendezvousPart, { ends }: RendezvousObstruction): Counterexample {
  const { history, machine } = part;
  const [state] = machine.alternatives(ends[0].state);
  const rendezvous = new EnabledRendezvous(machine, machine.lettersOf(history));
  let calls: number[] = [];
  rendezvous.each(state, pendingOf(history), ANY_CALL, (members, length) => {
    calls = part.ids(members.subarray(0, length)).sort((a, b) => a - b);
    return true;
  });
  return counterexample(part, {
    kind: 'should synchronise',
    operation: calls[0],
    calls,
    state: machine.describe(state),
  });
}

function leftBehind(part: RendezvousPart, safe: readonly Int32Array[]): Counterexample {
  const { return: returned } = part.history.columns;
  const waits = (k: number) => returned[k] === NEVER;
  const mixed = safe.filter((members) => members.some(waits));
  const members = mixed.find((members) => !members.every(waits)) ?? mixed[0];
  const operation = members.find(waits) ?? members[0];
  return counterexample(part, {
    kind: 'left behind',
    operation: part.history.columns.id[operation],
    partners: part.ids(members.filter((k) => k !== operation)),
  });
}

const counterexample = (part: RendezvousPart, cause: RendezvousCause): Counterexample => ({
  part: part.name,
  core: part.history,
  cuts: part.cuts,
  minimal: false,
  isFirst: true,
  allowedIsComplete: true,
  property: 'progress',
  cause: { ...cause, allowed: [], refused: [] },
});
