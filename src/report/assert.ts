/** Assertion for tests: throws an error whose message is the report, unless the history is linearizable. */
import { check } from '../check/check.js';
import type { Limits } from '../check/model/budget.js';
import type { History } from '../history/history.js';
import type { AnyObject, Methods } from '../history/model/operation.js';
import { type AnySpec, isSyncSpec, type SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { noneGives } from './common/verdict-words.js';
import { textReport } from './text/report.js';
import { styleOf } from './text/style.js';

/** The message is the report: verdict, drawing and reason. An undecided history is an error too. */
export class LinearizabilityError extends Error {
  override readonly name = 'LinearizabilityError';
}

/** Limits, and whether an empty history is accepted. */
export interface AssertOptions extends Limits {
  /** Accept a history without operations? By default it is an error: a recording that failed looks the same. */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * Throws a `LinearizabilityError` with the report unless the history is linearizable.
 *
 * @example
 * assertLinearizable(sketch('A  |- enqueue(1) -|'), queue(), { timeout: '10s' });
 */
export function assertLinearizable<T extends Methods<T> = AnyObject>(
  history: History<T>,
  // biome-ignore lint/suspicious/noExplicitAny: the state is the spec's own business
  spec: Spec<T, any> | SyncSpec<T, any>,
  options: AssertOptions = {},
): void {
  const failure = failureOf(history as History, spec as AnySpec, options);
  if (failure === undefined) return;
  const error = new LinearizabilityError(failure.message);
  // the stack begins at the caller's line
  Error.captureStackTrace(error, assertLinearizable);
  throw error;
}

/** Why a history fails: a violation, or nothing that can be called linearizable or not. Undefined if it is linearizable. */
export function failureOf(
  history: History,
  spec: AnySpec,
  { allowEmpty = false, ...limits }: AssertOptions,
): { readonly isViolation: boolean; readonly message: string } | undefined {
  if (history.length === 0 && !allowEmpty)
    return {
      isViolation: false,
      message: 'The history is empty: nothing was recorded. Expected operations, or the option allowEmpty.',
    };
  const verdict = check(history, spec, limits);
  if (verdict.kind === 'linearizable') return undefined;
  const result = { file: 'history', spec: spec.name, history, verdict, ms: { read: 0, check: 0 } };
  const isRendezvous = isSyncSpec(spec);
  const isViolation = verdict.kind === 'violation';
  const first = isViolation
    ? noneGives(isRendezvous)
    : `Undecided: a limit was reached before a ${isRendezvous ? 'sequence of rendezvous' : 'sequential order'} that gives these results was found or excluded.`;
  const text = textReport(result as unknown as Parameters<typeof textReport>[0], styleOf({}));
  return { isViolation, message: `${first}\n\n${text}` };
}
