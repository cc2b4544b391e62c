/** A stream that is watched, for programs: how it stands, and the verdict. Field names are a contract: docs/reference/json-output.md. */
import { stringify } from '../../base/values/json-values.js';
import type { OnlineViolation } from '../../check/stream/violation.js';
import type { History } from '../../history/history.js';
import type { Watched } from '../common/report-types.js';
import { type JsonDocument, outcomeDocument, reasonDocument } from './json.js';

/** How it stands. */
export function statusDocument({ file, status }: Watched): JsonDocument {
  const { verdict, ...counts } = status;
  return { file, soFar: verdict, ...counts };
}

/** The last word. */
export function monitorDocument({ file, spec, status, verdict, reason }: Watched): JsonDocument {
  const { events, operations, open, held } = status;
  return {
    file,
    // unknown for a call that was never recorded
    verdict: reason === 'memory' && verdict.kind === 'linearizable' ? 'undecided' : verdict.kind,
    spec,
    events,
    operations,
    open,
    held,
    ...(verdict.kind === 'violation' && { violation: violationDocument(verdict.violation) }),
    ...(verdict.kind === 'undecided' && { doubts: verdict.doubts }),
    ...(reason !== undefined && { reason }),
  };
}

function violationDocument(violation: OnlineViolation): JsonDocument {
  const { event, line, part, cause, reason, allowed, shown, fault, contradicting } = violation;
  return {
    event,
    ...(line !== undefined && { line }),
    ...(part !== '' && { part }),
    cause,
    ...(reason && { reason: reasonDocument(reason) }),
    ...(allowed && { allowed: allowed.map(outcomeDocument) }),
    fault,
    contradicting,
    shown: Array.from(shown, (_, k) => operationDocument(shown, k)),
  };
}

/** An operation as a line of our format has it, with its line instead of its times. */
function operationDocument(history: History, k: number): JsonDocument {
  const { object, process, method, args, outcome } = history.at(k);
  const id = history.columns.id[k];
  const line = history.tables.lines?.[id];
  return {
    id,
    ...(object !== undefined && { object }),
    process,
    method,
    args: JSON.parse(stringify(args)) as unknown,
    ...(outcome.kind === 'returned' || outcome.kind === 'threw'
      ? outcomeDocument(outcome)
      : { [outcome.kind === 'failed' ? 'failed' : 'unknown']: outcome.reason ?? true }),
    ...(line !== undefined && { line }),
  };
}
