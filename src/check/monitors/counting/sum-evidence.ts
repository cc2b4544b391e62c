/**
 * Verifies the causes of fetch-and-add: two operations that contradict each other, or a sum that no operations make.
 * Cost: O(n).
 *
 * All amounts have the same sign, so an operation with a smaller result comes first, and no sum recurs.
 */
import type { History } from '../../../history/history.js';
import { NEVER, RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause } from '../../model/causes.js';

/* What each operation on a sum did, read plainly. */

/** `found` is NaN if it is unknown. */
interface SumAct {
  readonly adds: number;
  readonly found: number;
  readonly call: number;
  readonly returned: number;
}

function sumActs({ columns, tables, length }: History, { family }: Spec): SumAct[] {
  const { method, status, result, argument, argumentStart, call, return: returned } = columns;
  const { values } = tables.values;
  return Array.from({ length }, (_, k): SumAct => {
    const adds = tables.methods[method[k]] === family?.roles.add ? values[argument[argumentStart[k]]] : 0;
    const found = status[k] === RETURNED ? values[result[k]] : Number.NaN;
    return { adds: adds as number, found: found as number, call: call[k], returned: returned[k] };
  });
}

export function verifySumCause(history: History, spec: Spec, cause: MonitorCause): boolean {
  if (cause.kind !== 'overlap' && cause.kind !== 'backwards' && cause.kind !== 'unreached') return false;
  const acts = sumActs(history, spec);
  const up = acts.some(({ adds }) => adds > 0);
  if (up && acts.some(({ adds }) => adds < 0)) return false;
  const isLess = (a: number, b: number): boolean => (up ? a < b : a > b);
  const position = history.positionsById();
  const own = acts[position[cause.operation]];
  if (!own || own.returned === NEVER) return false;
  if (cause.kind === 'unreached') {
    const before = acts.filter(({ found }) => isLess(found, own.found));
    const sum = before.reduce((all, { adds }) => all + adds, spec.family?.initial as number);
    return cause.sum === sum && isOutOfReach(acts, own, own.found - sum, cause.each);
  }
  const other = acts[position[cause.other]];
  if (!other || other.returned === NEVER || own === other) return false;
  if (cause.kind === 'overlap') return isInside(own, other, isLess) || isInside(other, own, isLess);
  const comesFirst =
    isLess(own.found, other.found) || (own.found === other.found && own.adds === 0 && other.adds !== 0);
  return comesFirst && other.returned < own.call;
}

/** Whether no number of pending calls can have added this before one returned. They all add `each`. */
function isOutOfReach(acts: readonly SumAct[], { returned }: SumAct, missing: number, each: number): boolean {
  const open = acts.filter((act) => act.adds !== 0 && act.returned === NEVER);
  const available = open.filter(({ call }) => call < returned).length;
  const needed = missing / (each || 1);
  return (
    open.every(({ adds, found }) => adds === each && Number.isNaN(found)) &&
    !(Number.isInteger(needed) && needed >= 0 && needed <= available)
  );
}

/** Whether one found a sum that the other had left or skipped. */
function isInside(one: SumAct, { found, adds }: SumAct, isLess: (a: number, b: number) => boolean): boolean {
  const isSame = one.found === found && one.adds !== 0;
  return (isSame || isLess(found, one.found)) && isLess(one.found, found + adds);
}
