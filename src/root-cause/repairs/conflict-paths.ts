/**
 * The ways from one operation of a trace to another by a conflict, or because it had returned before.
 *
 * A way leaves at an event and enters at one. To leave later and to enter earlier leaves less of both
 * operations between entering and leaving, so of the ways between two operations only those are
 * kept than which none is better in both: seldom more than one or two of many conflicts.
 *
 * Cost: O(events²).
 */
import { type AccessEvent, type AccessTrace, conflicts, operationsOf } from './access-trace.js';

/** Events are counted inside of their operation. */
export interface Way {
  readonly to: number;
  readonly exit: number;
  readonly entry: number;
}

/** Operation to the ways out of it. */
export function waysOf(trace: AccessTrace): Way[][] {
  const operations = operationsOf(trace);
  const order = new Map(trace.events.map((event, i) => [event, i]));
  const isBefore = (a: AccessEvent, b: AccessEvent): boolean => order.get(a)! < order.get(b)!;
  return operations.map((own, from) =>
    operations.flatMap((other, to) => {
      if (own.length === 0 || other.length === 0 || own[0].thread === other[0].thread) return [];
      if (trace.returnedBefore[to] & (1 << from)) return [{ to, exit: own.length - 1, entry: 0 }];
      return best(own, other, isBefore).map(([exit, entry]) => ({ to, exit, entry }));
    }),
  );
}

/** The latest exit for each entry that is earlier than those of all later exits. */
function best(
  own: readonly AccessEvent[],
  other: readonly AccessEvent[],
  isBefore: (a: AccessEvent, b: AccessEvent) => boolean,
): [exit: number, entry: number][] {
  const kept: [number, number][] = [];
  let earliest = other.length;
  for (let exit = own.length - 1; exit >= 0 && earliest > 0; exit--)
    for (let entry = 0; entry < earliest; entry++) {
      if (!conflicts(own[exit], other[entry]) || !isBefore(own[exit], other[entry])) continue;
      kept.push([exit, entry]);
      earliest = entry;
    }
  return kept;
}
