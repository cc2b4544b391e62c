/**
 * Brute-force oracle for eliminators (CAV 2020, definition 5 and §5.2).
 *
 * It cuts operations into intervals in every possible manner, keeps the cuts whose intervals cannot be serialised, and
 * of these the minimal ones.
 */
import { type AccessTrace, conflicts, operationsOf } from '../../../src/root-cause/repairs/access-trace.js';
import type { Segment } from '../../../src/root-cause/repairs/causes.js';

export function eliminatorsByBruteForce(trace: AccessTrace): Segment[][] {
  const found = [...decompositions(trace)].filter((intervals) => !isSequentializable(trace, intervals));
  const sets = found.map((intervals) => intervals.filter(({ from, to }) => from < to));
  const isOther = (a: readonly Segment[], b: readonly Segment[]) => JSON.stringify(a) !== JSON.stringify(b);
  return sets.filter((set) => !sets.some((other) => isOther(set, other) && covers(set, other)));
}

const covers = (set: readonly Segment[], other: readonly Segment[]): boolean =>
  other.every((part) =>
    set.some((own) => own.operation === part.operation && own.from <= part.from && part.to <= own.to),
  );

function* decompositions(trace: AccessTrace): Generator<Segment[]> {
  const operations = operationsOf(trace);
  function* from(operation: number): Generator<Segment[]> {
    if (operation === operations.length) yield [];
    else
      for (const rest of from(operation + 1)) for (const own of cuts(operation, 0)) yield [...own, ...rest];
  }
  function* cuts(operation: number, begin: number): Generator<Segment[]> {
    const { length } = operations[operation];
    if (begin === length) yield [];
    for (let to = begin; to < length; to++)
      for (const rest of cuts(operation, to + 1)) yield [{ operation, from: begin, to }, ...rest];
  }
  yield* from(0);
}

/** Program order, conflicts and real time order the intervals without a cycle. */
function isSequentializable(trace: AccessTrace, intervals: readonly Segment[]): boolean {
  const operations = operationsOf(trace);
  const intervalOf = trace.events.map((event) => {
    const at = operations[event.operation].indexOf(event);
    return intervals.findIndex(
      ({ operation, from, to }) => operation === event.operation && from <= at && at <= to,
    );
  });
  const reaches = intervals.map(() => intervals.map(() => false));
  trace.events.forEach((a, i) => {
    for (let j = i + 1; j < trace.events.length; j++) {
      const b = trace.events[j];
      const isTimed = (trace.returnedBefore[b.operation] & (1 << a.operation)) !== 0;
      if (intervalOf[i] !== intervalOf[j] && (a.thread === b.thread || conflicts(a, b) || isTimed))
        reaches[intervalOf[i]][intervalOf[j]] = true;
    }
  });
  for (let k = 0; k < intervals.length; k++)
    for (let i = 0; i < intervals.length; i++)
      if (reaches[i][k]) for (let j = 0; j < intervals.length; j++) if (reaches[k][j]) reaches[i][j] = true;
  return intervals.every((_, i) => !reaches[i][i]);
}
