/**
 * The brute-force oracle for linearizability: tries every linearization, by the definition alone.
 *
 * It shares no code with the checkers: rows instead of columns, the functions of the spec instead of a machine, and
 * one choice at a time instead of sets of states.
 */
import type { History } from '../../../src/history/history.js';
import type { Operation, Outcome } from '../../../src/history/model/operation.js';
import { blocked, type Spec } from '../../../src/spec/spec.js';

type Choice = { readonly next: unknown; readonly outcome: Outcome };

export function isLinearizable(history: History, spec: Spec): boolean {
  const rows = [...history];
  const operations = rows.filter(({ outcome }) => outcome.kind !== 'failed');
  const { after } = history.columns;
  const comesAfter = (operation: Operation, other: Operation): boolean => {
    if (!after) return false;
    const earlier = new Set([rows.indexOf(operation)]);
    for (const k of earlier)
      for (const item of after.items.subarray(after.start[k], after.start[k + 1])) earlier.add(item);
    return operation !== other && earlier.has(rows.indexOf(other));
  };

  const exists = (left: readonly Operation[], state: unknown, goal: (state: unknown) => boolean): boolean => {
    if (left.every((operation) => operation.return === Number.POSITIVE_INFINITY) && goal(state)) return true;
    return left.some((operation) => {
      const isNext = left.every((other) => !(other.return < operation.call) && !comesAfter(operation, other));
      return (
        isNext &&
        choices(spec, state, operation).some(
          (choice) =>
            fits(choice.outcome, operation.outcome, history.tables.undefinedIsNull) &&
            exists(
              left.filter((other) => other !== operation),
              choice.next,
              goal,
            ),
        )
      );
    });
  };

  if (!exists(operations, spec.initial, () => true)) return false;
  if (!history.stuck) return true;
  const complete = operations.filter((operation) => operation.return < Number.POSITIVE_INFINITY);
  const pending = operations.filter((operation) => operation.return === Number.POSITIVE_INFINITY);
  return pending.every((waiting) =>
    exists(complete, spec.initial, (state) => mustBlock(spec, state, waiting)),
  );
}

/** All steps that the spec allows for an operation in a state. */
export function choices(
  spec: Spec,
  state: unknown,
  { method, args }: Pick<Operation, 'method' | 'args'>,
): Choice[] {
  const given = spec.methods[method](state, ...args);
  if (given === blocked || 'reason' in given) return [];
  const steps = 'transitions' in given ? given.transitions : [given];
  return steps.map(([next, result]) => ({
    next,
    outcome:
      typeof result === 'object' && result !== null && result.constructor?.name === 'Threw'
        ? { kind: 'threw', error: result.error }
        : { kind: 'returned', value: result },
  }));
}

function mustBlock(spec: Spec, state: unknown, { method, args }: Operation): boolean {
  const given = spec.methods[method](state, ...args);
  return (
    given === blocked || ('transitions' in given && given.transitions.length + given.refused.length === 0)
  );
}

function fits(given: Outcome, recorded: Outcome, undefinedIsNull: boolean): boolean {
  if (recorded.kind === 'pending') return true;
  if (given.kind === 'threw' || recorded.kind !== 'returned') return textOf(given) === textOf(recorded);
  const value = given.kind === 'returned' ? given.value : undefined;
  if (undefinedIsNull && value === undefined) return recorded.value === null;
  return textOf(value) === textOf(recorded.value);
}

/** A value as a text: equal values have equal texts; 0 equals -0, NaN equals NaN. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return value === 0 ? '0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${Array.from(value, textOf).join()}]`;
  if (value instanceof Map)
    return `Map{${Array.from(value, ([key, own]) => `${textOf(key)}:${textOf(own)}`)
      .sort()
      .join()}}`;
  if (value instanceof Set) return `Set{${Array.from(value, textOf).sort().join()}}`;
  return `${value.constructor?.name}{${Object.entries(value)
    .map(([key, own]) => `${key}:${textOf(own)}`)
    .sort()
    .join()}}`;
}
