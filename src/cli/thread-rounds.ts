/** Rounds with threads of their own, for a scenario that has `attach`; others do with asynchronous clients. */
import { Worker } from 'node:worker_threads';
import { ownFile } from '../base/index.js';
import { type Scenario, ThreadRounds } from '../explore/index.js';

/** Milliseconds. */
const WATCHDOG = 2_000;

export function threadRounds(
  { attach }: Scenario,
  file: string,
  watchdog: number = WATCHDOG,
): ThreadRounds | undefined {
  const thread = () => new Worker(ownFile('#stress-client'), { workerData: { file } });
  return attach && new ThreadRounds(thread, watchdog);
}
