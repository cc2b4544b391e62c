/**
 * Which rendezvous and operations to show. Of operations: the one at fault and those that matter most to it.
 *
 * In this order, latest first, until there are enough: those that touch a value
 * that was returned or should have been; those that overlap it; those just before.
 */

import { Interner } from '../../base/values/interner.js';
import { printable } from '../../base/values/show.js';
import type { Cause, Counterexample, Verdict } from '../../check/model/verdict.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { DrawnRendezvous } from '../../history/drawing/layout.js';
import type { History } from '../../history/history.js';
import { FAILED, NEVER } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import type { Spec } from '../../spec/spec.js';

/* The rendezvous that a report draws: those of a witness, or those that a counterexample speaks of. */

/* Where in time rendezvous may have been: each as early as it can be, after the one before it. */

/** Of operations by id, in an order of the rendezvous; those that the history has not are left out. */
export function layOutRendezvous(
  history: History,
  rendezvous: readonly (readonly number[])[],
): DrawnRendezvous[] {
  const position = history.positionsById();
  const { call } = history.columns;
  let moment = -1;
  return rendezvous
    .map((members) => members.map((id) => position[id] ?? -1).filter((k) => k >= 0))
    .filter((members) => members.length > 0)
    .map((members) => {
      for (const k of members) moment = Math.max(moment, call[k]);
      return { moment, members };
    });
}

export interface ReportedRendezvous {
  /** By id. */
  readonly members: readonly number[];
  /** It should have come about, and did not. */
  readonly isMissed: boolean;
}

export function reportedRendezvous(verdict: Verdict): ReportedRendezvous[] {
  if (verdict.kind === 'linearizable')
    return (verdict.witness.rendezvous ?? []).map((members) => ({ members: [...members], isMissed: false }));
  return verdict.kind === 'violation' ? ofCause(verdict.counterexample.cause) : [];
}

function ofCause(cause: Cause): ReportedRendezvous[] {
  switch (cause.kind) {
    case 'unmatched':
      return cause.longest.rendezvous.map((members) => ({ members, isMissed: false }));
    case 'left behind':
      return [{ members: [cause.operation, ...cause.partners], isMissed: false }];
    case 'should synchronise':
      return [{ members: cause.calls, isMissed: true }];
    default:
      return [];
  }
}

const MOST = 12;
const ENOUGH = 8;
const MOST_FAILED = 2;
const FEW = 4;
/** Operations beside the core that are considered; each costs a pass over the history. */
const MOST_TRIED = 8;

/**
 * The operations to show: some of the core, the nearest calls that it did not overlap, and of the same part the
 * last few failed ones that overlap the one at fault. `specOf` determines the part of an operation outside of the core.
 */
export function chooseOperations(
  counterexample: Counterexample,
  history: History,
  specOf: AnySpecOf | undefined,
): History {
  const chosen = chooseOfCore(counterexample);
  if (counterexample.cause.kind === 'no partner')
    for (const id of counterexample.cause.nearest) chosen.add(id);
  const { id, call, return: returned, status } = history.columns;
  const fault = history.positionsById()[counterexample.cause.operation];
  const isOfPart = partTest(counterexample, history, fault, specOf);
  let failed = 0;
  for (let k = history.length - 1; k >= 0 && failed < MOST_FAILED; k--) {
    if (status[k] !== FAILED || call[k] >= returned[fault] || call[fault] >= returned[k]) continue;
    if (!isOfPart(k)) continue;
    chosen.add(id[k]);
    failed++;
  }
  // few values say more with those just before, each value with all that was done with it
  const isBefore = (k: number) => status[k] !== FAILED && call[k] < returned[fault] && isOfPart(k);
  let tried = 0;
  for (const k of counterexample.cuts.includes('values') ? latestFirst(history) : []) {
    if (chosen.size >= FEW || tried >= MOST_TRIED) break;
    if (!isBefore(k) || returned[k] > returned[fault] || chosen.has(id[k])) continue;
    tried++;
    const values = shownValues(history, k);
    const added = [id[k]];
    for (let own = 0; own < history.length; own++)
      if (own !== k && touches(history, own, values) && isBefore(own) && !chosen.has(id[own]))
        added.push(id[own]);
    if (chosen.size + added.length <= FEW) for (const own of added) chosen.add(own);
  }
  return history.select((k) => chosen.has(id[k]));
}

