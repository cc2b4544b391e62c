/**
 * Tests that a repair has to stand as well: random ones of the scenario's calls, with more calls than
 * the one that went wrong, by two threads and by three.
 */
import { type Matrix, randomMatrices } from '../explore/scenario/matrix.js';
import type { Scenario } from '../explore/scenario/scenario.js';

export function largerTests(scenario: Scenario, failing: Matrix, seed: number, samples: number): Matrix[] {
  const { threads, before, after } = failing;
  const calls = new Map(threads.flat().map((call) => [JSON.stringify(call), call]));
  const chosen: Scenario = {
    ...scenario,
    test: undefined,
    calls: scenario.calls.length > 0 ? scenario.calls : [...calls.values()],
    before,
    after,
  };
  const larger = threads.flat().length + 1;
  return [2, 3].flatMap((count) =>
    randomMatrices(
      chosen,
      { threads: count, callsPerThread: Math.ceil(larger / count) },
      Math.ceil(samples / 2),
      seed,
    ),
  );
}
