/**
 * Builds the report of a violation: the operations of its cause, then open ones, then those that ended last, until
 * there are enough. They become a history of their own.
 */
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import type { Spec } from '../../spec/spec.js';
import { Budget } from '../model/budget.js';
import type { MonitorCause } from '../model/causes.js';
import type { SearchResult } from '../model/search.js';
import type { LimitReason } from '../model/verdict.js';
import { monitored, verifyCause } from '../monitors/registry.js';
import type { OnlineCause, OnlineViolation } from '../stream/monitor.js';
import { NOT_YET, type OnlineOperation } from '../stream/steps.js';
import type { PartViolation, WatchedObject } from './object-monitor.js';

/* Operations of a stream as a history, to draw or to check. */

/** `operations` in order of call: the position of each is its id. */
function toHistory(operations: readonly OnlineOperation[], undefinedIsNull: boolean): History {
  const builder = new HistoryBuilder({ fromFile: undefinedIsNull });
  for (const { object, process, method, args, outcome, call, return: end } of operations)
    builder.operation({
      ...(object !== undefined && { object }),
      process,
      method,
      args,
      outcome: end === NOT_YET ? PENDING : outcome,
      call,
      return: end === NOT_YET ? undefined : end,
      overlapping: true,
    });
  const lines = operations.some((own) => own.line !== undefined);
  return builder.finish(lines ? (entry) => operations[entry].line ?? 0 : undefined);
}

const PENDING: Outcome = { kind: 'pending' };

/*
 * The reason in the terms of `check`, computed from the operations that are still known.
 *
 * As long as no operation is dropped, every cause is valid. Later, only a cause that is independent of dropped
 * operations is: in a linearization of a queue or a register, all operations on a value can be omitted, so a
 * contradiction among all operations on some values is one of the whole. Each reason is verified.
 */

const REASON_LIMITS = { maxSteps: 100_000, maxMemory: 2 ** 26 };
/** A reason with more operations is not readable. */
const MAX_OPERATIONS = 16;

interface Reason {
  readonly cause: MonitorCause;
  /** The ids of the operations that it is about. */
  readonly operations: readonly number[];
}

/** The causes of an offline monitor that correspond to an online one, if only the values at fault are known. */
const SAME_CAUSES: Partial<Record<OnlineCause['kind'], readonly MonitorCause['kind'][]>> = {
  overtaken: ['overtaken'],
  'never empty': ['never empty'],
  replaced: ['in turns', 'out of turn'],
};

/** The reason among all operations on the values at fault. */
function reasonOfValues(history: History, spec: Spec, kind: OnlineCause['kind']): Reason | undefined {
  const { initial } = spec.family ?? {};
  // the removals of initial values are no longer known
  if (!SAME_CAUSES[kind] || (Array.isArray(initial) && initial.length > 0)) return undefined;
  const reason = reasonOf(history, spec);
  return reason && SAME_CAUSES[kind].includes(reason.cause.kind) ? reason : undefined;
}

/** The reason among all operations. */
function reasonOf(history: History, spec: Spec): Reason | undefined {
  const happened = history.withoutFailed();
  const own = monitored(happened, spec);
  if (!own || 'obstacle' in own) return undefined;
  const budget = new Budget(REASON_LIMITS);
  const result = own.reading.decide((search) => budget.run(search) as SearchResult | LimitReason);
  if (result.kind !== 'violation' || !('cause' in result.refutation)) return undefined;
  const { cause, operations } = result.refutation;
  if (operations.length > MAX_OPERATIONS) return undefined;
  if (!verifyCause(happened, spec, cause)) return undefined;
  return { cause, operations: operations.map((k) => happened.columns.id[k]) };
}

const MIN_SHOWN = 10;

export function buildViolation(
  object: WatchedObject,
  { part, cause }: PartViolation,
  fault: OnlineOperation,
  event: number,
  line: number | undefined,
): OnlineViolation {
  const { recent, undefinedIsNull } = object;
  const open = [...object.parts].flatMap((own) => own.open);
  // initial values were not added by an operation of the stream
  const inCause = [...cause.operations.filter(({ call }) => call > 0), fault];
  const remembered = [...new Set([...inCause, ...open, ...recent.all()])].sort((a, b) => a.call - b.call);
  const history = toHistory(remembered, undefinedIsNull);
  const known = new Set([...inCause, ...part.open]);
  const reason =
    object.spec &&
    (recent.isAll
      ? reasonOf(history, object.spec)
      : reasonOfValues(
          history.select((k) => known.has(remembered[k])),
          object.spec,
          cause.kind,
        ));
  const contradicting = new Set([...inCause, ...(reason?.operations ?? []).map((id) => remembered[id])]);
  const chosen = new Set(contradicting);
  for (const others of [part.open, recent.of(part)])
    for (const operation of others) if (chosen.size < MIN_SHOWN) chosen.add(operation);
  const shown = history.select((k) => chosen.has(remembered[k]));
  const place = shown.positionsById();
  return {
    event,
    ...(line !== undefined && { line }),
    part: part.name,
    process: fault.process,
    method: fault.method,
    args: fault.args,
    outcome: fault.outcome,
    cause: cause.kind,
    ...(reason && { reason: reason.cause }),
    ...(cause.allowed && { allowed: cause.allowed }),
    shown,
    fault: place[remembered.indexOf(fault)],
    contradicting: Array.from(contradicting, (own) => place[remembered.indexOf(own)]).sort((a, b) => a - b),
  };
}
