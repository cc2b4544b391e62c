/**
 * A thread that helps to explore. It has the scenario for itself, since code can not be sent, and
 * finds each test by its number: the same scenario with the same seed has the same tests.
 */
import { parentPort, workerData } from 'node:worker_threads';
import {
  type Batch,
  backendOf,
  batchesOf,
  inOwnTask,
  lineUp,
  type Matrix,
  notes,
  Patience,
} from '../explore/index.js';
import type { MemberAnswer, MemberData, MemberTask } from './explore-crew.js';
import { loadScenario } from './load-scenario.js';

const { file, options, stop, firstWrong, spuriousWakeups } = workerData as MemberData;
const given = await loadScenario(file);
const scenario = { ...given, backend: await inOwnTask(() => backendOf(given)), spuriousWakeups };
const coming = batchesOf(scenario, options);
const batches: Batch[] = [];

parentPort?.on('message', (task: MemberTask) => {
  void inOwnTask(() => answerTo(task)).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage('ready');

function answerTo(task: MemberTask): MemberAnswer {
  const isVain = () => Atomics.load(stop, 0) !== 0 || Atomics.load(firstWrong, 0) < task.test;
  const patience = new Patience(task.milliseconds, isVain);
  try {
    const {
      matrix: _,
      program,
      ...explored
    } = lineUp(scenario, matrixOf(task), { ...options, ...task.options }, patience);
    const isUndetermined = explored.violation?.kind === 'nondeterminism';
    // the histories of a violation by nondeterminism can not be sent
    return {
      explored: isUndetermined ? { ...explored, violation: undefined } : explored,
      isUndetermined,
      notes: notes(),
    };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function matrixOf({ choice, threads, callsPerThread, test }: MemberTask): Matrix {
  const isIt = (batch: Batch) =>
    batch.choice === choice && batch.threads === threads && batch.callsPerThread === callsPerThread;
  let found = batches.find(isIt);
  while (found === undefined) {
    const batch = coming.next().value as Batch;
    batches.push(batch);
    if (isIt(batch)) found = batch;
  }
  return found.matrices[test];
}
