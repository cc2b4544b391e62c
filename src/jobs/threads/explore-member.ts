/** A thread that helps to explore (jobs/pool/remote-tests.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { inOwnTask } from '../../event-loop/own-task.js';
import { LostThreadError } from '../../execution/memory/program-error.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import { notes } from '../../explore/explore.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { loadScenario } from '../load/load-scenario.js';
import type { MemberAnswer, MemberData, MemberTask } from '../pool/explore-crew.js';
import { NamedTests, sentOf } from '../pool/remote-tests.js';

let tests: NamedTests | undefined;
const { file, options, stop, firstWrong, spuriousWakeups } = workerData as MemberData;

// what comes in while the scenario is loaded would be lost to any listener that it may have
parentPort?.on('message', (task: MemberTask) => {
  void loaded
    .then((scenario) => inOwnTask(() => answerTo(scenario, task)))
    .then((answer) => parentPort?.postMessage(answer));
});
const loaded = load();
await loaded;
parentPort?.postMessage('ready');

async function load(): Promise<Scenario> {
  const given = await loadScenario(file);
  return { ...given, backend: await inOwnTask(() => backendNameOf(given)), spuriousWakeups };
}

function answerTo(scenario: Scenario, task: MemberTask): MemberAnswer {
  const isVain = () => Atomics.load(stop, 0) !== 0 || Atomics.load(firstWrong, 0) < task.test;
  const patience = new Deadline(task.milliseconds, isVain);
  try {
    tests ??= new NamedTests(scenario, options);
    const matrix = tests.matrixOf(task, task.test);
    const explored = lineUp(scenario, matrix, { ...options, ...task.options }, patience);
    return { ...sentOf(explored), notes: notes() };
  } catch (error) {
    if (error instanceof LostThreadError) return { lost: error.message };
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
