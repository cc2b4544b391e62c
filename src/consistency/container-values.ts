/**
 * What went wrong with the values of a queue or a stack: lost, duplicated, invented or reordered.
 *
 *   T. Henzinger, A. Sezgin, V. Vafeiadis. Aspect-oriented linearizability proofs. CONCUR 2013 (the kinds, for queues).
 *
 *   invented     no operation added it, or it was removed before it was added
 *   duplicated   it was removed again: another removal, which is not invented, returned before
 *   overtaken    (queue) another value was added later and removed earlier, in real time
 *   from below   (stack) it was removed while another value, which was added later, was definitely inside
 *   missing      it was never removed and no removal is pending, although the container was found empty later, or a value
 *                that a queue got later was removed: it is lost, or still inside
 *   not empty    the container was found empty, although at each moment of the call a value was definitely present
 *
 * Each is a contradiction of the operations that it names. A queue of distinct values without pending removals and peeks
 * is linearizable exactly if there is none of these. A stack can be wrong in other ways, too.
 *
 * Cost: O(n log n).
 */
import { type Container, EMPTY, NONE, OPEN_REMOVE, REMOVE } from '../check/monitors/container/container.js';
import { emptySlots } from '../check/monitors/container/covering.js';
import { NEVER } from '../history/model/columns.js';
import { countInside } from './staleness.js';

/** Faulty values of queues and stacks. Operations are named by id. */
export interface FaultyValues {
  /** Removals of values that were never added, or not yet; and removals of values that were already removed. */
  readonly invented: readonly number[];
  readonly duplicated: readonly number[];
  /** Values of queues that `by` later values overtook; values of stacks that were removed below `by` others. */
  readonly overtaken: readonly ReorderedValue[];
  readonly fromBelow: readonly ReorderedValue[];
  /**
   * Never removed, although a later value was or the container was found empty: lost, or still inside. `foundEmpty`: the first
   * operation that found the container empty although the value was in; undefined if the value was overtaken.
   */
  readonly missing: readonly {
    readonly value: unknown;
    readonly put: number | undefined;
    readonly foundEmpty: number | undefined;
  }[];
  /** Operations that found the container empty although a value was present all the time. */
  readonly notEmpty: readonly number[];
}

export interface ReorderedValue {
  readonly value: unknown;
  readonly by: number;
  /** The operations that added and removed it, if there are. */
  readonly put: number | undefined;
  readonly taken: number | undefined;
  /** Of an overtaken value: the removal that overtook it first. */
  readonly overtaker?: number | undefined;
}

/** A value that changed its place, and how many others are ahead of it that should not be. */
export interface Reordered {
  readonly value: number;
  readonly by: number;
  /** Of an overtaken value: the later value that was removed first. */
  readonly overtaker?: number;
}

/** Faulty values and operations; values are numbers of the container, operations are positions. */
interface ContainerFaults {
  readonly invented: readonly number[];
  readonly duplicated: readonly number[];
  readonly overtaken: readonly Reordered[];
  readonly fromBelow: readonly Reordered[];
  readonly missing: readonly number[];
  readonly notEmpty: readonly number[];
  /** The first operation, by return, that found the container empty although this missing value was in; or NONE. */
  readonly foundEmpty: (missing: number) => number;
  /** Value to the removal that counts: the first, by return, that is not invented; or NONE. */
  readonly removal: readonly number[];
}

/** How many values above a removed one are counted at most. */
const MOST_ABOVE = 1_000;

export function containerFaults(container: Container, kind: 'queue' | 'stack'): ContainerFaults {
  const { role, value } = container;
  const lives = livesOf(container);
  const { added, inside, isInvented, isTaken, removal } = lives;
  const removals = Array.from(role.keys()).filter((k) => role[k] === REMOVE);
  const overtaken = kind === 'queue' ? overtakenValues(lives) : [];
  const isOvertaken = new Set(overtaken.map(({ value: own }) => own));
  const emptyAfter = firstEmpties(container);
  return {
    invented: removals.filter(isInvented),
    duplicated: removals.filter((k) => !isInvented(k) && removal[value[k]] !== k),
    overtaken,
    fromBelow: kind === 'stack' ? takenFromBelow(lives) : [],
    missing: role.includes(OPEN_REMOVE)
      ? []
      : inside.filter((v) => !isTaken(v) && (isOvertaken.has(v) || emptyAfter(added[v]) !== NONE)),
    foundEmpty: (v) => (isOvertaken.has(v) ? NONE : emptyAfter(added[v])),
    notEmpty: wrongEmpties(container, Int32Array.from(added), Int32Array.from(lives.takeCalled)),
    removal,
  };
}

/** When each value was added and removed, as far as that is certain. */
interface Lives {
  /** The call and the return of its addition. Those of initial values are negative, in their order. */
  readonly addCalled: readonly number[];
  readonly added: readonly number[];
  /** The call and the return of its removal. A pending removal may be that of any value. */
  readonly takeCalled: readonly number[];
  readonly takeReturned: readonly number[];
  /** The values that were certainly added. */
  readonly inside: readonly number[];
  readonly removal: ContainerFaults['removal'];
  readonly isTaken: (value: number) => boolean;
  readonly isInvented: (removal: number) => boolean;
}

