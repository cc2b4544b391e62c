/** Rounds with threads of their own, for a scenario that has `attach`; others do with asynchronous clients. */
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../base/package-file.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { Stillness } from '../../stress/round.js';
import { ThreadRounds } from '../../stress/thread-rounds.js';

export function threadRounds(
  { attach }: Scenario,
  file: string,
): ((still: Stillness) => ThreadRounds) | undefined {
  const thread = () => new Worker(packageFile('#stress-client'), { workerData: { file } });
  return attach && ((still) => new ThreadRounds(thread, still));
}
