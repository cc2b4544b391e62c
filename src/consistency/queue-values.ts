/**
 * What went wrong with the values of a queue: lost, duplicated, invented or overtaken.
 *
 *   T. Henzinger, A. Sezgin, V. Vafeiadis. Aspect-oriented linearizability proofs. CONCUR 2013 (the kinds).
 *
 *   invented     no operation added it, or it was removed before it was added
 *   duplicated   it was removed again
 *   overtaken    another value was added later and removed earlier, in real time
 *   missing      it was never removed and no removal is pending, although a value that was added later was removed, or
 *                the queue was found empty: it is lost, or still inside
 *   not empty    the queue was found empty, although at each moment of the call a value was definitely present
 *
 * A history of distinct values without pending removals and peeks is linearizable exactly if there is none of these.
 *
 * Cost: O(n log n).
 */
import { countInside } from '../base/algorithms/inner-intervals.js';
import { type Container, EMPTY, NONE, OPEN_REMOVE, REMOVE } from '../check/monitors/container/container.js';
import { emptySlots } from '../check/monitors/container/covering.js';
import { NEVER } from '../history/model/columns.js';

/** Faulty values and operations; values are numbers of the container, operations are positions. */
export interface QueueFaults {
  readonly invented: readonly number[];
  readonly duplicated: readonly number[];
  readonly overtaken: readonly { readonly value: number; readonly by: number }[];
  readonly missing: readonly number[];
  readonly notEmpty: readonly number[];
}

export function queueFaults(container: Container): QueueFaults {
  const { history, role, value, add, remove, values } = container;
  const { call, return: returned } = history.columns;
  const isInvented = (k: number): boolean =>
    value[k] === NONE || value[k] >= values || (add[value[k]] !== NONE && returned[k] < call[add[value[k]]]);
  const removals = Array.from(role.keys()).filter((k) => role[k] === REMOVE);
  const openRemove = role.indexOf(OPEN_REMOVE);
  // when each value was added and removed, as far as that is certain
  const added = Array.from({ length: values }, (_, v) => (add[v] === NONE ? -1 : returned[add[v]]));
  const addCalled = Array.from({ length: values }, (_, v) => (add[v] === NONE ? -1 : call[add[v]]));
  const isTaken = (v: number): boolean => remove[v] !== NONE && !isInvented(remove[v]);
  const takeCalled = added.map((_, v) => {
    if (isTaken(v)) return call[remove[v]];
    return openRemove < 0 ? NEVER : call[openRemove];
  });
  const takeReturned = added.map((_, v) => (isTaken(v) ? returned[remove[v]] : NEVER));
  const isInside = (v: number): boolean => added[v] !== NEVER || isTaken(v);
  const inside = added.map((_, v) => v).filter(isInside);
  const counts = countInside(
    inside.filter(isTaken).map((v) => ({ start: addCalled[v], end: takeReturned[v] })),
    inside.map((v) => ({ start: added[v], end: takeCalled[v] })),
  );
  const overtaken = inside.map((v, i) => ({ value: v, by: counts[i] })).filter(({ by }) => by > 0);
  const isOvertaken = new Set(overtaken.map(({ value: own }) => own));
  const lastEmpty = Math.max(-1, ...Array.from(role.keys(), (k) => (role[k] === EMPTY ? call[k] : -1)));
  return {
    invented: removals.filter(isInvented),
    duplicated: removals.filter((k) => !isInvented(k) && remove[value[k]] !== k),
    overtaken,
    missing:
      openRemove >= 0
        ? []
        : inside.filter((v) => !isTaken(v) && (isOvertaken.has(v) || added[v] < lastEmpty)),
    notEmpty: wrongEmpties(container, Int32Array.from(added), Int32Array.from(takeCalled)),
  };
}

/** "Empty" results at each moment of which a value was definitely present. */
function wrongEmpties(container: Container, from: Int32Array, to: Int32Array): number[] {
  const { role } = container;
  const { slots } = emptySlots(container, { from, to });
  return Array.from(role.keys()).filter((k) => role[k] === EMPTY && slots[k] < 0);
}
