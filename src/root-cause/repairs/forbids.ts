/**
 * Does a repair forbid a trace, and all that are equivalent to it? It does if the runs of its blocks can
 * not be put one after another: if the graph of these runs, and of all other accesses alone, has a cycle.
 * (C. Papadimitriou, The serializability of concurrent database updates, 1979; CAV 2020, theorem 1.)
 *
 * Many repairs are asked about many traces. So what does not depend on the repair is kept with a trace: the edges between its
 * events, and where these are in which block (trace-graph.ts). Cost: O(events · blocks) a repair, without real time.
 */
import type { AccessTrace } from './access-trace.js';
import type { Repair } from './repair.js';
import type { PlaceOf } from './source-block.js';
import { type BlockRuns, NOT_IN, TraceGraph } from './trace-graph.js';

const graphs = new WeakMap<AccessTrace, TraceGraph>();

/** A trace is always asked about with the same places. */
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
  /** Thread to the block, the run and the node of its last event. */
  const last: { block: number; run: string; node: number }[] = [];
  let count = 0;
  events.forEach(({ thread }, i) => {
    const block = outermost(runs, i);
    const run = block < 0 ? '' : runs[block].run[i];
    const before = last[thread];
    const isSame = block >= 0 && before !== undefined && before.block === block && before.run === run;
    nodes[i] = isSame ? before.node : count++;
    last[thread] = { block, run, node: nodes[i] };
  });
  return nodes;
}

/** Of the blocks that an event is in, the one around the others; or -1. */
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

/** Takes away what nothing points to, until nothing is left, or only cycles are. */
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
