/** Some rounds of a stress run, in a thread that has loaded the scenario as it is. What came of them is plain data. */
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import { type StressResult, stressWith } from '../../stress/stress.js';
import { loadPlainScenario } from '../load/load-scenario.js';
import type { SentRounds, StressTask } from '../model/task.js';
import { threadRounds } from '../pool/thread-rounds.js';

/** Runs tasks of one scenario, and tells whenever a round is done. */
export async function stressTasks(
  file: string,
  onMove: () => void,
): Promise<(task: StressTask) => Promise<SentRounds>> {
  const scenario = await loadPlainScenario(file);
  return async ({ first, rounds, options }) =>
    sentOf(
      await stressWith(
        scenario,
        { ...options, first, rounds, onProgress: onMove },
        threadRounds(scenario, file),
      ),
    );
}

function sentOf({ rounds, operations, undecided, unknown, failure }: StressResult): SentRounds {
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
