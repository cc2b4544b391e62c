/** A block as people are told of it: which methods ran it, and whether it is all that they do. */
import { type Block, Blocks, type Call, NO_RUN, type Program } from '../explore/index.js';
import { type AccessTrace, operationsOf } from './access-trace.js';
import type { PlaceOf } from './source-block.js';

export interface BlamedBlock extends Block {
  readonly methods: readonly string[];
  /** Did it hold every access of each call of these methods? Then nothing less than whole methods helps. */
  readonly isWhole: boolean;
}

export function blamed(
  block: Block,
  traces: readonly AccessTrace[],
  program: Program,
  placeOf: PlaceOf,
): BlamedBlock {
  const { before = [], threads, after = [] } = program;
  const calls: readonly Call[] = [...before, ...threads.flat(), ...after];
  const blocks = new Blocks([block], placeOf);
  const methods = new Set<string>();
  let isWhole = true;
  for (const trace of traces)
    operationsOf(trace).forEach((events, operation) => {
      const runs = events.map(({ levels }) => blocks.runOf(levels));
      if (runs.every((run) => run === NO_RUN)) return;
      methods.add(calls[operation].method);
      if (runs.some((run) => run !== runs[0])) isWhole = false;
    });
  return { ...block, methods: [...methods].sort(), isWhole: isWhole && methods.size > 0 };
}
