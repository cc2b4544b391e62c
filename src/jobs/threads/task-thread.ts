/**
 * The thread that does tasks of one scenario: it loads it once and then does what it is told to.
 *
 * It lives as long as tasks are of the same code, since to load and transform takes longer than most tasks. A scenario may do
 * anything in here: whoever began this thread keeps the connection, and ends it when it falls silent.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { EXPLORER_ERRORS } from '../model/explorer-errors.js';
import type { ThreadData, ThreadMessage } from '../model/task.js';
import { exploreTasks } from './explore-task.js';
import { stressTasks } from './stress-task.js';

/** Milliseconds between two signs. */
const SIGN_EVERY = 200;

const post = (message: ThreadMessage): void => parentPort?.postMessage(message);
const { kind, file } = workerData as ThreadData;
let last = performance.now();
const sign = (): void => {
  if (performance.now() - last < SIGN_EVERY) return;
  last = performance.now();
  post({ kind: 'moves' });
};

try {
  const load: (file: string, onMove: () => void) => Promise<(task: never) => Promise<unknown>> =
    kind === 'explore' ? exploreTasks : stressTasks;
  const resultOf = await load(file, sign);
  parentPort?.on('message', (task: unknown) => {
    resultOf(task as never).then(
      (result) => post({ kind: 'done', result }),
      (error: unknown) => post(refusal(error)),
    );
  });
  post({ kind: 'loaded' });
} catch (error) {
  post(refusal(error));
}

function refusal(error: unknown): ThreadMessage {
  if (!(error instanceof Error)) return { kind: 'refused', message: String(error) };
  const isTheirs = [UsageError, ...EXPLORER_ERRORS].some((one) => error instanceof one);
  return { kind: 'refused', message: isTheirs ? printable(error.message) : (error.stack ?? error.message) };
}
