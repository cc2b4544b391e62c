/** Endings with other names for threads that make the same calls: what one does the other could have done. */
import type { Execution } from '../../../src/execution/execution.js';
import type { Ending } from './brute-force.js';

/** All endings, and those that they are when two such threads, or more, change places. */
export function renamed(
  endings: readonly Ending[],
  { symmetricThreads, threadOf }: Execution,
): readonly Ending[] {
  const all = new Map(endings.map((ending) => [JSON.stringify(ending), ending]));
  const swaps = symmetricThreads.flatMap((other, thread) =>
    other < 0 ? [] : [swapOf(threadOf, thread, other)],
  );
  // a map goes on with what is added meanwhile
  for (const ending of all.values())
    for (const swap of swaps) {
      const other = swapped(ending, swap);
      all.set(JSON.stringify(other), other);
    }
  return [...all.values()];
}

/** Operation to the one that takes its place when two threads change theirs. */
function swapOf(threadOf: Int32Array, thread: number, other: number): readonly number[] {
  const operationsOf = (which: number) => [...threadOf.keys()].filter((k) => threadOf[k] === which);
  const [one, two] = [operationsOf(thread), operationsOf(other)];
  return Array.from(threadOf, (which, k) => {
    if (which === thread) return two[one.indexOf(k)];
    return which === other ? one[two.indexOf(k)] : k;
  });
}

function swapped({ outcomes, pending, after }: Ending, swap: readonly number[]): Ending {
  const swapBits = (set: number) =>
    swap.reduce((bits, other, k) => (set & (1 << k) ? bits | (1 << other) : bits), 0);
  return {
    outcomes: swap.map((k) => outcomes[k]),
    pending: swapBits(pending),
    after: swap.map((k) => swapBits(after[k])),
  };
}
