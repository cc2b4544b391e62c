/**
 * Why there is no order, in the terms of those who check whole histories: asked of the operations that are remembered.
 *
 * While nothing is forgotten, all is true that they say of these. Later only what holds whatever was forgotten: in an order of
 * a queue or a register all operations on a value can be left out, so what contradicts itself among all operations on
 * some values does so in the whole. Each reason is confirmed.
 */
import type { History } from '../../history/history.js';
import type { Spec } from '../../spec/spec.js';
import { Budget } from '../model/budget.js';
import type { FamilyCause } from '../model/monitor-causes.js';
import type { Answer } from '../model/search.js';
import type { Exhausted } from '../model/verdict.js';
import { confirm } from '../monitors/confirm.js';
import { monitored } from '../monitors/registry.js';
import type { OnlineCause } from '../stream/violation.js';

const FEW = { steps: 100_000, milliseconds: 500, bytes: 2 ** 26 };
/** A reason of more is not read. */
const MOST = 16;

interface Reason {
  readonly cause: FamilyCause;
  /** The ids of the operations that it is about. */
  readonly operations: readonly number[];
}

/** What a monitor of whole histories says where a stream stops for this cause, if only the values at fault are remembered. */
const SAME: Partial<Record<OnlineCause['kind'], readonly FamilyCause['kind'][]>> = {
  overtaken: ['overtaken'],
  'never empty': ['never empty'],
  replaced: ['in turns', 'out of turn'],
};

/** Of all operations on the values at fault. */
export function reasonOfValues(history: History, spec: Spec, kind: OnlineCause['kind']): Reason | undefined {
  const { initial } = spec.family ?? {};
  // who took out what was there at first is forgotten
  if (!SAME[kind] || (Array.isArray(initial) && initial.length > 0)) return undefined;
  const reason = reasonOf(history, spec);
  return reason && SAME[kind].includes(reason.cause.kind) ? reason : undefined;
}

/** Of all that ever happened. */
export function reasonOf(history: History, spec: Spec): Reason | undefined {
  const happened = history.happened();
  const own = monitored(happened, spec);
  if (!own || 'obstacle' in own) return undefined;
  const budget = new Budget(FEW);
  const ruling = own.reading.decide((search) => budget.run(search) as Answer | Exhausted);
  if (ruling.kind !== 'contradiction' || ruling.operations.length > MOST) return undefined;
  const { cause, operations } = ruling;
  if (!confirm(happened, spec, cause)) return undefined;
  return { cause, operations: operations.map((k) => happened.columns.id[k]) };
}
