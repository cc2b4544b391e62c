/** Has another call gone on while one was inside of a block? Then the execution is none that a program with such a block has. */
import { type Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import type { TraceStep } from '../model/trace-types.js';

export function isInterrupted(awaits: readonly TraceStep[], blocks: Blocks): boolean {
  const runs = awaits.map(({ levels }) => blocks.runOf(levels));
  return awaits.some(({ operation }, i) => {
    const before = awaits.findLastIndex((other, k) => k < i && other.operation === operation);
    return runs[i] !== NO_RUN && before >= 0 && before < i - 1 && runs[before] === runs[i];
  });
}
