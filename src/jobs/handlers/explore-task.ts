/** Explores tests in a thread that has loaded and instrumented the scenario. Results are plain data. */
import { relative } from 'node:path';
import { inOwnTask } from '../../event-loop/own-task.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import { clearNotes, notes } from '../../explore/explore.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import { loadScenario } from '../load/scenario.js';
import { rebaseNotes } from '../model/code-mismatch.js';
import type { ExploreSetup, ExploreTask, TestsResult, ThreadData } from '../model/task.js';
import { NamedTests, toRemote } from '../pool/remote-tests.js';

/** Without a clock, a test may check its deadline this often, about every 2,000 steps. */
const DEADLINE_CHECKS = 500;

/** Loads a scenario. `onMove` is called whenever a test makes progress. */
export async function exploreTasks(
  { file, hasConfig, stop }: ThreadData,
  onMove: () => void,
): Promise<(task: ExploreTask) => Promise<TestsResult>> {
  const given = await loadScenario(file, hasConfig);
  const scenario = { ...given, backend: await inOwnTask(() => backendNameOf(given)) };
  const runs = new Map<string, { readonly tests: NamedTests; readonly setup: ExploreSetup }>();
  const exploreTests = ({ run, setup, batch, tests, time }: ExploreTask): TestsResult => {
    if (setup) runs.set(run, { tests: new NamedTests(scenario, setup.options), setup });
    const known = runs.get(run);
    if (!known) throw new Error(`the setup of run ${run} is missing`);
    const { options, spuriousWakeups } = known.setup;
    clearNotes();
    const results = tests.map(({ test, options: own }) => {
      const testCase = known.tests.testCaseOf(batch, test);
      const deadline = time ? timedDeadline(time, stop, onMove) : countedDeadline(onMove);
      return toRemote(lineUp({ ...scenario, spuriousWakeups }, testCase, { ...options, ...own }, deadline));
    });
    return { tests: results, notes: rebaseNotes(notes(), (path) => relative('.', path)) };
  };
  return (task) => inOwnTask(() => exploreTests(task));
}

function timedDeadline(
  { milliseconds, until }: NonNullable<ExploreTask['time']>,
  stop: ThreadData['stop'],
  onMove: () => void,
): Deadline {
  const left = Math.max(0, Math.min(milliseconds, until - Date.now()));
  return new Deadline(left, () => Atomics.load(stop, 0) !== 0, onMove);
}

function countedDeadline(onMove: () => void): Deadline {
  let checks = 0;
  const count = () => {
    checks++;
    onMove();
  };
  return new Deadline(DEADLINE_CHECKS, undefined, count, () => checks);
}
