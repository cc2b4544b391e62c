/**
 * Does a repair forbid a trace, and all that are equivalent to it? It does if the runs of its blocks can
 * not be put one after another: if the graph of these runs, and of all other accesses alone, has a cycle.
 * (C. Papadimitriou, The serializability of concurrent database updates, 1979; CAV 2020, theorem 1.)
 *
 * Cost: O(events · log events), without real time.
 */
import { Blocks, NO_RUN } from '../explore/index.js';
import { type AccessTrace, operationsOf } from './access-trace.js';
import type { Repair } from './repair.js';
import type { PlaceOf } from './source-block.js';

export function forbids(repair: Repair, trace: AccessTrace, placeOf: PlaceOf): boolean {
  const nodes = nodesOf(new Blocks(repair, placeOf), trace);
  return hasCycle(edgesOf(trace, nodes), Math.max(-1, ...nodes) + 1);
}

/** Event to the number of the run it belongs to. */
function nodesOf(blocks: Blocks, { events }: AccessTrace): number[] {
  const last = new Map<number, { readonly run: string; readonly node: number }>();
  let count = 0;
  return events.map(({ thread, levels }) => {
    const run = blocks.runOf(levels);
    const before = last.get(thread);
    const isSame = before !== undefined && run !== NO_RUN && before.run === run;
    const node = isSame ? before.node : count++;
    last.set(thread, { run, node });
    return node;
  });
}

/** Of each conflict with several events of one location, the nearest: the others follow from it. */
function edgesOf(trace: AccessTrace, nodes: readonly number[]): [from: number, to: number][] {
  const edges: [number, number][] = [];
  const lastOfThread = new Map<number, number>();
  const readers = new Map<number, number[]>();
  const writer = new Map<number, number>();
  const add = (from: number | undefined, to: number): void => {
    if (from !== undefined && from !== to) edges.push([from, to]);
  };
  trace.events.forEach(({ thread, location, isChange }, i) => {
    const node = nodes[i];
    add(lastOfThread.get(thread), node);
    lastOfThread.set(thread, node);
    if (location < 0) return;
    add(writer.get(location), node);
    if (isChange) {
      for (const reader of readers.get(location) ?? []) add(reader, node);
      writer.set(location, node);
      readers.set(location, []);
    } else readers.set(location, [...(readers.get(location) ?? []), node]);
  });
  const operations = operationsOf(trace);
  const nodeOf = new Map(trace.events.map((event, i) => [event, nodes[i]]));
  for (const [to, own] of operations.entries())
    for (const [from, other] of operations.entries())
      if (own.length > 0 && other.length > 0 && (trace.returnedBefore[to] ?? 0) & (1 << from))
        add(nodeOf.get(other[other.length - 1]), nodeOf.get(own[0])!);
  return edges;
}

/** Takes away what nothing points to, until nothing is left, or only cycles are. */
function hasCycle(edges: readonly (readonly [from: number, to: number])[], count: number): boolean {
  const next: number[][] = Array.from({ length: count }, () => []);
  const indegree = new Int32Array(count);
  for (const [from, to] of edges) {
    next[from].push(to);
    indegree[to]++;
  }
  const free: number[] = [];
  for (let node = 0; node < count; node++) if (indegree[node] === 0) free.push(node);
  let removed = 0;
  for (let node = free.pop(); node !== undefined; node = free.pop()) {
    removed++;
    for (const to of next[node]) if (--indegree[to] === 0) free.push(to);
  }
  return removed < count;
}
