/**
 * Does a repair forbid a trace, and all equivalent ones? It does if the runs of its blocks cannot be ordered sequentially: if the
 * graph of these runs, and of all other accesses alone, has a cycle. (C. Papadimitriou, The serializability of concurrent database
 * updates, 1979; CAV 2020, theorem 1.)
 *
 * Many repairs are compared with many traces. So the edges between the events of a trace, and the events of each block, are cached.
 * Cost: O(events · blocks) per repair, without real time.
 *
 * Repairs are ranked by that: the first one forbids the fewest passing executions (CAV 2020, §6.2), because cycles that do no harm
 * are not the cause. Of repairs that forbid equally many, the smaller one comes first.
 */
import { type Block, Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import { type AccessEvent, type AccessTrace, areOneTurn, operationsOf } from './access-trace.js';
import type { Causes, PlaceOf } from './causes.js';
import { compareSizes, containsBlock, type Repair, repairKey, SmallestSets } from './repair.js';

/** More than any depth. */
const NOT_IN: number = 2 ** 30;

/** Event to the depth of the function whose block it is in, or NOT_IN; and to the run of the block. */
interface BlockRuns {
  readonly depth: Int32Array;
  readonly run: readonly string[];
}

class TraceGraph {
  /** Edge to its source event and its target event. */
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

/** Program order, and conflicts with the nearest events of a location: the other conflicts follow. */
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

/** An operation that returned before another was called precedes it. */
function* timeEdges(trace: AccessTrace): Generator<[from: number, to: number]> {
  const place = new Map(trace.events.map((event, i) => [event, i]));
  const operations = operationsOf(trace);
  for (const [to, own] of operations.entries())
    for (const [from, other] of operations.entries())
      if (own.length > 0 && other.length > 0 && (trace.returnedBefore[to] ?? 0) & (1 << from))
        yield [place.get(other[other.length - 1])!, place.get(own[0])!];
}

const graphs = new WeakMap<AccessTrace, TraceGraph>();

/** `placeOf` is the same for all calls with one trace. */
export function forbids(repair: Repair, trace: AccessTrace, placeOf: PlaceOf): boolean {
  const graph = graphs.get(trace) ?? new TraceGraph(trace, placeOf);
  graphs.set(trace, graph);
  const runs = repair.map((block) => graph.runsOf(block));
  const nodes = nodesOf(runs, trace);
  return hasCycle(graph, nodes);
}

/** Event to the number of the run it belongs to. */
function nodesOf(runs: readonly BlockRuns[], { events }: AccessTrace): Int32Array {
  const nodes = new Int32Array(events.length);
  /** Thread to its last event, with its block, run and node. */
  const last: { event: AccessEvent; block: number; run: string; node: number }[] = [];
  let count = 0;
  events.forEach((event, i) => {
    const { thread } = event;
    const block = outermost(runs, i);
    const run = block < 0 ? '' : runs[block].run[i];
    const before = last[thread];
    const isSame =
      before !== undefined &&
      ((block >= 0 && before.block === block && before.run === run) || areOneTurn(before.event, event));
    nodes[i] = isSame ? before.node : count++;
    last[thread] = { event, block, run, node: nodes[i] };
  });
  return nodes;
}

/** The outermost block of an event, or -1. */
function outermost(runs: readonly BlockRuns[], event: number): number {
  let found = -1;
  let least = NOT_IN;
  runs.forEach(({ depth }, block) => {
    if (depth[event] >= least) return;
    least = depth[event];
    found = block;
  });
  return found;
}

/** Removes nodes without predecessors; a cycle is left if not all are removed. */
function hasCycle({ from, to }: TraceGraph, nodes: Int32Array): boolean {
  const count = nodes.reduce((most, node) => Math.max(most, node + 1), 0);
  const next: number[][] = Array.from({ length: count }, () => []);
  const indegree = new Int32Array(count);
  for (let edge = 0; edge < from.length; edge++) {
    const [a, b] = [nodes[from[edge]], nodes[to[edge]]];
    if (a === b) continue;
    next[a].push(b);
    indegree[b]++;
  }
  const free: number[] = [];
  for (let node = 0; node < count; node++) if (indegree[node] === 0) free.push(node);
  let removed = 0;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    removed++;
    for (const other of next[node]) if (--indegree[other] === 0) free.push(other);
  }
  return removed < count;
}

/* Ranking */

export interface Ranked {
  readonly repair: Repair;
  /** The number of passing executions that it forbids. */
  readonly forbidden: number;
  /** From 1. Repairs that forbid equally many have one rank. */
  readonly rank: number;
}

/** The traces of passing executions have no real-time order: a class is allowed if one of its executions is. */
export function ranked(
  repairs: readonly Repair[],
  passing: readonly AccessTrace[],
  placeOf: PlaceOf,
): Ranked[] {
  const counted = repairs.map((repair) => ({
    repair,
    forbidden: passing.filter((trace) => forbids(repair, trace, placeOf)).length,
  }));
  return counted
    .sort((a, b) => a.forbidden - b.forbidden || compareSizes(a.repair, b.repair))
    .map((one) => ({
      ...one,
      rank: 1 + counted.filter(({ forbidden }) => forbidden < one.forbidden).length,
    }));
}

export interface Partial extends Omit<Ranked, 'rank'> {
  /** The number of violations that it removes. */
  readonly removed: number;
}

const MOST = 5;

/** Repairs of single violations that contain none of the complete ones; those that remove the most first. */
export function partialRepairs(
  causes: Causes,
  complete: readonly Ranked[],
  {
    violating,
    passing,
  }: { readonly violating: readonly AccessTrace[]; readonly passing: readonly AccessTrace[] },
  placeOf: PlaceOf,
): Partial[] {
  const enough = new SmallestSets<Block>(containsBlock);
  for (const { repair } of complete) enough.add(repair);
  const some = causes.single().filter((repair) => !enough.isCovered(repair));
  const removed = new Map(
    some.map((repair) => [repair, violating.filter((trace) => forbids(repair, trace, placeOf)).length]),
  );
  return ranked(some, passing, placeOf)
    .map(({ repair, forbidden }) => ({ repair, forbidden, removed: removed.get(repair)! }))
    .filter(({ removed: some }) => some > 0)
    .sort((a, b) => b.removed - a.removed)
    .slice(0, MOST);
}

/**
 * Joins neighbouring blocks of one function if the joined block forbids the same executions. Asynchronous code is interrupted only
 * at awaits, so each of two awaits may have to be atomic; a lock around each of them would admit calls between them.
 */
export function withJoinedBlocks(repair: Repair, traces: readonly AccessTrace[], placeOf: PlaceOf): Repair {
  let result = repair;
  for (let i = 1; i < result.length; ) {
    const [before, block] = [result[i - 1], result[i]];
    const one = [...result.slice(0, i - 1), { ...before, end: block.end }, ...result.slice(i + 1)];
    const isOne =
      traces.some((trace) => areRunTogether(before, block, trace, placeOf)) &&
      traces.every((trace) => forbids(one, trace, placeOf) === forbids(result, trace, placeOf));
    if (isOne) result = one;
    else i++;
  }
  return result;
}

/** Does a call of a function run both blocks? */
function areRunTogether(a: Block, b: Block, trace: AccessTrace, placeOf: PlaceOf): boolean {
  const [inA, inB] = [new Blocks([a], placeOf), new Blocks([b], placeOf)];
  return operationsOf(trace).some((events) => {
    const levels = events.flatMap((event) => event.levels);
    const frames = new Set(levels.filter((level) => inA.runOf([level]) !== NO_RUN).map(({ frame }) => frame));
    return levels.some((level) => frames.has(level.frame) && inB.runOf([level]) !== NO_RUN);
  });
}
