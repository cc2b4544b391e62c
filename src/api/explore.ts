/**
 * Explore schedules, replay, shrink and explain failures, stress; and the primitives that explored code may use.
 *
 * @module straightedge/explore
 */
export { StubFailure } from '../event-loop/stubs.js';
export { LostThreadError } from '../execution/memory/program-error.js';
export { AtomicRef } from '../execution/primitives/atomic-ref.js';
export { Monitor } from '../execution/primitives/monitor.js';
export { Mutex } from '../execution/primitives/mutex.js';
export { Semaphore } from '../execution/primitives/semaphore.js';
export { currentThread, yieldNow } from '../execution/primitives/thread.js';
export { type Exploration, type ExploreOptions, explore, trace } from '../explore/explore.js';
export { type Failure, parseFailure, replay } from '../explore/failure/failure.js';
export { shrink } from '../explore/failure/shrink.js';
export type { Coverage, Schedule } from '../explore/model/engine.js';
export type { Trace, TraceStep } from '../explore/model/trace-types.js';
export type { TestResult } from '../explore/result.js';
export type { TestCase } from '../explore/scenario/test-case.js';
export { loadInstrumented } from '../instrument/load.js';
export { InstrumentError } from '../instrument/syntax/source.js';
export { instrument } from '../instrument/vite-plugin.js';
export { type ExplainOptions, type Explanation, explain } from '../root-cause/explain.js';
export {
  findPatches,
  type Patch,
  type PatchOptions,
  type PatchSearch,
} from '../root-cause/patches/patches.js';
export { type StressOptions, type StressResult, stress } from '../stress/stress.js';
