/**
 * Check recorded histories, record and monitor objects, write specs and scenarios.
 *
 * @module straightedge
 */
export { InputError, OptionError } from '../base/errors.js';
export { type ResultReference, result } from '../base/values/result-reference.js';
export { type CheckOptions, check } from '../check/check.js';
export type { Limits } from '../check/model/budget.js';
export type { Cause, Counterexample, Verdict, Witness } from '../check/model/verdict.js';
export { verifyCause } from '../check/monitors/registry.js';
export {
  OnlineMonitor,
  type OnlineMonitorOptions,
  type OnlineStatus,
} from '../check/online/monitor.js';
export type { OnlineVerdict, OnlineViolation } from '../check/stream/monitor.js';
export { verifyWitness } from '../check/verify-witness.js';
export { type Config, defineConfig } from '../config/load-config.js';
export {
  type Consistency,
  type ConsistencyOptions,
  measureConsistency,
} from '../consistency/measure.js';
export { ScenarioError } from '../execution/memory/program-error.js';
export type { ScheduleContext } from '../explore/async/test-body.js';
export { type Scenario, scenario } from '../explore/scenario/scenario.js';
export { HistoryBuilder } from '../history/builder/builder.js';
export { draw, sketch } from '../history/drawing/sketch.js';
export type { History } from '../history/history.js';
export type { Annotation, AnyObject, Methods, Operation, Outcome } from '../history/model/operation.js';
export { HistoryError, type HistoryEvent } from '../history/model/operation.js';
export type { Timestamp } from '../history/model/timestamps.js';
export {
  checkEverySchedule,
  type EverySchedule,
  type EveryScheduleOptions,
  ScheduleError,
} from '../integrations/every-schedule.js';
export {
  assertHolds,
  type HoldOptions,
  NotCoveredError,
  ScenarioViolationError,
} from '../integrations/run-scenario.js';
export { FileLog, type Log, MemoryLog, mergeLogs, type RecordedCall } from '../record/log.js';
export { type RecordOptions, record } from '../record/record.js';
export { type AssertOptions, assertLinearizable, LinearizabilityError } from '../report/assert.js';
export { type ReferenceOptions, reference } from '../spec/reference.js';
export type { AnySpec, SyncSpec } from '../spec/rendezvous/sync-spec.js';
export {
  blocked,
  type Effects,
  type Family,
  type OneOf,
  type OperationContext,
  oneOf,
  type PartKey,
  type Refused,
  refuse,
  returns,
  type Spec,
  SpecError,
  type Threw,
  type Transition,
  threw,
  withContext,
} from '../spec/spec.js';
