/** How an exploration stands, in a line: what is covered, how fast it goes, and how much time is left. */
import type { ExploredBatch } from '../../explore/agenda.js';

export function progressText(batches: readonly ExploredBatch[], ms: number, timeout: number): string {
  const batch = batches.at(-1);
  if (batch === undefined) return 'exploring';
  const explored = batches.flatMap((one) => one.explored);
  const executions = explored.reduce((sum, one) => sum + one.executions, 0);
  const left = Math.max(0, Math.round((timeout - ms) / 1_000));
  return [
    `exploring ${batch.threads}x${batch.callsPerThread}: ${batch.explored.length} of ${batch.matrices.length} tests`,
    `${explored.length} done`,
    // not known before the first test is done
    ...(executions > 0
      ? [`${Math.round((1_000 * executions) / ms).toLocaleString('en')} executions a second`]
      : []),
    `${left} s left`,
  ].join(', ');
}
