/**
 * Thread entry: runs tasks of one scenario, which it loads once.
 *
 * The scenario may do anything in here. The parent keeps every connection, and terminates the thread when it makes no
 * progress.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { InputError, isReadableError, thrownText } from '../../base/errors.js';
import { divertStandardOutput } from '../../base/system-files.js';
import { LostThreadError } from '../../execution/memory/program-error.js';
import { stressTasks } from '../handlers/stress-job.js';
import { inputErrorText } from '../model/limit-exceeded.js';
import type { ScenarioTask, ThreadData, ThreadMessage } from '../model/task.js';
import { exploreTasks } from '../pool/explore-tests.js';

/** Milliseconds between two signs of progress. */
const SIGN_INTERVAL = 200;

type RunTask = (task: never) => Promise<unknown>;

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
const data = workerData as ThreadData;
divertStandardOutput();
let lastSign = performance.now();
const sign = (): void => {
  if (performance.now() - lastSign < SIGN_INTERVAL) return;
  lastSign = performance.now();
  post({ kind: 'moves' });
};

// a task that arrives while the scenario is loaded waits for it
const loaded: Promise<RunTask> =
  data.kind === 'explore' ? exploreTasks(data, sign) : stressTasks(data.file, sign);
parentPort?.on('message', (task: ScenarioTask) => {
  void loaded
    .then((run) => run(task as never))
    .then(
      (result) => post({ kind: 'done', result }),
      (error: unknown) => post(failure(error)),
    );
});
loaded.then(
  () => post({ kind: 'loaded' }),
  (error: unknown) => post(failure(error)),
);

function failure(error: unknown): ThreadMessage {
  if (!isReadableError(error)) return { kind: 'refused', message: thrownText(error) };
  if (error instanceof LostThreadError) return { kind: 'abandoned', reason: error.message };
  const message = error instanceof InputError ? inputErrorText(error) : (error.stack ?? error.message);
  return { kind: 'refused', message };
}