function livesOf({ history, role, value, add, values, initial }: Container): Lives {
  const { call, return: returned } = history.columns;
  const isInvented = (k: number): boolean =>
    value[k] === NONE || value[k] >= values || (add[value[k]] !== NONE && returned[k] < call[add[value[k]]]);
  const removal = new Array<number>(values).fill(NONE);
  for (const [k, own] of role.entries()) {
    if (own !== REMOVE || isInvented(k)) continue;
    const first = removal[value[k]];
    if (first === NONE || returned[k] < returned[first]) removal[value[k]] = k;
  }
  const isTaken = (v: number): boolean => removal[v] !== NONE;
  const openRemove = role.indexOf(OPEN_REMOVE);
  const numbers = Array.from({ length: values }, (_, v) => v);
  const added = numbers.map((v) => (add[v] === NONE ? v - initial : returned[add[v]]));
  return {
    addCalled: numbers.map((v) => (add[v] === NONE ? v - initial : call[add[v]])),
    added,
    takeCalled: numbers.map((v) => {
      if (isTaken(v)) return call[removal[v]];
      return openRemove < 0 ? NEVER : call[openRemove];
    }),
    takeReturned: numbers.map((v) => (isTaken(v) ? returned[removal[v]] : NEVER)),
    inside: numbers.filter((v) => added[v] !== NEVER || isTaken(v)),
    removal,
    isTaken,
    isInvented,
  };
}

/** Values of a queue that later ones overtook. */
function overtakenValues({
  addCalled,
  added,
  takeCalled,
  takeReturned,
  inside,
  isTaken,
}: Lives): Reordered[] {
  const counts = countInside(
    inside.filter(isTaken).map((v) => ({ start: addCalled[v], end: takeReturned[v] })),
    inside.map((v) => ({ start: added[v], end: takeCalled[v] })),
  );
  const found = inside.map((v, i) => ({ value: v, by: counts[i] })).filter(({ by }) => by > 0);
  // from the last addition on, the value added since then that was removed first
  const later = inside.filter(isTaken).sort((a, b) => addCalled[b] - addCalled[a]);
  const overtakers = new Map<number, number>();
  let [next, first] = [0, NONE];
  for (const { value } of [...found].sort((a, b) => added[b.value] - added[a.value])) {
    for (; next < later.length && addCalled[later[next]] > added[value]; next++)
      if (first === NONE || takeReturned[later[next]] < takeReturned[first]) first = later[next];
    overtakers.set(value, first);
  }
  return found.map((one) => ({ ...one, overtaker: overtakers.get(one.value) as number }));
}

/**
 * Values of a stack that were removed below others: w was added after v, definitely inside when the removal of v was
 * called, and removed only after it returned. A list of the values inside, by the return of their addition, is walked
 * from its end; only those that were added after v are visited.
 */
function takenFromBelow({ addCalled, added, takeCalled, takeReturned, inside, isTaken }: Lives): Reordered[] {
  const byAddition = inside.filter((v) => added[v] !== NEVER).sort((a, b) => added[a] - added[b]);
  const byCall = byAddition
    .filter((v) => takeCalled[v] !== NEVER)
    .sort((a, b) => takeCalled[a] - takeCalled[b]);
  const byReturn = inside.filter(isTaken).sort((a, b) => takeReturned[a] - takeReturned[b]);
  const before = new Map<number, number>();
  const after = new Map<number, number>();
  let top = NONE;
  let [nextAdded, nextCalled] = [0, 0];
  /** Lets all additions and calls of removals before a moment happen, in their order. */
  const advance = (moment: number): void => {
    for (;;) {
      const addition = byAddition[nextAdded];
      const removal = byCall[nextCalled];
      const additionAt = addition === undefined ? NEVER : added[addition];
      const removalAt = removal === undefined ? NEVER : takeCalled[removal];
      if (Math.min(additionAt, removalAt) >= moment) return;
      if (additionAt < removalAt) {
        nextAdded++;
        // its removal was called before it was certainly inside
        if (takeCalled[addition] < additionAt) continue;
        before.set(addition, top);
        if (top !== NONE) after.set(top, addition);
        top = addition;
      } else {
        nextCalled++;
        const below = before.get(removal);
        if (below === undefined) continue;
        const above = after.get(removal);
        if (above === undefined) top = below;
        else before.set(above, below);
        if (below !== NONE) {
          if (above === undefined) after.delete(below);
          else after.set(below, above);
        }
      }
    }
  };
  const found: Reordered[] = [];
  for (const v of byReturn) {
    advance(takeReturned[v]);
    let by = 0;
    for (let w = top; w !== NONE && added[w] > added[v] && by < MOST_ABOVE; w = before.get(w) ?? NONE)
      if (addCalled[w] > added[v] && added[w] < takeCalled[v]) by++;
    if (by > 0) found.push({ value: v, by });
  }
  return found.sort((a, b) => a.value - b.value);
}

/** A moment to the operation, first by return, that was called after it and found the container empty; or to NONE. */
function firstEmpties({ role, history }: Container): (moment: number) => number {
  const { call, return: returned } = history.columns;
  const byCall = Array.from(role.keys()).filter((k) => role[k] === EMPTY);
  // place in the order of calls to the one, from there on, that returns first
  const first = byCall.slice();
  for (let i = first.length - 2; i >= 0; i--)
    if (returned[first[i + 1]] < returned[first[i]]) first[i] = first[i + 1];
  return (moment) => {
    let [low, high] = [0, byCall.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (call[byCall[middle]] > moment) high = middle;
      else low = middle + 1;
    }
    return first[low] ?? NONE;
  };
}

/** "Empty" results at each moment of which a value was definitely present. */
function wrongEmpties(container: Container, from: Int32Array, to: Int32Array): number[] {
  const { role } = container;
  const { slots } = emptySlots(container, { from, to });
  return Array.from(role.keys()).filter((k) => role[k] === EMPTY && slots[k] < 0);
}
