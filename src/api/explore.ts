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
} from './access.js';
export { Agenda, type ExploredBatch, type SetAside, type Task } from './agenda.js';
export type { AsyncProgram } from './async/async-program.js';
export { backendOf } from './async/backend-of.js';
export { control } from './async/control.js';
export { inOwnTask } from './async/own-task.js';
export { callerAt } from './async/place.js';
export { StubFailed } from './async/stubs.js';
export type { Warnings } from './atomicity.js';
export type { Automaton } from './automaton.js';
export { type Batch, type BatchOptions, batchesOf } from './batches.js';
export { type Block, Blocks, comparePoints, NO_RUN, type Point, roundOf } from './blocks.js';
export type { HasContents } from './contents.js';
export { currentThread } from './current-thread.js';
export type { Coverage, Effort, Engine, Finding, Schedule } from './engine.js';
export { byBound, byClasses, byEither, bySamples, byStates } from './engines.js';
export { Execution } from './execution.js';
export {
  type Exploration,
  type ExploreOptions,
  explorationOf,
  explore,
  exploreTask,
  type Notes,
  notes,
} from './exploration.js';
export type { Explored, LineUpOptions, Violation } from './explored.js';
export { type Failure, type FailureStep, failureOf, failureText, parseFailure } from './failure.js';
export { Fingerprint } from './fingerprint.js';
export { Frames, type Level, type LoopCount } from './frames.js';
export { LearntAutomaton } from './learnt-automaton.js';
export { lineUp, programOfMatrix } from './line-up.js';
export type { LocationName } from './locations.js';
export { type Matrix, randomMatrices } from './matrix.js';
export { activeMemory, type Memory } from './memory.js';
export { type ObservationSet, parseObservations } from './observations/read.js';
export { observationsText } from './observations/write.js';
export { Patience } from './patience.js';
export { AtomicRef } from './primitives/atomic-ref.js';
export { Monitor } from './primitives/monitor.js';
export { Mutex } from './primitives/mutex.js';
export { Semaphore } from './primitives/semaphore.js';
export { yieldNow } from './primitives/yield-now.js';
export { type Call, type Coroutine, type Program, twinOf } from './program.js';
export { ProgramError } from './program-error.js';
export type { RacePlace, RacePlaces } from './race-places.js';
export { type Replayed, replayFailure } from './replay.js';
export {
  type Backend,
  type Chance,
  type Choice,
  type RoundControl,
  type Scenario,
  scenario,
} from './scenario.js';
export { ScenarioError } from './scenario-error.js';
export { Serial } from './serial.js';
export { type SerialHistory, SerialTrie } from './serial-trie.js';
export { shrink } from './shrink.js';
export { SpecAutomaton } from './spec-automaton.js';
export { PartialOrderSampling } from './strategies/partial-order-sampling.js';
export { Priorities } from './strategies/priorities.js';
export { RandomWalk } from './strategies/random-walk.js';
export type { Strategy } from './strategies/strategy.js';
export type { Stillness } from './stress/stillness.js';
export { checkRound, roundsOf, type Stressed, type StressOptions, stress } from './stress/stress.js';
export { serveRounds } from './stress/thread-client.js';
export { ThreadRounds } from './stress/thread-rounds.js';
export { isToken, parseToken, type TokenFailure, tokenOf } from './token.js';
export { trace } from './trace.js';
export type { Trace, TraceStep } from './traced.js';
export {
  type Called,
  type LoadOptions,
  loadTransformed,
  type Place,
  type PlainCall,
  type PlainProgram,
  type Problem,
  programOf,
  type Runtime,
  rewriteElements,
  rewriteRecorded,
  runtime,
  TransformError,
  transformed,
} from './transform/index.js';
export { LostThread } from './workers/lost-thread.js';
export { serveCalls, type ThreadData } from './workers/serve.js';
