/** Numbers that a history tells of, where they add exactly: safe integers. */
import type { Calls } from './calls.js';

/** What a call counts by: its argument, 1 without one. Undefined: no safe integer. */
export function amountOf({ history }: Calls, k: number): number | undefined {
  const { argument, argumentStart } = history.columns;
  if (argumentStart[k] === argumentStart[k + 1]) return 1;
  return whole(history.tables.values.values[argument[argumentStart[k]]]);
}

/** What a call answered. Undefined: no safe integer. */
export function numberAnswered({ history }: Calls, k: number): number | undefined {
  return whole(history.tables.values.values[history.columns.result[k]]);
}

function whole(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}
