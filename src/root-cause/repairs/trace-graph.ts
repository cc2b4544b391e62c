/** A trace as a graph of its events, and which of them each block has: what is asked of it again and again (forbids.ts). */
import { type Block, Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import { type AccessTrace, operationsOf } from './access-trace.js';
import { repairKey } from './repair.js';
import type { PlaceOf } from './source-block.js';

/** More than any depth. */
export const NOT_IN: number = 2 ** 30;

/** Event to how many functions are around the one whose block it is in, or NOT_IN; and to which run of the block. */
export interface BlockRuns {
  readonly depth: Int32Array;
  readonly run: readonly string[];
}

export class TraceGraph {
  /** Edge to the events that it leads from and to. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly #trace: AccessTrace;
  readonly #placeOf: PlaceOf;
  readonly #runs = new Map<string, BlockRuns>();

  constructor(trace: AccessTrace, placeOf: PlaceOf) {
    const edges = [...conflictEdges(trace), ...timeEdges(trace)];
    this.from = edges.map(([from]) => from);
    this.to = edges.map(([, to]) => to);
    this.#trace = trace;
    this.#placeOf = placeOf;
  }

  runsOf(block: Block): BlockRuns {
    const key = repairKey([block]);
    let runs = this.#runs.get(key);
    if (runs === undefined) {
      runs = this.#find(new Blocks([block], this.#placeOf));
      this.#runs.set(key, runs);
    }
    return runs;
  }

  #find(blocks: Blocks): BlockRuns {
    const { events } = this.#trace;
    const depth = events.map(({ levels }) => levels.findIndex((level) => blocks.runOf([level]) !== NO_RUN));
    return {
      depth: Int32Array.from(depth, (at) => (at < 0 ? NOT_IN : at)),
      run: events.map(({ levels }, i) => (depth[i] < 0 ? NO_RUN : blocks.runOf([levels[depth[i]]]))),
    };
  }
}

/** Program order, and of each conflict with several events of one location the nearest: the others follow from it. */
function* conflictEdges({ events }: AccessTrace): Generator<[from: number, to: number]> {
  const lastOf = new Map<number, number>();
  const readers = new Map<number, number[]>();
  const writer = new Map<number, number>();
  for (const [i, { thread, location, isChange }] of events.entries()) {
    const before = lastOf.get(thread);
    if (before !== undefined) yield [before, i];
    lastOf.set(thread, i);
    if (location < 0) continue;
    const written = writer.get(location);
    if (written !== undefined) yield [written, i];
    if (isChange) {
      for (const reader of readers.get(location) ?? []) yield [reader, i];
      writer.set(location, i);
      readers.set(location, []);
    } else readers.set(location, [...(readers.get(location) ?? []), i]);
  }
}

/** All of an operation that had returned before another was called comes before all of that one. */
function* timeEdges(trace: AccessTrace): Generator<[from: number, to: number]> {
  const place = new Map(trace.events.map((event, i) => [event, i]));
  const operations = operationsOf(trace);
  for (const [to, own] of operations.entries())
    for (const [from, other] of operations.entries())
      if (own.length > 0 && other.length > 0 && (trace.returnedBefore[to] ?? 0) & (1 << from))
        yield [place.get(other[other.length - 1])!, place.get(own[0])!];
}
