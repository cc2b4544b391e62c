/**
 * Which operations to show: the one at fault and those that matter most to it.
 *
 * In this order, latest first, until there are enough: those that touch a value
 * that was returned or should have been; those that overlap it; those just before.
 */
import type { Counterexample } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';
import { FAILED, NEVER } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';

const MOST = 12;
const ENOUGH = 8;
const MOST_FAILED = 2;
const FEW = 4;

/** The operations to show: some of the core, those that one was too early or too late to meet, and the last few failed ones that overlap the one at fault. */
export function chooseOperations(counterexample: Counterexample, history: History): History {
  const chosen = chooseOfCore(counterexample);
  if (counterexample.cause.kind === 'no partner')
    for (const id of counterexample.cause.nearest) chosen.add(id);
  const { id, object, call, return: returned, status } = history.columns;
  const fault = history.positionsById()[counterexample.cause.operation];
  let failed = 0;
  for (let k = history.length - 1; k >= 0 && failed < MOST_FAILED; k--) {
    if (status[k] !== FAILED || call[k] >= returned[fault] || call[fault] >= returned[k]) continue;
    chosen.add(id[k]);
    failed++;
  }
  // few values say more with those just before
  for (const k of counterexample.cuts.includes('values') ? latestFirst(history) : []) {
    if (chosen.size >= FEW) break;
    if (object[k] === object[fault] && status[k] !== FAILED && returned[k] <= returned[fault])
      chosen.add(id[k]);
  }
  return history.select((k) => chosen.has(id[k]));
}

/** The ids to show, of those in the core. */
function chooseOfCore({ core, cause }: Counterexample): Set<number> {
  const { id, call, return: returned } = core.columns;
  if (core.length <= MOST) return new Set(id);
  const fault = id.indexOf(cause.operation);
  const chosen = new Set([cause.operation]);
  const touched = valuesOf(core, fault, cause.allowed);
  const take = (limit: number, matters: (k: number) => boolean) => {
    for (const k of latestFirst(core)) {
      if (chosen.size >= limit) return;
      if (matters(k)) chosen.add(id[k]);
    }
  };
  take(ENOUGH, (k) => touches(core, k, touched));
  take(MOST, (k) => returned[k] > call[fault] && call[k] < returned[fault]);
  take(ENOUGH, () => true);
  return chosen;
}

/** Operations by return, the latest first; before them those that never returned. */
function* latestFirst({ columns, length }: History): Generator<number> {
  const { events, return: returned } = columns;
  for (let k = length - 1; k >= 0; k--) if (returned[k] === NEVER) yield k;
  for (let m = events.length - 1; m >= 0; m--) if (events[m] < 0) yield ~events[m];
}

/** The numbers of the values that the operation gave, took, or should have given. */
function valuesOf({ columns, tables }: History, k: number, allowed: readonly Outcome[]): Set<number> {
  const touched = new Set<number>();
  for (const outcome of allowed)
    if (outcome.kind === 'returned' && typeof outcome.value !== 'boolean') {
      const number = tables.values.find(outcome.value);
      if (number !== undefined) touched.add(number);
    }
  touched.add(columns.result[k]);
  for (let i = columns.argumentStart[k]; i < columns.argumentStart[k + 1]; i++)
    touched.add(columns.argument[i]);
  for (const dull of [null, undefined, true, false]) touched.delete(tables.values.find(dull) ?? -1);
  return touched;
}

function touches({ columns }: History, k: number, values: ReadonlySet<number>): boolean {
  if (values.has(columns.result[k])) return true;
  for (let i = columns.argumentStart[k]; i < columns.argumentStart[k + 1]; i++)
    if (values.has(columns.argument[i])) return true;
  return false;
}
