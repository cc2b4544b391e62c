/**
 * Checks causes of fetch-and-add: two that contradict each other, or a sum that nothing makes. Cost: O(n).
 *
 * All add in one direction, so who found less comes first, and no sum is there again.
 */
import { type History, NEVER, RETURNED } from '../../../history/index.js';
import type { Spec } from '../../../spec/index.js';
import type { FamilyCause } from '../causes.js';

type SumCause = Extract<FamilyCause, { kind: 'overlap' | 'backwards' | 'unreached' }>;

/** What one did; `found` is NaN if nobody knows. */
interface Act {
  readonly adds: number;
  readonly found: number;
  readonly call: number;
  readonly returned: number;
}

export function confirmSum(history: History, spec: Spec, cause: SumCause): boolean {
  const acts = actsOf(history, spec);
  const up = acts.some(({ adds }) => adds > 0);
  if (up && acts.some(({ adds }) => adds < 0)) return false;
  const isLess = (a: number, b: number): boolean => (up ? a < b : a > b);
  const position = history.positionsById();
  const own = acts[position[cause.operation]];
  if (!own) return false;
  if (cause.kind === 'unreached') {
    const adding = acts.filter(({ adds }) => adds !== 0);
    const open = adding.filter(({ returned }) => returned === NEVER);
    const before = adding.filter(({ found }) => isLess(found, own.found));
    const sum = before.reduce((all, { adds }) => all + adds, spec.family?.initial as number);
    const helping = open.filter(({ call }) => call < own.returned).length;
    const needed = (own.found - sum) / (cause.each || 1);
    const areEqual = open.every(({ adds, found }) => adds === cause.each && Number.isNaN(found));
    return (
      areEqual &&
      cause.sum === sum &&
      own.returned !== NEVER &&
      !(Number.isInteger(needed) && needed >= 0 && needed <= helping)
    );
  }
  const other = acts[position[cause.other]];
  if (!other || own.returned === NEVER || other.returned === NEVER || own === other) return false;
  if (cause.kind === 'overlap') return isInside(own, other, isLess) || isInside(other, own, isLess);
  const comesFirst =
    isLess(own.found, other.found) || (own.found === other.found && own.adds === 0 && other.adds !== 0);
  return comesFirst && other.returned < own.call;
}

/** Did one find what the other had found and left, or passed over? */
function isInside(one: Act, { found, adds }: Act, isLess: (a: number, b: number) => boolean): boolean {
  const isSame = one.found === found && one.adds !== 0;
  return (isSame || isLess(found, one.found)) && isLess(one.found, found + adds);
}

function actsOf({ columns, tables, length }: History, { family }: Spec): Act[] {
  const { method, status, result, argument, argumentStart, call, return: returned } = columns;
  const { values } = tables.values;
  return Array.from({ length }, (_, k): Act => {
    const adds = tables.methods[method[k]] === family?.roles.add ? values[argument[argumentStart[k]]] : 0;
    const found = status[k] === RETURNED ? values[result[k]] : Number.NaN;
    return { adds: adds as number, found: found as number, call: call[k], returned: returned[k] };
  });
}
