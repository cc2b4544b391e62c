/**
 * Verifies a witness of rendezvous, in one pass. This is a trust boundary: it uses no search.
 *
 * Every returned call is in one rendezvous; the rendezvous are points in order, each inside all of its calls; they
 * respect "after"; and the spec, run along them, gives the recorded results. In a stuck history, no blocked call has
 * synchronised, and none can.
 */
import { NEVER } from '../../history/model/columns.js';
import { DEAD } from '../../spec/machine/machine.js';
import type { SyncMachine } from '../../spec/rendezvous/sync-machine.js';
import type { Fault } from '../model/verdict.js';
import { restsIn } from './progress.js';
import type { RendezvousPart } from './search/enabled-rendezvous.js';

export function verifyRendezvous(
  parts: readonly RendezvousPart[],
  rendezvous: readonly Int32Array[],
): Fault | undefined {
  const partOf = new Map<number, number>();
  for (const [number, { history }] of parts.entries())
    for (const id of history.columns.id) partOf.set(id, number);
  const own: Int32Array[][] = parts.map(() => []);
  for (const members of rendezvous) {
    const [first] = members;
    const unknown = members.find(
      (id) => partOf.get(id) === undefined || partOf.get(id) !== partOf.get(first),
    );
    if (unknown !== undefined) return { operation: unknown, rule: 'unknown' };
    own[partOf.get(first) ?? 0].push(members);
  }
  for (const [number, part] of parts.entries()) {
    const fault = verifyPart(part, own[number]);
    if (fault) return fault;
  }
  return undefined;
}

function verifyPart(part: RendezvousPart, rendezvous: readonly Int32Array[]): Fault | undefined {
  const { history, machine } = part;
  const { id, call, return: returned, after } = history.columns;
  const position = history.positionsById();
  const has = new Uint8Array(history.length);
  let now = -1;
  let states = [machine.initial];
  for (const members of rendezvous) {
    const [operation] = members;
    const positions = Array.from(members, (own) => position[own]);
    for (const k of positions) now = Math.max(now, call[k]);
    for (const k of positions) {
      if (has[k]) return { operation: id[k], rule: 'twice' };
      if (returned[k] < now) return { operation: id[k], rule: 'real-time' };
      if (after?.items.subarray(after.start[k], after.start[k + 1]).some((earlier) => !has[earlier]))
        return { operation: id[k], rule: 'after' };
      if (history.stuck && returned[k] === NEVER) return { operation: id[k], rule: 'waits' };
    }
    if (new Set(members).size < members.length) return { operation, rule: 'twice' };
    for (const k of positions) has[k] = 1;
    states = afterRendezvous(machine, states, members);
    if (states.length === 0) return { operation, rule: 'spec' };
  }
  const missing = has.findIndex((done, k) => !done && returned[k] !== NEVER);
  if (missing >= 0) return { operation: id[missing], rule: 'missing' };
  if (history.stuck && !states.some(restsIn(part)))
    return { operation: id[returned.indexOf(NEVER)], rule: 'waits' };
  return undefined;
}

/** The states after a rendezvous of these calls, in any mode that has a place for each. */
export function afterRendezvous(
  machine: SyncMachine,
  states: readonly number[],
  members: ArrayLike<number>,
): number[] {
  const letters = Array.from(members, (id) => machine.letterOf(id));
  const methods = letters.map((letter) => machine.methodOf(letter));
  const modes = machine.modes.filter(
    ({ roles, starred }) =>
      (starred === undefined ? methods.length === roles.length : methods.length > roles.length) &&
      methods.every((method, i) => method === (i < roles.length ? roles[i] : starred)),
  );
  const next = states.flatMap((state) =>
    modes.map(({ number }) => machine.synchronise(state, number, letters)),
  );
  return [...new Set(next)].filter((state) => state !== DEAD);
}
