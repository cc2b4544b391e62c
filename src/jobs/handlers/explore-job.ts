/** `explore` in its thread: loads and explores a scenario, shrinks and saves a failure, and writes the report. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { writeWhole } from '../../base/system-files.js';
import { printable } from '../../base/values/show.js';
import { type LostFile, tryToWrite, UsageError } from '../../config/usage-error.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { ExploredBatch } from '../../explore/agenda.js';
import type { LineUpOptions } from '../../explore/backend.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import { type Exploration, proveFirst, withProof } from '../../explore/explore.js';
import { failureOf, failureText, tokenOf } from '../../explore/failure/failure.js';
import { SHRINKING, shrinkSync } from '../../explore/failure/shrink.js';
import { type ObservationSet, parseObservations } from '../../explore/learning/read-observations.js';
import { observationsText } from '../../explore/learning/write-observations.js';
import { Deadline } from '../../explore/model/deadline.js';
import { isCovered, type TestResult } from '../../explore/result.js';
import { hasFixedTests, type Scenario } from '../../explore/scenario/scenario.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { ExplorationReport } from '../../report/common/report-types.js';
import { hasRendezvous, isLearned } from '../../report/common/verdict-words.js';
import { explorationDiagnostic } from '../../report/diagnostic.js';
import { explorationHtml } from '../../report/html/page.js';
import { explorationJson } from '../../report/json/exploration-json.js';
import { faultText } from '../../report/sentences/root-cause.js';
import { explorationText, isSufficient } from '../../report/text/exploration.js';
import { sources } from '../../report/text/interleaving.js';
import { styleOf } from '../../report/text/style.js';
import { explainSync } from '../../root-cause/explain.js';
import { accessTrace } from '../../root-cause/repairs/access-trace.js';
import { loadScenario } from '../load/scenario.js';
import { type ExploreJob, type ExploreReply, type Message, NO_TIME_LIMIT } from '../model/job.js';
import { exploreBy } from '../pool/explore-tests.js';
import { ThreadExecutor } from '../pool/thread-executor.js';
import { RedisExecutor } from '../redis/executor.js';
import { FOLDER, saveNumbered, withHtml } from './read-job.js';

/** Finds the root cause of a failure, with the source lines that the report shows. An exception never loses the failure. */
export function explained(
  scenario: Scenario,
  result: TestResult,
  options: LineUpOptions,
  deadline: Deadline,
  save: (result: TestResult) => string | undefined,
): Pick<ExplorationReport, 'explained' | 'explainFault'> {
  const { test, backend, violation } = result;
  if (violation === undefined || violation.kind === 'nondeterminism') return {};
  const lines = new Map<string, readonly string[]>();
  try {
    const shown = accessTrace(backend.trace(violation.schedule), true);
    const explanation = explainSync({ ...scenario, backend: backend.name }, test, shown, options, deadline);
    const { tests, reason } = explanation;
    const others = tests.map((one) => one.result);
    if (reason !== undefined && 'failing' in reason && reason.failing) others.push(reason.failing.result);
    const saved = new Map<TestResult, string>();
    for (const other of others) {
      const path = save(other);
      if (path !== undefined) saved.set(other, path);
    }
    return {
      explained: {
        explanation,
        saved,
        placeOf: (site) => runtime.sites.placeOf(site),
        linesOf: (file) => {
          if (!lines.has(file)) lines.set(file, readFileSync(file, 'utf8').split('\n'));
          return lines.get(file)!;
        },
      },
    };
  } catch (error) {
    return { explainFault: faultText(error) };
  }
}

/** Coverage, speed and remaining time, in one line. */
function progressText(batches: readonly ExploredBatch[], ms: number, timeout: number): string {
  const batch = batches.at(-1);
  if (batch === undefined) return 'exploring';
  const explored = batches.flatMap((one) => one.results);
  const executions = explored.reduce((sum, one) => sum + one.executions, 0);
  const left = Math.max(0, Math.round((timeout - ms) / 1_000));
  return [
    `exploring ${batch.threads}x${batch.callsPerThread}: ${batch.results.length} of ${batch.tests.length} tests`,
    `${explored.length} done`,
    // unknown before the first test has finished
    ...(executions > 0
      ? [`${Math.round((1_000 * executions) / ms).toLocaleString('en')} executions per second`]
      : []),
    ...(timeout < NO_TIME_LIMIT ? [`${left} s left`] : []),
  ].join(', ');
}

