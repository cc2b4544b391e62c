/** What each operation on a sum did, read plainly: for those who check a cause. */
import type { History } from '../../../history/history.js';
import { RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

/** `found` is NaN if nobody knows. */
export interface SumAct {
  readonly adds: number;
  readonly found: number;
  readonly call: number;
  readonly returned: number;
}

export function sumActs({ columns, tables, length }: History, { family }: Spec): SumAct[] {
  const { method, status, result, argument, argumentStart, call, return: returned } = columns;
  const { values } = tables.values;
  return Array.from({ length }, (_, k): SumAct => {
    const adds = tables.methods[method[k]] === family?.roles.add ? values[argument[argumentStart[k]]] : 0;
    const found = status[k] === RETURNED ? values[result[k]] : Number.NaN;
    return { adds: adds as number, found: found as number, call: call[k], returned: returned[k] };
  });
}
