export type { SourcePosition } from '../base/source-position.js';
export { control } from '../event-loop/control.js';
export { inOwnTask } from '../event-loop/own-task.js';
export { StubFailure } from '../event-loop/stubs.js';
export {
  type Block,
  Blocks,
  comparePoints,
  NO_RUN,
  type Point,
  roundOf,
} from '../execution/atomic-blocks.js';
export { callerAt } from '../execution/callers.js';
export { Execution } from '../execution/execution.js';
export { Fingerprint } from '../execution/fingerprint.js';
export {
  type Access,
  access,
  CHOOSE,
  kindOf,
  LOCK,
  locationOf,
  NOTHING,
  NOTIFY,
  READ,
  UNLOCK,
  UPDATE,
  VERBS,
  WAIT,
  WRITE,
} from '../execution/memory/access.js';
export { Frames, type Level, type LoopCount } from '../execution/memory/call-frames.js';
export type { HasContents } from '../execution/memory/heap-walk.js';
export type { LocationName } from '../execution/memory/locations.js';
export { activeMemory, type Memory } from '../execution/memory/memory.js';
export { LostThreadError, ProgramError, ScenarioError } from '../execution/memory/program-error.js';
export { AtomicRef } from '../execution/primitives/atomic-ref.js';
export { Monitor } from '../execution/primitives/monitor.js';
export { Mutex } from '../execution/primitives/mutex.js';
export { Semaphore } from '../execution/primitives/semaphore.js';
export { currentThread, yieldNow } from '../execution/primitives/thread.js';
export { type Call, type Coroutine, coroutineName, type Program } from '../execution/program.js';
export { type AbandonedTest, Agenda, type ExploredBatch, type TestTask } from '../explore/agenda.js';
export type { AsyncProgram } from '../explore/async/program.js';
export { SpecAutomaton } from '../explore/automata/spec-automaton.js';
export type { LineUpOptions } from '../explore/backend.js';
export { type Batch, type BatchOptions, batchesOf } from '../explore/batches.js';
export { backendNameOf } from '../explore/choose-backend.js';
export type { Warnings } from '../explore/classes/atomicity.js';
export type { RacePlace, RacePlaces } from '../explore/classes/data-races.js';
export { byBound, byClasses, byEither, bySamples, byStates } from '../explore/engines/engines.js';
export type { Strategy } from '../explore/engines/sampling.js';
export { PartialOrderSampling } from '../explore/engines/sampling.js';
export {
  type Exploration,
  type ExploreOptions,
  explorationOf,
  explore,
  exploreTask,
  type Notes,
  notes,
} from '../explore/explore.js';
export {
  type Failure,
  type FailureStep,
  failureOf,
  failureText,
  isToken,
  parseFailure,
  parseToken,
  type ReplayResult,
  replayFailure,
  type TokenFailure,
  tokenOf,
} from '../explore/failure/failure.js';
export { shrink } from '../explore/failure/shrink.js';
export { type ObservationSet, parseObservations } from '../explore/learning/read-observations.js';
export { SequentialRuns } from '../explore/learning/sequential-runs.js';
export {
  LearnedAutomaton,
  type SequentialHistory,
  SequentialTrie,
} from '../explore/learning/sequential-trie.js';
export { observationsText } from '../explore/learning/write-observations.js';
export { lineUp } from '../explore/line-up.js';
export type { Automaton } from '../explore/model/automaton.js';
export { Deadline } from '../explore/model/deadline.js';
export type {
  Coverage,
  Engine,
  ExplorationStats,
  Schedule,
  ScheduleViolation,
} from '../explore/model/engine.js';
export type { Trace, TraceStep } from '../explore/model/trace-types.js';
export { serveCalls, type ThreadData } from '../explore/real-threads/serve.js';
export type { TestResult, Violation } from '../explore/result.js';
export {
  type BackendName,
  type Chance,
  type Choice,
  type RoundControl,
  type Scenario,
  scenario,
} from '../explore/scenario/scenario.js';
export { randomTests, type TestCase } from '../explore/scenario/test-case.js';
export type { ThreadBackend } from '../explore/thread-backend.js';
export { trace } from '../explore/trace/trace.js';
export { rewriteElements } from '../instrument/element-accesses.js';
export { type PlainCall, type PlainProgram, programOf } from '../instrument/instrumented-program.js';
export { type LoadOptions, loadInstrumented } from '../instrument/load.js';
export type { CalledFunction } from '../instrument/runtime/calls.js';
export { type Runtime, runtime } from '../instrument/runtime/runtime.js';
export { InstrumentError, type Problem } from '../instrument/syntax/source.js';
export { rewriteForTracing } from '../instrument/tracing-rewrite/rewrite.js';
export { instrument } from '../instrument/vite-plugin.js';
export type { Stillness } from '../stress/round.js';
export { checkRound, roundsOf, type StressOptions, type StressResult, stress } from '../stress/stress.js';
export { serveRounds } from '../stress/thread-client.js';
export { ThreadRounds } from '../stress/thread-rounds.js';
