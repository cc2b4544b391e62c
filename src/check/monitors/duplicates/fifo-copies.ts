/**
 * Copies of a value that are inside together, where the first copy to come is the first to go: told apart by their turns.
 *
 * The first put of a generation to be called is taken to be of the first copy, and so on, and the same with its removals; the n-th removal
 * gives the n-th copy. That changes nothing if of two puts the one that is called first returns first, and so
 * with the removals:
 *
 *   An order with copies told apart is one of the original, since the container treats all values alike.
 *   Take an order of the original in which q, called later than p, comes before it, both putting the value in. Then q also
 *   returns later, so each was open at both places (p from its call, before q's, to its return, behind its own place): they
 *   change places, and no answer changes. When all are in turn, the n-th removal gives the n-th copy, first in first out.
 *
 * Who only looked at a copy is in no turn; nor is who never returned and may have taken one, which can be if some are left.
 * Cost: O(n).
 */
import { type Generations, INITIAL } from './generations.js';

/** Whoever gives a copy to who put it in, or INITIAL. */
export type Copies = ReadonlyMap<number, number>;

/** Undefined where it is not clear whose turn it is. `hasOpen`: some removals never returned. */
export function copiesByTurns(
  generations: Generations,
  generation: number,
  hasOpen: boolean,
): Copies | undefined {
  const { roles, puts, removals, peeks } = generations;
  const { return: returned } = roles.history.columns;
  if (peeks[generation] > 0 || removals[generation] > puts[generation]) return undefined;
  if (hasOpen && removals[generation] < puts[generation]) return undefined;
  const putters = generations.first[generation] === INITIAL ? [INITIAL] : [];
  const takers: number[] = [];
  const isInTurn = (k: number, list: readonly number[]): boolean => {
    const before = list.at(-1) ?? INITIAL;
    return before === INITIAL || returned[before] <= returned[k];
  };
  for (const k of generations.members(generation)) {
    const list = roles.of(k) === 'add' ? putters : takers;
    if (!isInTurn(k, list)) return undefined;
    list.push(k);
  }
  return new Map(takers.map((k, i) => [k, putters[i]]));
}
