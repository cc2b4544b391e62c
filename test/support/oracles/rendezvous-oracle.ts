/**
 * The oracle for rendezvous: are there some that explain what happened? Tries them all, by the definition.
 *
 * Shares no code with the checkers: rows instead of columns, the spec's own functions instead
 * of a machine, one choice at a time, and every rendezvous is a point in time inside its calls.
 */
import { isDeepStrictEqual } from 'node:util';
import type { History } from '../../../src/history/history.js';
import type { Operation } from '../../../src/history/model/operation.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { blocked } from '../../../src/spec/spec.js';

/** What the definition says of a history: `progress` only of one that is stuck. */
export interface Truth {
  readonly safety: boolean;
  readonly progress: boolean;
}

interface Possible {
  readonly members: readonly Operation[];
  readonly next: unknown;
}

export function truthOf(history: History, spec: SyncSpec): Truth {
  const operations = [...history].filter(({ outcome }) => outcome.kind !== 'failed');
  const { undefinedIsNull } = history.tables;
  const returned = operations.filter((operation) => operation.return < Number.POSITIVE_INFINITY);
  const pending = operations.filter((operation) => operation.return === Number.POSITIVE_INFINITY);

  const exists = (
    left: readonly Operation[],
    state: unknown,
    now: number,
    goal: (state: unknown) => boolean,
  ): boolean => {
    if (!left.some((operation) => returned.includes(operation)) && goal(state)) return true;
    return possible(spec, state, left, undefinedIsNull).some(({ members, next }) => {
      const point = Math.max(now, ...members.map(({ call }) => call));
      return (
        members.every((operation) => operation.return > point) &&
        exists(
          left.filter((operation) => !members.includes(operation)),
          next,
          point,
          goal,
        )
      );
    });
  };
  const safety = exists(operations, spec.initial, -1, () => true);
  const nobodyMeets = (state: unknown) => possible(spec, state, pending, undefinedIsNull).length === 0;
  return { safety, progress: safety && (!history.stuck || exists(returned, spec.initial, -1, nobodyMeets)) };
}

/** All rendezvous of these in a state, with the results that were recorded. */
export function possible(
  spec: SyncSpec,
  state: unknown,
  operations: readonly Operation[],
  undefinedIsNull: boolean,
): Possible[] {
  return Object.entries(spec.rendezvous).flatMap(([name, meet]) =>
    gatherings(name, spec.sizes?.(state, name) ?? [], operations).flatMap((members) => {
      const given = meet?.(state, ...members.map(({ args }) => args)) ?? blocked;
      if (given === blocked || 'reason' in given) return [];
      const steps: readonly (readonly [unknown, unknown])[] = 'steps' in given ? given.steps : [given];
      return steps
        .filter(([, results]) =>
          members.every(({ outcome }, i) => fits((results as unknown[])[i], outcome, undefinedIsNull)),
        )
        .map(([next]) => ({ members, next }));
    }),
  );
}

/** The lists of calls that a rendezvous of this name may have. */
function gatherings(name: string, sizes: readonly number[], operations: readonly Operation[]): Operation[][] {
  const methods = name.split('+');
  const star = methods[methods.length - 1].endsWith('*') ? methods.pop()?.slice(0, -1) : undefined;
  let lists: Operation[][] = [[]];
  for (const method of methods)
    lists = lists.flatMap((list) =>
      operations
        .filter((own) => own.method === method && !list.includes(own) && list.every(overlaps(own)))
        .map((own) => [...list, own]),
    );
  if (star === undefined) return lists;
  const subsets = (rest: readonly Operation[], size: number): Operation[][] =>
    size === 0
      ? [[]]
      : rest.flatMap((own, i) => subsets(rest.slice(i + 1), size - 1).map((others) => [own, ...others]));
  return lists.flatMap((list) =>
    sizes.flatMap((size) =>
      subsets(
        operations.filter((own) => own.method === star && !list.includes(own) && list.every(overlaps(own))),
        size,
      ).map((others) => [...list, ...others]),
    ),
  );
}

const overlaps = (own: Operation) => (other: Operation) => own.call < other.return && other.call < own.return;

function fits(result: unknown, recorded: Operation['outcome'], undefinedIsNull: boolean): boolean {
  if (recorded.kind === 'pending') return true;
  if (result instanceof Object && result.constructor.name === 'Threw')
    return recorded.kind === 'threw' && 'error' in result && recorded.error === result.error;
  if (recorded.kind !== 'returned') return false;
  const value = undefinedIsNull && result === undefined ? null : result;
  return Object.is(value, recorded.value) || isDeepStrictEqual(value, recorded.value);
}
