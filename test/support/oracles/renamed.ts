/** Symmetry of threads that make the same calls: each can take the role of the other. */
import type { Execution } from '../../../src/execution/execution.js';
import type { ProgramResult } from './brute-force.js';

/** All results, and those obtained by exchanging symmetric threads. */
export function closeUnderSymmetry(
  results: readonly ProgramResult[],
  { symmetricThreads, threadOf }: Execution,
): readonly ProgramResult[] {
  const all = new Map(results.map((result) => [JSON.stringify(result), result]));
  const swaps = symmetricThreads.flatMap((other, thread) =>
    other < 0 ? [] : [swapOf(threadOf, thread, other)],
  );
  // iterating a map includes entries that are added meanwhile
  for (const result of all.values())
    for (const swap of swaps) {
      const other = swapThreads(result, swap);
      all.set(JSON.stringify(other), other);
    }
  return [...all.values()];
}

/** For each operation, the one that takes its place if two threads are exchanged. */
function swapOf(threadOf: Int32Array, thread: number, other: number): readonly number[] {
  const operationsOf = (which: number) => [...threadOf.keys()].filter((k) => threadOf[k] === which);
  const [one, two] = [operationsOf(thread), operationsOf(other)];
  return Array.from(threadOf, (which, k) => {
    if (which === thread) return two[one.indexOf(k)];
    return which === other ? one[two.indexOf(k)] : k;
  });
}

function swapThreads({ outcomes, pending, after }: ProgramResult, swap: readonly number[]): ProgramResult {
  const swapBits = (set: number) =>
    swap.reduce((bits, other, k) => (set & (1 << k) ? bits | (1 << other) : bits), 0);
  return {
    outcomes: swap.map((k) => outcomes[k]),
    pending: swapBits(pending),
    after: swap.map((k) => swapBits(after[k])),
  };
}
