/**
 * Which copies the answers of a generation give, as a first guess: as if each operation had taken effect halfway between its call
 * and its return. Of the copies inside the first or the last goes, as the container has it. If it is wrong, others are tried.
 * Cost: O(m log m) for m operations, and O(m) for each that looks at what is inside.
 */
import { NEVER } from '../../../history/model/columns.js';
import { type Generations, INITIAL } from './generations.js';

/** Whoever gives a copy to who put it in. Who finds none inside has no guess. */
export function guessOf(
  generations: Generations,
  generation: number,
  leaves: 'first' | 'last',
): Map<number, number> {
  const { roles } = generations;
  const { call, return: returned } = roles.history.columns;
  const halfway = (k: number): number => call[k] + (returned[k] === NEVER ? call[k] : returned[k]);
  const members = [...generations.members(generation)].sort((a, b) => halfway(a) - halfway(b));
  const inside: number[] = generations.first[generation] === INITIAL ? [INITIAL] : [];
  const guess = new Map<number, number>();
  let gone = 0;
  for (const k of members) {
    const next = leaves === 'first' ? inside[gone] : inside.at(-1);
    const role = roles.of(k);
    if (role === 'add') inside.push(k);
    else if (next !== undefined && gone < inside.length) {
      guess.set(k, next);
      if (role === 'remove')
        if (leaves === 'first') gone++;
        else inside.pop();
    }
  }
  return guess;
}
