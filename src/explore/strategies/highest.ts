/** The enabled thread (a bit of `enabled`) with the highest priority; threads are positions. */
export function highest(priorities: readonly number[], enabled: number): number {
  let best = -1;
  for (let thread = 0; thread < priorities.length; thread++)
    if (enabled & (1 << thread) && (best < 0 || priorities[thread] > priorities[best])) best = thread;
  return best;
}
