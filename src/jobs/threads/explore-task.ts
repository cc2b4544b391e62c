/** Some tests of an exploration, in a thread that has loaded the scenario and transformed it. What came of them is plain data. */
import { relative } from 'node:path';
import { inOwnTask } from '../../event-loop/own-task.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import { notes } from '../../explore/explore.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { loadScenario } from '../load/load-scenario.js';
import { moved } from '../model/code-mismatch.js';
import type { ExploreTask, TestsResult } from '../model/task.js';
import { NamedTests, sentOf } from '../pool/remote-tests.js';

/** So often may a test look at the clock, about every 2,000 steps: clocks of machines differ, counts do not. */
const LOOKS = 500;

/** Explores tasks of one scenario, and tells whenever something moves. */
export async function exploreTasks(
  file: string,
  onMove: () => void,
): Promise<(task: ExploreTask) => Promise<TestsResult>> {
  const given = await loadScenario(file);
  const scenario = { ...given, backend: await inOwnTask(() => backendNameOf(given)) };
  const known = new Map<string, NamedTests>();
  const exploredOf = ({ batch, tests, options, spuriousWakeups }: ExploreTask): TestsResult => {
    const key = JSON.stringify(options);
    const named = known.get(key) ?? new NamedTests(scenario, options);
    known.set(key, named);
    runtime.atomic.clear();
    runtime.controlled.clear();
    const sent = tests.map(({ test, options: own }) =>
      sentOf(
        lineUp(
          { ...scenario, spuriousWakeups },
          named.matrixOf(batch, test),
          { ...options, ...own },
          countedPatience(onMove),
        ),
      ),
    );
    return { tests: sent, notes: moved(notes(), (path) => relative('.', path)) };
  };
  return (task) => inOwnTask(() => exploredOf(task));
}

function countedPatience(onMove: () => void): Deadline {
  let looks = 0;
  const look = () => {
    looks++;
    onMove();
  };
  return new Deadline(LOOKS, undefined, look, () => looks);
}
