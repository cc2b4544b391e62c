/** A thread that helps to explore (explored-elsewhere.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { backendOf, inOwnTask, lineUp, notes, Patience } from '../explore/index.js';
import type { MemberAnswer, MemberData, MemberTask } from './explore-crew.js';
import { NamedTests, sentOf } from './explored-elsewhere.js';
import { loadScenario } from './load-scenario.js';

const { file, options, stop, firstWrong, spuriousWakeups } = workerData as MemberData;
const given = await loadScenario(file);
const scenario = { ...given, backend: await inOwnTask(() => backendOf(given)), spuriousWakeups };
const tests = new NamedTests(scenario, options);

parentPort?.on('message', (task: MemberTask) => {
  void inOwnTask(() => answerTo(task)).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage('ready');

function answerTo(task: MemberTask): MemberAnswer {
  const isVain = () => Atomics.load(stop, 0) !== 0 || Atomics.load(firstWrong, 0) < task.test;
  const patience = new Patience(task.milliseconds, isVain);
  try {
    const matrix = tests.matrixOf(task, task.test);
    const explored = lineUp(scenario, matrix, { ...options, ...task.options }, patience);
    return { ...sentOf(explored), notes: notes() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
