/**
 * What to show of a violation: the operations in its cause, then those that are open, then those that
 * ended last, until there are enough. They become a history of their own, to be drawn.
 */
import type { OnlineOperation } from '../stream/operation.js';
import type { OnlineViolation } from '../stream/violation.js';
import { reasonOf, reasonOfValues } from './reason.js';
import { asHistory } from './to-history.js';
import type { Found, WatchedObject } from './watched-object.js';

const ENOUGH = 10;

export function violationOf(
  object: WatchedObject,
  { part, cause }: Found,
  fault: OnlineOperation,
  event: number,
  line: number | undefined,
): OnlineViolation {
  const { recent, undefinedIsNull } = object;
  const open = [...object.parts].flatMap((own) => own.open);
  // what was there at first, nobody put in
  const inCause = [...cause.operations.filter(({ call }) => call > 0), fault];
  const remembered = [...new Set([...inCause, ...open, ...recent.all()])].sort((a, b) => a.call - b.call);
  const history = asHistory(remembered, undefinedIsNull);
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
    for (const operation of others) if (chosen.size < ENOUGH) chosen.add(operation);
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
