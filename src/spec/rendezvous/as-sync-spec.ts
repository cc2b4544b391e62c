/** A plain spec as one of calls that meet nobody: both kinds of spec can be read as one. */
import type { Methods } from '../../history/model/operation.js';
import { OneOf, type Spec, type Step } from '../spec.js';
import type { SyncSpec } from './sync-spec.js';

export function aloneSpec<T extends Methods<T>, S>(spec: Spec<T, S>): SyncSpec<T, S> {
  const { name, initial, key } = spec;
  const methods = Object.entries(spec.methods) as [string, Spec['methods'][string]][];
  const meetings = methods.map(([method, run]) => [
    method,
    (state: S, args: unknown[]) => alone(run(state, ...args)),
  ]);
  return {
    name,
    initial,
    ...(key && { key }),
    meetings: Object.fromEntries(meetings) as SyncSpec<T, S>['meetings'],
  };
}

/** Each result becomes a list of one. */
function alone(given: unknown): unknown {
  if (given instanceof OneOf) return new OneOf([...given.steps.map(listed), ...given.refused]);
  return Array.isArray(given) ? listed(given as unknown as Step<unknown, unknown>) : given;
}

const listed = ([next, result]: Step<unknown, unknown>): Step<unknown, unknown> => [next, [result]];