/** Observation files hold the results of sequential runs, to compare versions of an object. */
function readObservations(file: string): ObservationSet[] {
  try {
    return parseObservations(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof ScenarioError) throw new ScenarioError(`${file}: ${error.message}`);
    throw error;
  }
}

function expectToLearn(scenario: Scenario): void {
  if (!isLearned(scenario))
    throw new UsageError(
      'a scenario with a spec learns nothing from sequential runs; remove --write-observations',
    );
}

interface Saved {
  readonly path: string;
  readonly token: string;
}

/** Writes `.straightedge/failure-N.json`. Undefined if the failure cannot be saved. */
function saveFailure(scenario: string, explored: TestResult): Saved | undefined {
  const failure = failureOf(relative(FOLDER, scenario).replaceAll('\\', '/'), explored);
  const text = failure && failureText(failure);
  if (failure === undefined || text === undefined) return undefined;
  return { path: saveNumbered('failure', 'json', text), token: tokenOf(failure) };
}

/** The path of a failure that was saved; undefined if it cannot be. */
export function savedPath(scenario: string, explored: TestResult): string | undefined {
  let saved: Saved | undefined;
  tryToWrite(FOLDER, () => {
    saved = saveFailure(scenario, explored);
  });
  return saved?.path;
}

const PROGRESS_EVERY = 100;
/** Milliseconds in which one thread explores alone: loading the scenario in another takes about as long. */
const HEAD_START = 1_500;
/** Shares of the time: to explore if a failure is to be explained, and of the rest to explain it. */
const EXPLORING = 0.6;
const EXPLAINING = 0.9;

export async function exploreJob(asked: ExploreJob, post: (message: Message) => void): Promise<ExploreReply> {
  const begin = performance.now();
  const tell = (text: string) => post({ kind: 'progress', text });
  tell(`loading ${asked.file}`);
  const given = await loadScenario(asked.file, asked.hasConfig, asked.isExplained);
  const scenario = {
    ...given,
    backend: await inOwnTask(() => backendNameOf(given)),
    spuriousWakeups: given.spuriousWakeups || asked.spuriousWakeups,
  };
  if (asked.writeObservations !== undefined) expectToLearn(given);
  const { threads, callsPerThread, prove } = asked.options;
  if (hasFixedTests(given) && !prove && (threads !== undefined || callsPerThread !== undefined))
    post({
      kind: 'news',
      text: printable(`${asked.file} lists its tests: --threads and --calls-per-thread have no effect on it`),
    });
  const observed = asked.observations === undefined ? undefined : readObservations(asked.observations);
  const options = {
    ...asked.options,
    maxExecutions: asked.requiredExecutions,
    observed,
    isObserving: asked.writeObservations !== undefined,
  };
  const job = { ...asked, options };
  const left = () => job.limits.timeout - (performance.now() - begin);
  let last = 0;
  const watched = {
    ...options,
    timeout: job.isExplained ? EXPLORING * left() : left(),
    shouldStop: () => Atomics.load(job.stop, 0) !== 0,
    onProgress: (batches: readonly ExploredBatch[]) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      tell(progressText(batches, now - begin, job.limits.timeout));
    },
  };
  const executor = job.redis
    ? new RedisExecutor(job.redis)
    : new ThreadExecutor({
        threads: job.jobs,
        bytes: job.limits.maxMemory,
        stop: job.stop,
        startAfter: HEAD_START,
      });
  const keepGoing = job.redis?.keepGoing;
  const first = await inOwnTask(() => {
    if (options.prove) tell('visiting states');
    return proveFirst(scenario, options, new Deadline(watched.timeout, watched.shouldStop));
  });
  const exploration =
    first?.exploration ??
    withProof(
      await exploreBy(
        executor,
        scenario,
        job,
        { ...watched, timeout: job.isExplained ? EXPLORING * left() : left(), keepGoing },
        (text) => post({ kind: 'news', text }),
      ),
      first?.proof,
    );
  const { writeObservations: file } = job;
  const observations = exploration.results.flatMap((one) => one.observations ?? []);
  const unwritten =
    file === undefined ? undefined : tryToWrite(file, () => writeWhole(file, observationsText(observations)));
  const explore = round(performance.now() - begin);
  const failure = await inOwnTask(() => failureReport(exploration, job, left, post));
  const report: ExplorationReport = {
    file: job.file,
    exploration,
    failure: undefined,
    saved: undefined,
    sourceOf: sources(),
    requiredExecutions: job.requiredExecutions,
    ...failure,
    ms: { explore, ...failure?.ms },
  };
  const answer: ExploreReply = {
    kind: 'explored',
    verdict: exploration.verdict,
    reason: exploration.reason,
    isSufficient: isSufficient(report),
    isComplete: isComplete(exploration, job.options.maxPreemptions),
    ...((job.json || job.isReported) && { document: explorationJson(report) }),
    ...((!job.json || job.isReported) && { text: explorationText(report, styleOf(job.style)) }),
    ...(job.isReported && {
      finding: explorationDiagnostic({
        ...report,
        outcome: exploration.verdict === 'holds' ? 'linearizable' : exploration.verdict,
        text: explorationText(report, styleOf({})),
        seconds: (performance.now() - begin) / 1_000,
        isRendezvous: hasRendezvous(exploration.scenario),
        trace: report.failure?.trace,
      }),
    }),
    unwritten: [unwritten, failure?.unsaved].filter((fault) => fault !== undefined),
  };
  return withHtml(answer, job.html, () => explorationHtml(report), post);
}

