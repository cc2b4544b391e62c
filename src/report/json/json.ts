/** The answer for programs. Field names are a contract: docs/reference/json-output.md. */
import { stringify } from '../../base/values/json-values.js';
import {
  type Cluster,
  type Hold,
  isRendezvousCause,
  type MonitorCause,
  type RendezvousCause,
  type ValueInterval,
} from '../../check/model/causes.js';
import type { Cause, Counterexample, Longest, Verdict, Witness } from '../../check/model/verdict.js';
import type { OnlineViolation } from '../../check/stream/monitor.js';
import type { Consistency } from '../../consistency/measure.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import type { CheckedHistory, Watched } from '../common/report-types.js';
import { SIGNS, Words } from '../sentences/words.js';

/** A JSON document; keys that do not apply are absent. */
export type JsonDocument = Record<string, unknown>;

/**
 * Converts a checked history to a JSON document.
 *
 * @example
 * const result: CheckedHistory = {
 *   file: 'orders.jsonl',
 *   spec: 'queue',
 *   history,
 *   verdict: check(history, queue()),
 *   ms: { read: 0, check: 0 },
 * };
 * const { verdict } = jsonReport(result, { witness: true });
 */
export function jsonReport(
  { file, spec, history, verdict, ms, consistency, all = false }: CheckedHistory,
  { witness = false }: { witness?: boolean } = {},
): JsonDocument {
  return {
    file,
    verdict: verdict.kind,
    spec,
    checker: verdict.stats.checker,
    ...(verdict.stats.declined && { declined: verdict.stats.declined }),
    operations: history.length,
    processes: history.processes.length,
    ms,
    ...evidence(verdict, witness),
    ...partsOf(verdict),
    ...(consistency && { consistency: consistencyDocument(consistency, all) }),
  };
}

function consistencyDocument(
  { sequential, values, stale, contradictions, ...rest }: Consistency,
  all: boolean,
): JsonDocument {
  const { each, ...where } = contradictions;
  return {
    sequential:
      sequential.kind === 'holds' && sequential.order
        ? { kind: 'holds', order: Array.from(sequential.order) }
        : sequential,
    ...rest,
    contradictions: { ...where, ...(all && { each }) },
    stale: {
      reads: stale.reads,
      byPart: stale.byPart.map(({ delta, ...part }) => ({ ...part, ...deltaDocument(delta) })),
      byProcess: stale.byProcess,
      ...(stale.k && { k: stale.k }),
      ...deltaDocument(stale.delta),
    },
    ...(values && {
      values: {
        ...values,
        overtaken: values.overtaken.map((one) => ({ ...one, value: valueDocument(one.value) })),
        fromBelow: values.fromBelow.map((one) => ({ ...one, value: valueDocument(one.value) })),
        missing: values.missing.map((one) => ({ ...one, value: valueDocument(one.value) })),
      },
    }),
  };
}

/** JSON has no infinity. */
const deltaDocument = (delta: number | undefined): JsonDocument =>
  delta === undefined ? {} : { delta: Number.isFinite(delta) ? delta : 'infinite' };

function evidence(verdict: Verdict, witness: boolean): JsonDocument {
  switch (verdict.kind) {
    case 'linearizable':
      return witness ? witnessDocument(verdict.witness) : {};
    case 'violation':
      return { counterexample: counterexampleDocument(verdict.counterexample) };
    case 'undecided':
      return { reason: verdict.reason };
  }
}

/** The linearization of plain objects, and the rendezvous of others. */
function witnessDocument({ order, rendezvous }: Witness): JsonDocument {
  return {
    ...((order.length > 0 || !rendezvous) && { witness: Array.from(order) }),
    ...(rendezvous && { rendezvous: rendezvous.map((members) => Array.from(members)) }),
  };
}

function partsOf(verdict: Verdict): JsonDocument {
  if (verdict.stats.parts <= 1) return {};
  return {
    parts: {
      checked: verdict.stats.decided,
      ...(verdict.kind === 'violation' && {
        violation: [verdict.counterexample.part],
        ...(verdict.undecided.length > 0 && { undecided: verdict.undecided }),
        ...(verdict.notExamined.length > 0 && { notExamined: verdict.notExamined }),
      }),
      ...(verdict.kind === 'undecided' && { undecided: verdict.unfinished.map(({ part }) => part) }),
    },
  };
}

export function counterexampleDocument(counterexample: Counterexample): JsonDocument {
  const { core, minimal, isFirst, allowedIsComplete, property, cause, cutBy, failure } = counterexample;
  return {
    operations: Array.from(core.columns.id),
    ...textsOf(core, cause),
    minimal,
    first: isFirst,
    allowedComplete: allowedIsComplete,
    property,
    cause: causeDocument(cause),
    ...(cutBy !== undefined && { cutBy }),
    ...(failure !== undefined && { failure }),
  };
}

