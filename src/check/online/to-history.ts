/** Operations of a stream as a history, to be drawn or checked. */
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { NOT_YET, type OnlineOperation } from '../stream/operation.js';

/** `operations` by call: the position of each is its id. */
export function asHistory(operations: readonly OnlineOperation[], undefinedIsNull: boolean): History {
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
