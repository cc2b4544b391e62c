/** The front door: record or read a history, write a spec, check. */
export type { Algorithm } from '../check/algorithms.js';
export { type CheckOptions, check } from '../check/check.js';
export type { EarlyViolation } from '../check/decide/part-check.js';
export type { ParallelOptions } from '../check/decide/search-helpers.js';
export type { Limits, Progress } from '../check/model/budget.js';
export type { Hold, MonitorCause, ValueInterval } from '../check/model/monitor-causes.js';
export {
  isRendezvousCause,
  type LongestRendezvous,
  type RendezvousCause,
} from '../check/model/rendezvous-causes.js';
export type {
  Cause,
  Counterexample,
  Fault,
  LimitReason,
  Longest,
  SearchStats,
  Unfinished,
  Verdict,
  Wait,
  Witness,
} from '../check/model/verdict.js';
export { verifyCause } from '../check/monitors/registry.js';
export {
  OnlineMonitor,
  type OnlineMonitorOptions,
  type OnlineStatus,
} from '../check/online/monitor.js';
export type { SpecOf } from '../check/parts/parts.js';
export type { AnySpecOf } from '../check/rendezvous/split-objects.js';
export { AlgorithmError } from '../check/search/choose-search.js';
export type { OnlineVerdict, OnlineViolation, Unmonitored } from '../check/stream/violation.js';
export { verifyWitness } from '../check/verify-witness.js';
export { type Config, defineConfig } from '../config/define-config.js';
export { ScenarioError } from '../execution/memory/program-error.js';
export { AtomicRef } from '../execution/primitives/atomic-ref.js';
export { Monitor } from '../execution/primitives/monitor.js';
export { Mutex } from '../execution/primitives/mutex.js';
export { Semaphore } from '../execution/primitives/semaphore.js';
export { currentThread, yieldNow } from '../execution/primitives/thread.js';
export { type Scenario, scenario } from '../explore/scenario/scenario.js';
export { type CallOf, HistoryBuilder, type TimedOperation } from '../history/builder/builder.js';
export { draw } from '../history/drawing/draw.js';
export { sketch } from '../history/drawing/sketch.js';
export { History } from '../history/history.js';
export {
  type CallEvent,
  type EndEvent,
  EventError,
  HistoryError,
  type HistoryEvent,
} from '../history/model/event.js';
export type { Annotation, AnyObject, Methods, Operation, Outcome } from '../history/model/operation.js';
export type { Timestamp } from '../history/model/timestamps.js';
export type { HoldOptions } from '../integrations/run-scenario.js';
export { assertHolds, ScenarioViolationError } from '../integrations/test-of.js';
export { FileLog } from '../record/file-log.js';
export type { ClassifyError, ErrorMeaning } from '../record/log.js';
export { type Log, MemoryLog, mergeLogs, type RecordedCall } from '../record/log.js';
export { type RecordOptions, record } from '../record/record.js';
export { assertLinearizable, LinearizabilityError } from '../report/assert.js';
export { type MethodsOf, type ReferenceOptions, reference } from '../spec/reference.js';
export { type AnySpec, isSyncSpec, type Pair, type SyncSpec } from '../spec/rendezvous/sync-spec.js';
export {
  blocked,
  type Family,
  type IsCalled,
  type OneOf,
  oneOf,
  type PartKey,
  type Refused,
  refuse,
  returns,
  type Spec,
  SpecError,
  type Step,
  type Threw,
  threw,
} from '../spec/spec.js';
