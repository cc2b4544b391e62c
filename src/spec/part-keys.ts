/** Which parts of an object a call belongs to, as its spec says; undefined for all of them. */
import { show } from '../base/values/show.js';
import type { PartKey, Spec } from './spec.js';
import { guarded, SpecError } from './spec-error.js';

export function partKeys(
  spec: Spec,
  method: string,
  args: readonly unknown[],
): readonly PartKey[] | undefined {
  const parts = guarded(`spec ${spec.name}: part of ${method}`, () => spec.part?.(method, args));
  const keys = parts === undefined || Array.isArray(parts) ? parts : [parts as PartKey];
  if (keys?.some((key) => typeof key !== 'string' && typeof key !== 'number'))
    throw new SpecError(
      `spec ${spec.name}: part of ${method} gave ${show(parts)}; expected a string, a number, a list of these or undefined`,
    );
  return keys;
}
