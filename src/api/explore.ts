/**
 * Explore schedules, replay, shrink and explain failures, stress; and the primitives that explored code may use.
 *
 * @module straightedge/explore
 */
export { StubFailure } from '../event-loop/stubs.js';
export { LostThreadError } from '../execution/memory/program-error.js';
export { AtomicRef } from '../execution/primitives/atomic-ref.js';
export { currentThread, Monitor, Mutex, Semaphore, yieldNow } from '../execution/primitives/locks.js';
export { type Exploration, type ExploreOptions, explore, trace } from '../explore/explore.js';
export { type Failure, parseFailure, replay } from '../explore/failure/failure.js';
export { shrink } from '../explore/failure/shrink.js';
export type { Coverage, Schedule } from '../explore/model/engine.js';
export type { Trace, TraceStep } from '../explore/model/trace-types.js';
export type { TestResult } from '../explore/result.js';
export type { TestCase } from '../explore/scenario/test-case.js';
export { instrument, loadInstrumented } from '../instrument/load.js';
export { InstrumentError } from '../instrument/syntax/source.js';
export { type ExplainOptions, type Explanation, explain } from '../root-cause/explain.js';
export {
  findPatches,
  type Patch,
  type PatchOptions,
  type PatchSearch,
} from '../root-cause/patches/patches.js';
export { type StressOptions, type StressResult, stress } from '../stress/stress.js';
