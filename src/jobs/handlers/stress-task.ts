/** Runs rounds of a stress run in a thread that has loaded the scenario as it is. Results are plain data. */
import { startWorker } from '../../base/start-worker.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import type { Stillness } from '../../stress/round.js';
import { type StressResult, stressWith } from '../../stress/stress.js';
import { ThreadRounds } from '../../stress/thread-rounds.js';
import { loadPlainScenario } from '../load/scenario.js';
import type { RoundsResult, StressTask } from '../model/task.js';

/** Loads a scenario. `onMove` is called after each round. */
export async function stressTasks(
  file: string,
  onMove: () => void,
): Promise<(task: StressTask) => Promise<RoundsResult>> {
  const scenario = await loadPlainScenario(file);
  return async ({ first, rounds, options }) =>
    toRoundsResult(
      await stressWith(
        scenario,
        { ...options, first, rounds, onProgress: onMove },
        threadRounds(scenario, file),
      ),
    );
}

/** Rounds on threads, for a scenario with `attach`. Others use asynchronous clients of this thread. */
export function threadRounds(
  { attach }: Scenario,
  file: string,
): ((still: Stillness) => ThreadRounds) | undefined {
  return attach && ((still) => new ThreadRounds(() => startWorker('#stress-client', { file }), still));
}

function toRoundsResult({ rounds, operations, undecided, unknown, failure }: StressResult): RoundsResult {
  return {
    rounds,
    operations,
    undecided,
    unknown: [...unknown],
    ...(failure && {
      failure: { round: failure.round, lines: [...writeJsonLines(failure.history)].join('') },
    }),
  };
}