/** Does an operation belong to the part that is explained? False where that is not known. */
function partTest(
  { cuts, core }: Counterexample,
  history: History,
  fault: number,
  specOf: AnySpecOf | undefined,
): (k: number) => boolean {
  const { object, status } = history.columns;
  const isOfObject = (k: number) => object[k] === object[fault];
  if (!specOf) return (k) => isOfObject(k) && status[k] !== FAILED && !cuts.includes('part');
  const { part } = specOf(history.tables.objects[object[fault]]) as Partial<Spec>;
  if (!part) return isOfObject;
  const keysOf = (own: History, k: number) => part(own.tables.methods[own.columns.method[k]], own.args(k));
  const keys = new Interner();
  for (let k = 0; k < core.length; k++) {
    const own = keysOf(core, k);
    // it belongs to all parts
    if (own === undefined) return isOfObject;
    for (const key of [own].flat()) keys.intern(key);
  }
  return (k) =>
    isOfObject(k) && [keysOf(history, k) ?? []].flat().some((key) => keys.find(key) !== undefined);
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
      if (!matters(k)) continue;
      // a removed value is shown with its insertion, and an inserted one with its removal
      const partner = partnerOf(core, k) ?? -1;
      const added = (partner < 0 ? [k] : [k, partner])
        .map((own) => id[own])
        .filter((own) => !chosen.has(own));
      if (chosen.size + added.length <= MOST) for (const own of added) chosen.add(own);
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

/** The last operation that can have inserted what this one gave, or the first that can have removed what it took. */
function partnerOf(core: History, k: number): number | undefined {
  const { call, result, return: returned } = core.columns;
  const values = shownValues(core, k);
  if (values.size === 0) return undefined;
  if (!values.has(result[k]))
    return result.findIndex((value, own) => values.has(value) && returned[own] > call[k]);
  const given = new Set([result[k]]);
  for (let own = core.length - 1; own >= 0; own--)
    if (own !== k && call[own] < returned[k] && hasArgument(core, own, given)) return own;
  return undefined;
}

/** The numbers of the values that the operation gave, took, or should have given. */
function valuesOf(history: History, k: number, allowed: readonly Outcome[]): Set<number> {
  const touched = shownValues(history, k);
  for (const outcome of allowed)
    if (outcome.kind === 'returned' && typeof outcome.value !== 'boolean') {
      const number = history.tables.values.find(outcome.value);
      if (number !== undefined) touched.add(number);
    }
  for (const dull of DULL) touched.delete(history.tables.values.find(dull) ?? -1);
  return touched;
}

/** Results and arguments that say nothing about where a value came from. */
const DULL = [null, undefined, true, false];

/** The numbers of the values that the operation gave or took. */
function shownValues({ columns, tables }: History, k: number): Set<number> {
  const touched = new Set([columns.result[k]]);
  for (let i = columns.argumentStart[k]; i < columns.argumentStart[k + 1]; i++)
    touched.add(columns.argument[i]);
  for (const dull of DULL) touched.delete(tables.values.find(dull) ?? -1);
  return touched;
}

const touches = (history: History, k: number, values: ReadonlySet<number>): boolean =>
  values.has(history.columns.result[k]) || hasArgument(history, k, values);

function hasArgument({ columns }: History, k: number, values: ReadonlySet<number>): boolean {
  for (let i = columns.argumentStart[k]; i < columns.argumentStart[k + 1]; i++)
    if (values.has(columns.argument[i])) return true;
  return false;
}

/** At most this many annotations are named. */
const MOST_ANNOTATIONS = 5;

/** The annotations between the first and the last event shown, and the faults that last into that time. */
export function meanwhileText(shown: History, history: History): string | undefined {
  const position = history.positionsById();
  const { call, return: returned } = history.columns;
  const moments = Array.from(shown.columns.id, (id) => [call[position[id]], returned[position[id]]]).flat();
  const [first, last] = [Math.min(...moments), Math.max(...moments.filter((moment) => moment !== NEVER))];
  const inTime = [...history.annotations].sort((a, b) => a.moment - b.moment);
  const among = inTime.filter(
    ({ moment, until = moment }) => moment <= last && Math.max(moment, until) > first,
  );
  if (among.length === 0) return undefined;
  return `Meanwhile: ${among
    .slice(-MOST_ANNOTATIONS)
    .map(({ text }) => printable(text))
    .join('; ')}.`;
}