/** The texts of the spec for the operations and for the allowed outcomes, if it describes them. */
function textsOf(core: History, { allowed }: Cause): JsonDocument {
  if (!core.tables.describe) return {};
  const words = new Words(core, SIGNS);
  return {
    operationTexts: Array.from(core.columns.id.keys(), (k) => words.labels.operation(k, true)),
    allowedTexts: allowed.map((outcome) => words.outcome(outcome)),
  };
}

function causeDocument(cause: Cause): JsonDocument {
  const { allowed, refused } = cause;
  const { kind, operation, ...rest } = reasonDocument(cause);
  return { kind, operation, allowed: allowed.map(outcomeDocument), ...refusedDocument(refused), ...rest };
}

/** A cause without what would have been allowed. */
function reasonDocument(cause: Cause | MonitorCause): JsonDocument {
  return {
    kind: cause.kind,
    operation: cause.operation,
    ...(cause.kind === 'stuck' && {
      longest: Array.from(cause.longest[0].order),
      state: cause.longest[0].state,
      orders: cause.longest.map(orderDocument),
      ...(cause.overwritten && { overwritten: { ...cause.overwritten } }),
    }),
    ...('interval' in cause && { interval: intervalDocument(cause.interval) }),
    ...('intervals' in cause && { intervals: cause.intervals.map(intervalDocument) }),
    ...(cause.kind === 'never written' && { links: cause.links }),
    ...(cause.kind === 'swapped twice' && { value: valueDocument(cause.value), swaps: cause.swaps }),
    ...(cause.kind === 'out of turn' && { first: cause.first, second: cause.second }),
    ...(cause.kind === 'in turns' && { runs: cause.runs.map(runDocument) }),
    ...(cause.kind === 'cyclic core' && { blocked: cause.blocked.map((id) => id ?? null) }),
    ...(cause.kind === 'overtaken' && {
      first: intervalDocument(cause.first),
      second: intervalDocument(cause.second),
      between: cause.between.map(intervalDocument),
      left: cause.left.map(intervalDocument),
    }),
    ...('other' in cause && { other: cause.other }),
    ...(cause.kind === 'unreached' && { sum: cause.sum, open: cause.open, each: cause.each }),
    ...('holds' in cause && { holds: cause.holds.map(holdDocument) }),
    ...('lock' in cause && { lock: cause.lock }),
    ...(cause.kind === 'definitely free' && neighbours(cause)),
    ...(isRendezvousCause(cause) && rendezvousDocument(cause)),
  };
}

/** The fields that are special to its kind. */
function rendezvousDocument(cause: Extract<Cause, { kind: RendezvousCause['kind'] }>): JsonDocument {
  if (cause.kind === 'unmatched') return { ...cause.longest };
  const { kind, operation, allowed, refused, ...rest } = cause;
  return rest;
}

function intervalDocument({ value, put, taken }: ValueInterval): JsonDocument {
  return {
    value: valueDocument(value),
    ...(put !== undefined && { put }),
    ...(taken !== undefined && { taken }),
  };
}

function holdDocument({ owner, lock, unlock }: Hold): JsonDocument {
  return { owner: valueDocument(owner), lock, ...(unlock !== undefined && { unlock }) };
}

function neighbours({ after, before }: Extract<MonitorCause, { kind: 'definitely free' }>): JsonDocument {
  return { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
}

function runDocument({ values, first, last }: Cluster): JsonDocument {
  return {
    values: values.map(valueDocument),
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
  };
}

function orderDocument({ order, state, answers, waits, refused }: Longest): JsonDocument {
  return {
    order: Array.from(order),
    state,
    ...(answers.length > 0 && { answers: answers.map(outcomeDocument) }),
    ...(waits && { waits }),
    ...refusedDocument(refused),
  };
}

const refusedDocument = (refused: readonly string[]): JsonDocument => (refused.length > 0 ? { refused } : {});

/** Values as our format writes them, so that none is lost. */
function outcomeDocument(outcome: Outcome): JsonDocument {
  if (outcome.kind === 'threw') return { threw: outcome.error };
  return { result: outcome.kind === 'returned' ? valueDocument(outcome.value) : null };
}

export const valueDocument = (value: unknown): unknown => JSON.parse(stringify(value ?? null));

/* A monitored stream: its progress, and the verdict. */

/** The progress. */
export function statusDocument({ file, status }: Watched): JsonDocument {
  const { verdict, ...counts } = status;
  return { file, soFar: verdict, ...counts };
}

/** The verdict. */
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
  const { lines } = history.tables;
  return {
    id,
    ...(object !== undefined && { object }),
    process,
    method,
    args: JSON.parse(stringify(args)) as unknown,
    ...(outcome.kind === 'returned' || outcome.kind === 'threw'
      ? outcomeDocument(outcome)
      : { [outcome.kind === 'failed' ? 'failed' : 'unknown']: outcome.reason ?? true }),
    ...(lines && { line: lines[id] }),
  };
}
