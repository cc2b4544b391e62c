/** Objects of examples/meetings for threads, on real ones: as they are written, over memory that threads share. */
import { Worker } from 'node:worker_threads';
import { type Scenario, type Stillness, ThreadRounds } from 'straightedge/explore';
import { plainModule } from './examples.js';
import { type MeetingRow, moduleOf } from './meeting-rows.js';

/** The module that is loaded is transformed in any case, so it is one that only passes it on. */
const MODULE = 'meetings/real-threads/channel.scenario.ts';

export function onRealThreads(row: MeetingRow): Scenario {
  const moved = plainModule(MODULE) as { readonly onRealThreads: (scenario: Scenario) => Scenario };
  return moved.onRealThreads((plainModule(moduleOf(row)) as Record<string, Scenario>)[row.export]);
}

/** Rounds whose threads load the scenario of a row. */
export const roundsOf =
  (row: MeetingRow) =>
  (still: Stillness): ThreadRounds =>
    new ThreadRounds(
      () => new Worker(new URL('./meeting-thread.js', import.meta.url), { workerData: row }),
      still,
    );
