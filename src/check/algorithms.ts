/**
 * Who decides a part: a monitor, wherever one can read it, or searches; as an algorithm is called by name.
 *
 * `a+b` lets the searches a and b compete, and a goes first.
 */
import { show } from '../base/values/show.js';
import { RENDEZVOUS_ALGORITHMS, type RendezvousAlgorithm } from './model/rendezvous-algorithms.js';
import type { Part } from './parts/part.js';
import { AlgorithmError, SEARCH_NAMES, type SearchName } from './search/choose-search.js';

/** `auto`, `monitor` or `search` only, `competition`, the name of a search, or several joined by `+`. */
export type Algorithm =
  | 'auto'
  | 'monitor'
  | 'search'
  | 'competition'
  | SearchName
  | RendezvousAlgorithm
  | `${SearchName}+${string}`;

/** The names that stand alone. */
export const ALGORITHMS: readonly string[] = [
  'auto',
  'monitor',
  'search',
  ...SEARCH_NAMES,
  'competition',
  ...RENDEZVOUS_ALGORITHMS,
];

/** Who decides: monitors where they can, if asked for; and the searches named, or those that suit. */
export interface Plan {
  readonly monitors: 'first' | 'only' | 'never';
  readonly searches: readonly SearchName[];
  /** Of objects whose calls meet; none: what is asked for is not for those. */
  readonly meetings?: RendezvousAlgorithm | 'auto';
  /** Is it for no others? */
  readonly onlyMeetings?: boolean;
}

/** What an algorithm means. */
export function parseAlgorithm(algorithm: string): Plan {
  if (typeof algorithm !== 'string')
    throw new AlgorithmError(`${show(algorithm)} is no algorithm; expected a name`);
  if (algorithm === 'auto') return { monitors: 'first', searches: [], meetings: 'auto' };
  if (algorithm === 'monitor') return { monitors: 'only', searches: [] };
  if (algorithm === 'search') return { monitors: 'never', searches: [], meetings: 'rendezvous-jit' };
  const meetings = RENDEZVOUS_ALGORITHMS.find((own) => own === algorithm);
  if (meetings) return { monitors: 'never', searches: [], meetings, onlyMeetings: true };
  if (algorithm === 'competition')
    return { monitors: 'never', searches: ['jit-graph', 'jit-tree', 'jit-breadth', 'wg-graph'] };
  const searches = algorithm.split('+').map((name) => {
    const known = SEARCH_NAMES.find((own) => own === name);
    if (known) return known;
    throw new AlgorithmError(
      `there is no ${algorithm.includes('+') ? 'search' : 'algorithm'} ${JSON.stringify(name)}; there are ${ALGORITHMS.join(', ')}, and several searches joined by +`,
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

/** What is asked for has to be for the objects that there are. */
export function demandFor(
  { meetings, onlyMeetings }: Plan,
  algorithm: string | undefined,
  { plain, meeting }: { readonly plain: unknown; readonly meeting: readonly unknown[] },
): void {
  if (onlyMeetings && plain)
    throw new AlgorithmError(
      `the algorithm ${algorithm} is for objects whose calls meet; try --algorithm auto`,
    );
  if (!meetings && meeting.length > 0)
    throw new AlgorithmError(
      `the algorithm ${algorithm} is not for objects whose calls meet; there are auto, search, ${RENDEZVOUS_ALGORITHMS.join(', ')}`,
    );
}
