/**
 * The brute-force oracle for rendezvous: tries every sequence of rendezvous, by the definition alone.
 *
 * It shares no code with the checkers: rows instead of columns, the functions of the spec instead of a machine, and one
 * choice at a time. Every rendezvous is a point in time inside its calls.
 */
import type { History } from '../../../src/history/history.js';
import type { Operation } from '../../../src/history/model/operation.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { blocked } from '../../../src/spec/spec.js';
import { textOf } from './oracle.js';

/** The verdict of the definition; `progress` matters only if the history is stuck. */
export interface Truth {
  readonly safety: boolean;
  readonly progress: boolean;
}

interface EnabledRendezvous {
  readonly members: readonly Operation[];
  readonly next: unknown;
  readonly outcomes: readonly unknown[];
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
    return enabledRendezvous(spec, state, left, undefinedIsNull).some(({ members, next }) => {
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
  const noneEnabled = (state: unknown) =>
    enabledRendezvous(spec, state, pending, undefinedIsNull).length === 0;
  return { safety, progress: safety && (!history.stuck || exists(returned, spec.initial, -1, noneEnabled)) };
}

/** The first return that no sequence of rendezvous includes, and the results with which one would. */
export interface RendezvousFault {
  /** By id. */
  readonly operation: number;
  /** Texts, sorted. */
  readonly allowed: readonly string[];
}

/** Undefined if there is a sequence. */
export function rendezvousFaultOf(history: History, spec: SyncSpec): RendezvousFault | undefined {
  const { events, id } = history.columns;
  const moment = Array.from(events.keys()).find(
    (m) => events[m] < 0 && !truthOf(history.prefix(m), spec).safety,
  );
  if (moment === undefined) return undefined;
  const operation = id[~events[moment]];
  return { operation, allowed: resultsOf(history.prefix(moment), spec, operation) };
}

/** The results of an operation in all sequences that include every returned call, if its own result is open. */
function resultsOf(prefix: History, spec: SyncSpec, operation: number): string[] {
  const { undefinedIsNull } = prefix.tables;
  const operations = [...prefix]
    .filter(({ outcome }) => outcome.kind !== 'failed')
    .map((own) => (own.id === operation ? { ...own, outcome: { kind: 'pending' } as const } : own));
  const results = new Set<string>();
  const extend = (left: readonly Operation[], state: unknown, now: number, result: string): void => {
    if (left.every((own) => own.return === Number.POSITIVE_INFINITY)) results.add(result);
    for (const { members, next, outcomes } of enabledRendezvous(spec, state, left, undefinedIsNull)) {
      const point = Math.max(now, ...members.map(({ call }) => call));
      if (!members.every((own) => own.return > point)) continue;
      const place = members.findIndex(({ id }) => id === operation);
      extend(
        left.filter((own) => !members.includes(own)),
        next,
        point,
        place < 0 ? result : resultText(outcomes[place], undefinedIsNull),
      );
    }
  };
  extend(operations, spec.initial, -1, '');
  return [...results].sort();
}

function resultText(result: unknown, undefinedIsNull: boolean): string {
  if (result instanceof Object && result.constructor.name === 'Threw' && 'error' in result)
    return `! ${String(result.error)}`;
  return textOf(result === undefined && undefinedIsNull ? null : result);
}

/** All rendezvous of these operations that a state enables and whose results were recorded. */
export function enabledRendezvous(
  spec: SyncSpec,
  state: unknown,
  operations: readonly Operation[],
  undefinedIsNull: boolean,
): EnabledRendezvous[] {
  return Object.entries(spec.rendezvous).flatMap(([name, rendezvous]) =>
    memberLists(name, spec.sizes?.(state, name) ?? [], operations).flatMap((members) => {
      const given = rendezvous?.(state, ...members.map(({ args }) => args)) ?? blocked;
      if (given === blocked || 'reason' in given) return [];
      const steps: readonly (readonly [unknown, unknown])[] =
        'transitions' in given ? given.transitions : [given];
      return steps
        .filter(([, results]) =>
          members.every(({ outcome }, i) => fits((results as unknown[])[i], outcome, undefinedIsNull)),
        )
        .map(([next, results]) => ({ members, next, outcomes: results as unknown[] }));
    }),
  );
}

/** The lists of calls that can take part in a rendezvous of this name. */
function memberLists(
  name: string,
  sizes: readonly number[],
  operations: readonly Operation[],
): Operation[][] {
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
  return textOf(value) === textOf(recorded.value);
}
