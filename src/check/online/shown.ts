/**
 * What to show of a violation: the operations in its cause, then those that are open, then those that
 * ended last, until there are enough. They become a history of their own, to be drawn.
 */
import { HistoryBuilder, type Outcome } from '../../history/index.js';
import { NOT_YET, type OnlineOperation } from './operation.js';
import type { OnlineViolation } from './violation.js';
import type { Found, WatchedObject } from './watched-object.js';

const ENOUGH = 10;

export function violationOf(
  { recent, undefinedIsNull }: WatchedObject,
  { part, cause }: Found,
  fault: OnlineOperation,
  event: number,
  line: number | undefined,
): OnlineViolation {
  const contradicting = new Set([...cause.operations, fault]);
  const chosen = new Set(contradicting);
  for (const others of [part.open, recent.of(part)])
    for (const operation of others) if (chosen.size < ENOUGH) chosen.add(operation);
  const shown = [...chosen].sort((a, b) => a.call - b.call);
  const builder = new HistoryBuilder({ fromFile: undefinedIsNull });
  for (const { object, process, method, args, outcome, call, return: end } of shown)
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
  const lines = shown.some((own) => own.line !== undefined);
  return {
    event,
    ...(line !== undefined && { line }),
    part: part.name,
    process: fault.process,
    method: fault.method,
    args: fault.args,
    outcome: fault.outcome,
    cause: cause.kind,
    ...(cause.allowed && { allowed: cause.allowed }),
    shown: builder.finish(lines ? (entry) => shown[entry].line ?? 0 : undefined),
    fault: shown.indexOf(fault),
    contradicting: [...contradicting].map((operation) => shown.indexOf(operation)).sort((a, b) => a - b),
  };
}

const PENDING: Outcome = { kind: 'pending' };