/** Was every schedule of every test explored? Otherwise another run, or more time, may cover more. */
const isComplete = ({ batches }: Exploration, maxPreemptions: number | undefined): boolean =>
  batches.every(
    ({ results, tests }) =>
      results.length === tests.length && results.every((one) => isCovered(one, maxPreemptions)),
  );

type FailureParts = Pick<ExplorationReport, 'failure' | 'saved' | 'explained' | 'explainFault'> & {
  readonly ms: { readonly shrink: number; readonly explain?: number };
  /** Why the failure is not saved. */
  readonly unsaved?: LostFile | undefined;
};

/** Shrinks and saves a violation, and explains it if requested. */
function failureReport(
  { results: tests, scenario, seed }: Exploration,
  job: ExploreJob,
  left: () => number,
  post: (message: Message) => void,
): FailureParts | undefined {
  const found = tests.find(({ violation }) => violation !== undefined);
  if (found?.violation === undefined) return undefined;
  const begin = performance.now();
  const interrupted = () => Atomics.load(job.stop, 0) !== 0;
  const options = { ...job.options, seed };
  post({
    kind: 'found',
    part: '',
    operation: 0,
    property: 'safety',
    call: callOf(found),
    isRendezvous: hasRendezvous(scenario),
  });
  post({ kind: 'progress', text: 'minimising the failure' });
  const explored = shrinkSync(scenario, found, options, new Deadline(SHRINKING, interrupted));
  const { violation = found.violation, backend } = explored;
  let saved: Saved | undefined;
  const unsaved = tryToWrite(FOLDER, () => {
    saved = saveFailure(job.file, explored);
  });
  const parts = {
    failure: {
      explored,
      trace: violation.kind === 'nondeterminism' ? undefined : backend.trace(violation.schedule),
    },
    saved,
    unsaved,
  };
  const small = performance.now();
  const ms = { shrink: round(small - begin) };
  if (!job.isExplained) return { ...parts, ms };
  post({ kind: 'progress', text: 'searching for the root cause' });
  const deadline = new Deadline(EXPLAINING * left(), interrupted);
  const cause = explained(scenario, explored, options, deadline, (other) => savedPath(job.file, other));
  return { ...parts, ...cause, ms: { ...ms, explain: round(performance.now() - small) } };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

/** The methods of each thread, in case there is no time to report more. */
const callOf = ({ test }: TestResult): string =>
  test.threads.map((calls) => calls.map(([method]) => method).join(', ')).join(' | ');
