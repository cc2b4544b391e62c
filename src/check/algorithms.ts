/**
 * The names of algorithms, and what each means: monitors, searches, or searches for rendezvous.
 *
 * `a+b` lets the searches a and b compete; a has a head start.
 */
import { show } from '../base/values/show.js';
import { RENDEZVOUS_ALGORITHMS, type RendezvousAlgorithm } from './model/search.js';
import type { Part } from './parts/parts.js';
import { AlgorithmError, SEARCH_NAMES, type SearchName } from './search/choose-search.js';

/** `auto`, `monitor` (no search), `search` (no monitor), `competition`, the name of a search, or several joined by `+`. */
export type Algorithm =
  | 'auto'
  | 'monitor'
  | 'search'
  | 'competition'
  | SearchName
  | RendezvousAlgorithm
  | `${SearchName}+${string}`;

/** The names that can be used alone. */
const ALGORITHMS: readonly string[] = [
  'auto',
  'monitor',
  'search',
  ...SEARCH_NAMES,
  'competition',
  ...RENDEZVOUS_ALGORITHMS,
];

/** What an algorithm means: whether monitors decide, and which searches. */
export interface Plan {
  readonly monitors: 'first' | 'only' | 'never';
  /** Empty: the searches that suit the history. */
  readonly searches: readonly SearchName[];
  /** For rendezvous objects; undefined if the algorithm does not apply to them. */
  readonly rendezvous?: RendezvousAlgorithm | 'auto';
  /** Whether the algorithm applies to rendezvous objects only. */
  readonly onlyRendezvous?: boolean;
}

export function parseAlgorithm(algorithm: string): Plan {
  if (typeof algorithm !== 'string')
    throw new AlgorithmError(`${show(algorithm)} is no algorithm; expected a name`);
  if (algorithm === 'auto') return { monitors: 'first', searches: [], rendezvous: 'auto' };
  if (algorithm === 'monitor') return { monitors: 'only', searches: [] };
  if (algorithm === 'search') return { monitors: 'never', searches: [], rendezvous: 'rendezvous-jit' };
  const rendezvous = RENDEZVOUS_ALGORITHMS.find((name) => name === algorithm);
  if (rendezvous) return { monitors: 'never', searches: [], rendezvous, onlyRendezvous: true };
  if (algorithm === 'competition')
    return { monitors: 'never', searches: ['jit-graph', 'jit-tree', 'jit-breadth', 'wg-graph'] };
  const searches = algorithm.split('+').map((name) => {
    const known = SEARCH_NAMES.find((own) => own === name);
    if (known) return known;
    throw new AlgorithmError(
      `unknown ${algorithm.includes('+') ? 'search' : 'algorithm'} ${JSON.stringify(name)}; expected ${ALGORITHMS.join(', ')}, or several searches joined by +`,
    );
  });
  return { monitors: 'never', searches };
}

/** Throws unless there is a monitor for each part. */
export function requireMonitors(parts: readonly Part[]): void {
  for (const { monitored, spec } of parts) {
    if (!monitored)
      throw new AlgorithmError(`there is no monitor for a spec ${spec.name}; try --algorithm auto`);
    if ('obstacle' in monitored)
      throw new AlgorithmError(
        `the ${monitored.name} is not for this history: ${monitored.obstacle}; try --algorithm auto`,
      );
  }
}

/** Throws unless the algorithm applies to all objects of the history. */
export function requireSuitable(
  plan: Plan,
  algorithm: string | undefined,
  { plain, rendezvous }: { readonly plain: unknown; readonly rendezvous: readonly unknown[] },
): void {
  if (plan.onlyRendezvous && plain)
    throw new AlgorithmError(
      `the algorithm ${algorithm} is for rendezvous objects only; try --algorithm auto`,
    );
  if (!plan.rendezvous && rendezvous.length > 0)
    throw new AlgorithmError(
      `the algorithm ${algorithm} is not for rendezvous objects; use auto, search, ${RENDEZVOUS_ALGORITHMS.join(', ')}`,
    );
}
