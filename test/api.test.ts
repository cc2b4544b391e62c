/** The public API: a new export is a decision, so it is entered here; and every export is described. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ourselves } from '../src/config/load-module.js';
import { exportsOf, SUBPATHS, type Subpath, specifierOf } from './support/fixtures/public-api.js';

interface Names {
  readonly values: string;
  readonly types: string;
}

const EXPORTS: Readonly<Record<Subpath, Names>> = {
  index: {
    values: `
      FileLog HistoryBuilder HistoryError InputError LinearizabilityError MemoryLog NotCoveredError OnlineMonitor
      OptionError ScenarioError ScenarioViolationError ScheduleError SpecError assertHolds
      assertLinearizable blocked check checkEverySchedule defineConfig draw measureConsistency mergeLogs oneOf record reference refuse result returns scenario sketch
      threw verifyCause verifyWitness withContext`,
    types: `
      Annotation AnyObject AssertOptions AnySpec Cause CheckOptions Config Consistency ConsistencyOptions Counterexample Effects EverySchedule
      EveryScheduleOptions Family History
      HistoryEvent HoldOptions Limits Log Methods OneOf OnlineMonitorOptions OnlineStatus
      OnlineVerdict OnlineViolation Operation OperationContext Outcome PartKey RecordOptions RecordedCall
      ReferenceOptions Refused ResultReference Scenario ScheduleContext Spec Transition SyncSpec Threw Timestamp Verdict Witness`,
  },
  objects: {
    values: `
      barrier broadcast casRegister channel closeableChannel combiningBarrier counter counterChannel
      deque enrollableBarrier event exchanger exclusive fetchAndAdd filterChannel latch map mapPrevious multiset
      mutex ownedMutex priorityQueue queue register semaphore set stack terminatingQueue
      timeoutChannel timeoutExchanger txnMap`,
    types: `
      Barrier Broadcast CasRegister Channel CloseableChannel CombiningBarrier CombiningBarrierOptions
      ContainerOptions Counter CounterChannel CounterOptions Deque EmptyOption EnrollableBarrier
      EventObject EventOptions Exchanger Exclusive ExclusiveOptions FetchAndAdd FilterChannel FilterChannelOptions Latch
      LatchOptions MapObject MapOptions MapPrevious Multiset Mutex OwnedMutex PartiesOptions Priority
      PriorityQueue Queue Register RegisterOptions Semaphore SemaphoreOptions SetObject SetOptions
      Stack TerminatingQueue TimeoutChannel TimeoutExchanger TxnAction TxnMap TxnResult`,
  },
  explore: {
    values: `
      AtomicRef InstrumentError LostThreadError Monitor Mutex Semaphore StubFailure currentThread
      explain explore findPatches instrument loadInstrumented parseFailure replay shrink stress trace yieldNow`,
    types: `
      Coverage ExplainOptions Explanation Exploration ExploreOptions Failure Patch PatchOptions PatchSearch Schedule StressOptions
      StressResult TestCase TestResult Trace TraceStep`,
  },
  kits: {
    values: `
      barrierKit batcherKit cacheKit channelKit circuitBreakerKit conditionKit debounceKit eventKit jobQueueKit latchKit
      memoKit mutexKit onceKit poolKit queueKit rateLimiterKit readWriteLockKit semaphoreKit throttleKit`,
    types: `
      BarrierAdapter BatcherAdapter CacheAdapter CircuitBreakerAdapter CircuitOptions ConditionAdapter DelayAdapter
      EventAdapter Job JobQueueAdapter Kit KitOptions LatchAdapter Load MemoAdapter MutexAdapter OnceAdapter PoolAdapter
      PoolFactory PoolResource QueueAdapter RateLimit RateLimiterAdapter ReadWriteLockAdapter SemaphoreAdapter`,
  },
  formats: {
    values: `
      EventReader FormatError WriteError jepsenAdapter parseHistory readHistory readTogether
      recordMaps writeJepsenEdn writeJsonLines`,
    types: 'HistoryRecord JepsenAdapter JepsenFunction JepsenNames ReadOptions RecordMap',
  },
  report: {
    values: `
      explorationHtml explorationJson explorationText githubReport htmlReport jsonReport junitReport
      sarifReport textReport toDiagnostic`,
    types: 'CheckedHistory Diagnostic Style',
  },
  vitest: {
    values: 'everySchedule matchers testScenario',
    types: '',
  },
  jest: {
    values: 'everySchedule matchers testScenario',
    types: '',
  },
  'node-test': {
    values: 'everySchedule testScenario',
    types: '',
  },
};

const listed = (names: string): string[] =>
  names
    .split(/\s+/)
    .filter((name) => name !== '')
    .sort();

describe.each(SUBPATHS)('%s', (subpath) => {
  const all = exportsOf(subpath);
  const named = (isType: boolean): string[] =>
    all
      .filter((own) => own.isType === isType)
      .map(({ name }) => name)
      .sort();

  test('exports the listed names', () => {
    const { values, types } = EXPORTS[subpath];
    expect(named(false)).toEqual(listed(values));
    expect(named(true)).toEqual(listed(types));
  });

  test('every export has a doc comment, and every function an example', () => {
    const undocumented = all.filter(({ doc }) => doc === '').map(({ name }) => name);
    const withoutExample = all
      .filter(({ isFunction, examples }) => isFunction && examples.length === 0)
      .map(({ name }) => name);
    expect({ undocumented, withoutExample }).toEqual({ undocumented: [], withoutExample: [] });
  });
});

test('package.json exports these subpaths', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    exports: Record<string, string>;
  };
  const specifiers = Object.keys(exports).map((path) => `straightedge${path.slice(1)}`);
  expect(specifiers.sort()).toEqual([...SUBPATHS.map(specifierOf), 'straightedge/package.json'].sort());
});

/** They belong to a test runner, which loads them itself. */
const OF_RUNNERS: readonly Subpath[] = ['vitest', 'jest', 'node-test'];

test('a scenario that imports one of the others gets the running copy', async () => {
  const others = SUBPATHS.filter((subpath) => !OF_RUNNERS.includes(subpath));
  expect(Object.keys(await ourselves()).sort()).toEqual(others.map(specifierOf).sort());
});
