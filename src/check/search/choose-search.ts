/**
 * Which search looks for an order: one by its name, several in competition, or the one that suits.
 *
 * What suits: for a queue and for a stack its own search, for all else a graph search that also looks for short proofs. Where the
 * queue's own search tries pairs, or looks for the reason of a "no", the graph search may be better; where
 * operations never returned, breadth may be better than depth, or another order of trying. Nobody knows
 * before, so they compete, but the one that is mostly best is favoured (`bench/searches.ts`, `bench/pending.ts`).
 */
import { OptionError } from '../../base/input-error.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Machine } from '../../spec/machine/machine.js';
import type { Search } from '../model/search.js';
import { Competition } from './competition.js';
import { QueueOriented } from './containers/queue-oriented.js';
import { StackOriented } from './containers/stack-oriented.js';
import { JitTree, WgGraph, WgTree } from './generic/depth-first.js';
import { JitBreadth } from './generic/jit-breadth.js';
import { JitGraph } from './generic/jit-graph.js';
import { RefutingSearch } from './refutation.js';

/** The searches that can be asked for by name. */
export type SearchName =
  | 'wg-tree'
  | 'wg-graph'
  | 'jit-tree'
  | 'jit-graph'
  | 'jit-breadth'
  | 'queue'
  | 'stack';

/** What a search looks at. */
interface SearchInput {
  readonly history: History;
  readonly machine: Machine;
}

const SEARCHES: Readonly<Record<SearchName, (searched: SearchInput) => Search>> = {
  'wg-tree': ({ history, machine }) => new WgTree(history, machine),
  'wg-graph': ({ history, machine }) => new WgGraph(history, machine),
  'jit-tree': ({ history, machine }) => new JitTree(history, machine),
  'jit-graph': ({ history, machine }) => new JitGraph(history, machine),
  'jit-breadth': ({ history, machine }) => new JitBreadth(history, machine),
  queue: ({ history, machine }) => new QueueOriented(history, machine),
  stack: ({ history, machine }) => new StackOriented(history, machine),
};

/** Why a search that is for one object only is not for a history, in words. */
const OBSTACLES: Partial<Record<SearchName, (searched: SearchInput) => string | undefined>> = {
  queue: ({ history, machine }) => QueueOriented.obstacle(history, machine),
  stack: ({ history, machine }) => StackOriented.obstacle(history, machine),
};

export const SEARCH_NAMES: readonly SearchName[] = Object.keys(SEARCHES) as SearchName[];

/** How many times the fuel of others the search gets that is mostly best. */
const LEADER_FACTOR = 4;

/** An algorithm that does not exist, or is not for this history. */
export class AlgorithmError extends OptionError {
  override readonly name = 'AlgorithmError';
}

/** `names`: none for the one that suits; the first of several goes first. */
export function searchFor(searched: SearchInput, names: readonly SearchName[]): Search {
  if (names.length === 0) return defaultSearch(searched);
  for (const name of names) {
    const obstacle = OBSTACLES[name]?.(searched);
    if (obstacle) throw new AlgorithmError(`the algorithm ${name} is not for this history: ${obstacle}`);
  }
  const searches = names.map((name) => () => SEARCHES[name](searched));
  return searches.length === 1 ? searches[0]() : new Competition(searches);
}

/** That of a queue or a stack, where it can read the history. `around`: so many steps go into the states before a return. */
export function containerSearch({ history, machine }: SearchInput, around?: number): Search | undefined {
  if (StackOriented.obstacle(history, machine) === undefined)
    return new StackOriented(history, machine, around);
  if (QueueOriented.obstacle(history, machine) === undefined)
    return new QueueOriented(history, machine, around);
  return undefined;
}

function defaultSearch(searched: SearchInput): Search {
  const { history, machine } = searched;
  const graph = () => new RefutingSearch(history, machine);
  const own = containerSearch(searched);
  if (own instanceof QueueOriented) return new Competition([() => own, graph], { favour: LEADER_FACTOR });
  if (own) return own;
  if (!history.columns.return.includes(NEVER)) return graph();
  const others = [() => SEARCHES['jit-breadth'](searched), () => SEARCHES['wg-graph'](searched)];
  return new Competition([graph, ...others], { favour: LEADER_FACTOR });
}
