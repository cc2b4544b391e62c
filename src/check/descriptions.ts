/**
 * How reports print the operations and values of a spec: its hooks `describeOperation` and `describeValue`.
 *
 * A hook that fails must not hide a violation. Reports then print the usual text, and `check` reports the failure of the
 * explanation.
 */
import { show } from '../base/values/show.js';
import { History } from '../history/history.js';
import type { Describe, DescribedCall } from '../history/model/columns.js';
import type { Outcome } from '../history/model/operation.js';
import { isSyncSpec } from '../spec/rendezvous/sync-spec.js';
import { runUserCode, type Spec, SpecError } from '../spec/spec.js';
import type { Counterexample } from './model/verdict.js';
import { explanationFailure } from './model/verdict.js';
import type { AnySpecOf } from './rendezvous/split-objects.js';

/** The texts of a hook, and whether it failed. */
function textOf(
  spec: Spec,
  hook: 'describeOperation' | 'describeValue',
  run: () => unknown,
): string | undefined {
  const text = runUserCode(`spec ${spec.name}: ${hook}`, run);
  if (text === undefined || typeof text === 'string') return text;
  throw new SpecError(`spec ${spec.name}: ${hook} returned ${show(text)}; expected a string or undefined`);
}

const operationText = (
  spec: Spec,
  { method, args }: DescribedCall,
  outcome: Outcome | undefined,
): string | undefined =>
  textOf(spec, 'describeOperation', () =>
    spec.describeOperation?.(method, args as readonly unknown[], outcome),
  );

const valueText = (spec: Spec, value: unknown): string | undefined =>
  textOf(spec, 'describeValue', () => spec.describeValue?.(value));

/** The usual text instead of an error. */
function orUsual(run: () => string | undefined): string | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof SpecError) return undefined;
    throw error;
  }
}

/** The spec of an object, if it has a hook. */
function describing(specOf: AnySpecOf, object: string | undefined): Spec | undefined {
  const spec = specOf(object);
  if (isSyncSpec(spec)) return undefined;
  return spec.describeOperation || spec.describeValue ? spec : undefined;
}

/** The history with the descriptions of its specs, if they have any. */
export function withDescriptions(history: History, specOf: AnySpecOf): History {
  const { columns, tables, annotations, stuck } = history;
  const specs = new Map(history.objects.map((object) => [object, describing(specOf, object)]));
  if ([...specs.values()].every((spec) => spec === undefined)) return history;
  const find = (object: string | undefined): Spec | undefined => specs.get(object);
  const describe: Describe = {
    operation: (call, outcome) =>
      orUsual(() => {
        const spec = find(call.object);
        return spec && operationText(spec, call, outcome);
      }),
    value: (value, object) =>
      orUsual(() => {
        const spec = find(object);
        return spec && valueText(spec, value);
      }),
  };
  return new History(columns, { ...tables, describe }, annotations, stuck);
}

/** The counterexample, with the error if a hook fails for one of its operations or for an allowed result. */
export function withCheckedDescriptions(counterexample: Counterexample, specOf: AnySpecOf): Counterexample {
  const { core, cause } = counterexample;
  try {
    for (const operation of core) {
      const spec = describing(specOf, operation.object);
      if (!spec) continue;
      const { outcome } = operation;
      operationText(spec, operation, undefined);
      operationText(spec, operation, outcome);
      const results = [outcome, ...cause.allowed].flatMap((own) =>
        own.kind === 'returned' ? [own.value] : [],
      );
      for (const value of [...(operation.args as readonly unknown[]), ...results]) valueText(spec, value);
    }
  } catch (error) {
    if (error instanceof SpecError) return { ...counterexample, failure: explanationFailure(error).failure };
    throw error;
  }
  return counterexample;
}

/** A history with the descriptions of another one. */
export function describedLike(history: History, { tables: { describe } }: History): History {
  const { columns, tables, annotations, stuck } = history;
  return describe === undefined ? history : new History(columns, { ...tables, describe }, annotations, stuck);
}
