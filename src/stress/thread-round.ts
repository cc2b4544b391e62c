/** One round in a thread: what it answers, or why it does not. */
import type { Worker } from 'node:worker_threads';
import { ScenarioError } from '../execution/scenario-error.js';
import type { ThreadMessage, ThreadRound } from './thread-client.js';

/** The names of errors whose meaning nobody has said. */
export function runInThread(worker: Worker, round: ThreadRound): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      worker.off('message', answered);
      worker.off('error', broken);
      worker.off('exit', ended);
      settle();
    };
    const broken = (error: Error): void => end(() => reject(error));
    const ended = (code: number): void =>
      broken(new ScenarioError(`a thread has ended itself, with exit code ${code}`));
    const answered = (message: ThreadMessage): void =>
      message.kind === 'failed'
        ? broken(new ScenarioError(message.message))
        : end(() => resolve(message.unknown));
    worker.on('message', answered);
    worker.on('error', broken);
    worker.on('exit', ended);
    worker.postMessage(round);
  });
}
