/**
 * Chooses the search for a linearization: by name, several in competition, or the one that suits.
 *
 * A queue or a stack has its own search; any other object gets a graph search that also looks for short proofs of
 * violations. If the queue search tries pairs, or looks for the reason of a violation, the graph search may be
 * faster. With pending operations, breadth first or another order of candidates may be faster. This cannot be
 * predicted, so they compete, and the one that is usually fastest gets most steps (`bench/searches.ts`,
 * `bench/pending.ts`).
 */

import { OptionError } from '../../base/errors.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import { Machine } from '../../spec/machine/machine.js';
import type { Search, SearchResult } from '../model/search.js';
import { QueueOriented } from './containers/queue-oriented.js';
import { StackOriented } from './containers/stack-oriented.js';
import { JitTree, WgGraph, WgTree } from './generic/depth-first.js';
import { JitBreadth } from './generic/jit-breadth.js';
import { JitGraph } from './generic/jit-graph.js';
import { EquivalentSearch, MergeableValues } from './merged-values.js';
import { RefutingSearch } from './refutation.js';

/** Steps of the head start per return, and at least. */
const HEAD_START = 4;
const MIN_HEAD_START = 20_000;
/** Steps of one slice. */
const SLICE = 1_000;

/**
 * Several searches of one history, a slice of each in turn; the first result wins.
 *
 * The first search has a head start: it runs alone until it has taken several steps per return. Most histories are
 * decided by then. After that it gets `favour` times the steps of each other search: with a factor of four and two
 * others, the whole costs at most one and a half times the first search, and six times any other, plus the head
 * start.
 */
export class Competition implements Search {
  readonly #entrants: (() => Search)[];
  readonly #searches: Search[];
  #winner: Search | undefined;

  readonly #headStart: number;
  readonly #favour: number;

  /** The first search starts at once, the others after `headStart` steps. */
  constructor(
    [first, ...others]: readonly [() => Search, ...(() => Search)[]],
    { headStart, favour = 1 }: { headStart?: number; favour?: number } = {},
  ) {
    this.#searches = [first()];
    this.#entrants = others;
    this.#headStart = headStart ?? Math.max(MIN_HEAD_START, HEAD_START * this.returns);
    this.#favour = favour;
  }

  get name(): string {
    return (this.#winner ?? this.#searches[0]).name;
  }
  get steps(): number {
    return this.#sum((search) => search.steps);
  }
  get configurations(): number {
    return this.#sum((search) => search.configurations);
  }
  get bytes(): number {
    return this.#sum((search) => search.bytes);
  }
  get explained(): number {
    return Math.max(...this.#searches.map((search) => search.explained));
  }
  get returns(): number {
    return this.#searches[0].returns;
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (this.steps < limit) {
      if (this.#entrants.length > 0 && this.steps >= this.#headStart)
        for (const entrant of this.#entrants.splice(0)) this.#searches.push(entrant());
      for (const search of this.#searches) {
        const turn = search === this.#searches[0] ? this.#favour * SLICE : SLICE;
        const answer = search.advance(Math.max(1, Math.min(turn, limit - this.steps)));
        if (!answer) continue;
        this.#winner = search;
        return answer;
      }
    }
    return undefined;
  }

  #sum(of: (search: Search) => number): number {
    return this.#searches.reduce((total, search) => total + of(search), 0);
  }
}

/** The searches that have a name. */
export type SearchName =
  | 'wg-tree'
  | 'wg-graph'
  | 'jit-tree'
  | 'jit-graph'
  | 'jit-breadth'
  | 'queue'
  | 'stack';

/** What a search is applied to. */
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

/** Why a search for one kind of object does not apply to a history. */
const OBSTACLES: Partial<Record<SearchName, (searched: SearchInput) => string | undefined>> = {
  queue: ({ history, machine }) => QueueOriented.obstacle(history, machine),
  stack: ({ history, machine }) => StackOriented.obstacle(history, machine),
};

export const SEARCH_NAMES: readonly SearchName[] = Object.keys(SEARCHES) as SearchName[];

/** The search that is usually fastest gets this many times the steps of the others. */
const LEADER_FACTOR = 4;

/** An algorithm that does not exist, or is not for this history. */
export class AlgorithmError extends OptionError {
  override readonly name = 'AlgorithmError';
}

/** `names`: empty for the search that suits; the first of several has a head start. */
export function searchFor(searched: SearchInput, names: readonly SearchName[]): Search {
  if (names.length === 0) return defaultSearch(searched);
  for (const name of names) {
    const obstacle = OBSTACLES[name]?.(searched);
    if (obstacle) throw new AlgorithmError(`the algorithm ${name} is not for this history: ${obstacle}`);
  }
  const [first, ...others] = names.map((name) => () => SEARCHES[name](searched));
  return others.length === 0 ? first() : new Competition([first, ...others]);
}

/**
 * The search for a queue or a stack, if it applies to the history. `stateBudget`: how many steps may be spent on the
 * states before a return.
 */
function containerSearch({ history, machine }: SearchInput, stateBudget?: number): Search | undefined {
  if (StackOriented.obstacle(history, machine) === undefined)
    return new StackOriented(history, machine, stateBudget);
  if (QueueOriented.obstacle(history, machine) === undefined)
    return new QueueOriented(history, machine, stateBudget);
  return undefined;
}

function defaultSearch(searched: SearchInput): Search {
  const own = containerSearch(searched);
  const graph = () => graphSearch(searched);
  if (own instanceof QueueOriented) return new Competition([() => own, graph], { favour: LEADER_FACTOR });
  return own ?? graph();
}

/** A graph search, with values merged if that leaves the linearizations as they are. */
function graphSearch({ history, machine }: SearchInput): Search {
  const merged = MergeableValues.of(history, machine.spec)?.withoutUnreturned();
  if (!merged) return competingGraphs({ history, machine });
  const own = new Machine(merged, machine.spec);
  return new EquivalentSearch(history, machine, competingGraphs({ history: merged, machine: own }), own);
}

function competingGraphs(searched: SearchInput): Search {
  const graph = () => new RefutingSearch(searched.history, searched.machine);
  if (!searched.history.columns.return.includes(NEVER)) return graph();
  const others = [() => SEARCHES['jit-breadth'](searched), () => SEARCHES['wg-graph'](searched)];
  return new Competition([graph, ...others], { favour: LEADER_FACTOR });
}
