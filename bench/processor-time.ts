/**
 * Milliseconds that the processor has spent on this process: its threads that collect garbage and
 * compile count too, other processes do not. The clock on the wall tells of a busy machine instead.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
