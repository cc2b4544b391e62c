/**
 * Blocks of one function made one where nobody can come between them: where all that was seen is forbidden by both, or by
 * neither.
 *
 * Asynchronous code is only interrupted during its awaits. So of two awaits that follow each other each may have to be
 * uninterrupted; but a lock around each of them would let others in between, where they never were.
 */
import { type Block, Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import { type AccessTrace, operationsOf } from './access-trace.js';
import { forbids } from './forbids.js';
import type { Repair } from './repair.js';
import type { PlaceOf } from './source-block.js';

export function joined(repair: Repair, traces: readonly AccessTrace[], placeOf: PlaceOf): Repair {
  let result = repair;
  for (let i = 1; i < result.length; ) {
    const [before, block] = [result[i - 1], result[i]];
    const one = [...result.slice(0, i - 1), { ...before, end: block.end }, ...result.slice(i + 1)];
    const isOne =
      traces.some((trace) => isRunWith(before, block, trace, placeOf)) &&
      traces.every((trace) => forbids(one, trace, placeOf) === forbids(result, trace, placeOf));
    if (isOne) result = one;
    else i++;
  }
  return result;
}

/** Does a call of a function run both blocks? */
function isRunWith(a: Block, b: Block, trace: AccessTrace, placeOf: PlaceOf): boolean {
  const [inA, inB] = [new Blocks([a], placeOf), new Blocks([b], placeOf)];
  return operationsOf(trace).some((events) => {
    const levels = events.flatMap((event) => event.levels);
    const frames = new Set(levels.filter((level) => inA.runOf([level]) !== NO_RUN).map(({ frame }) => frame));
    return levels.some((level) => frames.has(level.frame) && inB.runOf([level]) !== NO_RUN);
  });
}
