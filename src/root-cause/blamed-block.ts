/** A block as people are told of it: which methods ran it, and whether it is all that they do. */
import { type Block, Blocks, NO_RUN } from '../execution/atomic-blocks.js';
import type { Explored } from '../explore/result.js';
import { type AccessTrace, operationsOf } from './repairs/access-trace.js';
import type { PlaceOf } from './repairs/source-block.js';

export interface BlamedBlock extends Block {
  readonly methods: readonly string[];
  /** Did it hold every access of each call of these methods? Then nothing less than whole methods helps. */
  readonly isWhole: boolean;
}

export function blamed(
  block: Block,
  traces: readonly AccessTrace[],
  program: Explored['program'],
  placeOf: PlaceOf,
): BlamedBlock {
  const calls = callsOf(program);
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

function callsOf(program: Explored['program']): readonly { readonly method: string }[] {
  if ('backend' in program) return program.calls;
  const { before = [], threads, after = [] } = program;
  return [...before, ...threads.flat(), ...after];
}
