/** Rounds with threads of their own, for a scenario that has `attach`; others do with asynchronous clients. */
import { Worker } from 'node:worker_threads';
import { ownFile } from '../base/index.js';
import { type Scenario, type Stillness, ThreadRounds } from '../explore/index.js';

export function threadRounds(
  { attach }: Scenario,
  file: string,
): ((still: Stillness) => ThreadRounds) | undefined {
  const thread = () => new Worker(ownFile('#stress-client'), { workerData: { file } });
  return attach && ((still) => new ThreadRounds(thread, still));
}
