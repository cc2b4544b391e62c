/**
 * The search that suits a history: for a queue its own, for all else a graph search that also looks for short proofs.
 *
 * Where the queue's own search tries pairs, or looks for the reason of a "no", the graph search may be better; where
 * operations never returned, breadth may be better than depth, or another order of trying. Nobody knows before, so they
 * compete, but the one that is mostly best is favoured (`bench/searches.ts`, `bench/pending.ts`).
 */
import { type History, NEVER } from '../../history/index.js';
import type { Machine } from '../../spec/index.js';
import type { Search } from '../search.js';
import { Competition } from './competition.js';
import { JitBreadth } from './jit-breadth.js';
import { QueueOriented } from './queue-oriented.js';
import { Refuting } from './refuting.js';
import { WgGraph } from './wg-graph.js';

/** How many times the fuel of others the search gets that is mostly best. */
const FAVOUR = 4;

export function suitingSearch(history: History, machine: Machine): Search {
  const graph = () => new Refuting(history, machine);
  if (QueueOriented.obstacle(history, machine) === undefined)
    return new Competition([() => new QueueOriented(history, machine), graph], { favour: FAVOUR });
  if (!history.columns.return.includes(NEVER)) return graph();
  const others = [() => new JitBreadth(history, machine), () => new WgGraph(history, machine)];
  return new Competition([graph, ...others], { favour: FAVOUR });
}
