/**
 * Who decides a part: a monitor, a search by its name, several in competition, or the one that suits.
 *
 * A monitor goes first wherever it can read the part.
 * `a+b` lets a and b compete, and a goes first. What suits: `searches/suiting.ts`.
 */
import { show } from '../base/index.js';
import type { Part } from './part.js';
import type { Search } from './search.js';
import { Competition } from './searches/competition.js';
import { JitBreadth } from './searches/jit-breadth.js';
import { JitGraph } from './searches/jit-graph.js';
import { JitTree } from './searches/jit-tree.js';
import { QueueOriented } from './searches/queue-oriented.js';
import { suitingSearch } from './searches/suiting.js';
import { WgGraph } from './searches/wg-graph.js';
import { WgTree } from './searches/wg-tree.js';

/** The searches that can be asked for by name. */
export type SearchName = 'wg-tree' | 'wg-graph' | 'jit-tree' | 'jit-graph' | 'jit-breadth' | 'queue';

const SEARCHES: Readonly<Record<SearchName, (part: Part) => Search>> = {
  'wg-tree': ({ history, machine }) => new WgTree(history, machine),
  'wg-graph': ({ history, machine }) => new WgGraph(history, machine),
  'jit-tree': ({ history, machine }) => new JitTree(history, machine),
  'jit-graph': ({ history, machine }) => new JitGraph(history, machine),
  'jit-breadth': ({ history, machine }) => new JitBreadth(history, machine),
  queue: ({ history, machine }) => new QueueOriented(history, machine),
};

/** `auto`, `monitor` or `search` only, `competition`, the name of a search, or several joined by `+`. */
export type Algorithm =
  | 'auto'
  | 'monitor'
  | 'search'
  | 'competition'
  | SearchName
  | `${SearchName}+${string}`;

/** The names that stand alone. */
export const ALGORITHMS: readonly string[] = [
  'auto',
  'monitor',
  'search',
  ...Object.keys(SEARCHES),
  'competition',
];

/** Who decides: monitors where they can, if asked for; and the searches named, or those that suit. */
export interface Plan {
  readonly monitors: 'first' | 'only' | 'never';
  readonly searches: readonly SearchName[];
}

/** An algorithm that does not exist, or is not for this history. */
export class AlgorithmError extends Error {}

/** What an algorithm means. */
export function parseAlgorithm(algorithm: string): Plan {
  if (typeof algorithm !== 'string')
    throw new AlgorithmError(`${show(algorithm)} is no algorithm; expected a name`);
  if (algorithm === 'auto') return { monitors: 'first', searches: [] };
  if (algorithm === 'monitor') return { monitors: 'only', searches: [] };
  if (algorithm === 'search') return { monitors: 'never', searches: [] };
  if (algorithm === 'competition')
    return { monitors: 'never', searches: ['jit-graph', 'jit-tree', 'jit-breadth', 'wg-graph'] };
  const searches = algorithm.split('+').map((name) => {
    if (Object.hasOwn(SEARCHES, name)) return name as SearchName;
    throw new AlgorithmError(
      `there is no algorithm ${JSON.stringify(name)}; there are ${ALGORITHMS.join(', ')}, and several searches joined by +`,
    );
  });
  return { monitors: 'never', searches };
}

/** Where only monitors may decide: there has to be one for each part. */
export function demandMonitors(parts: readonly Part[]): void {
  for (const { monitored, spec } of parts) {
    if (!monitored)
      throw new AlgorithmError(`there is no monitor for a spec ${spec.name}; try --algorithm auto`);
    if ('obstacle' in monitored)
      throw new AlgorithmError(
        `the ${monitored.name} is not for this history: ${monitored.obstacle}; try --algorithm auto`,
      );
  }
}

export function searchFor(part: Part, names: readonly SearchName[]): Search {
  if (names.length === 0) return suitingSearch(part.history, part.machine);
  const obstacle = names.includes('queue') && QueueOriented.obstacle(part.history, part.machine);
  if (obstacle) throw new AlgorithmError(`the algorithm queue is not for this history: ${obstacle}`);
  const searches = names.map((name) => () => SEARCHES[name](part));
  return searches.length === 1 ? searches[0]() : new Competition(searches);
}
