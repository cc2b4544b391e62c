/**
 * The operations that a contradiction on a cell needs: those that it names, and what makes them mean what they do.
 *
 *   who made the value that one saw, and so on back to the beginning of its run;
 *   in a hub, the swaps on to the end of the run, so that what is left out begins and ends with the same value;
 *   of a mutator that never returned, somebody who saw that it took effect;
 *   where equal values are told apart, the mutator that tells.
 *
 * All else is left out: other runs as a whole, ends of runs, and reads. An order of the whole, without them, is an order
 * of the rest, and so a rest without an order decides.
 */
import { NEVER } from '../../../history/model/columns.js';
import { NONE, type Runs } from './clusters.js';
import { NOWHERE, READ, SWAP } from './operations.js';

export function cellCore(runs: Runs, named: readonly number[]): number[] {
  const { sources, next } = runs;
  const { acts, source, isHub, tells, isSure } = sources;
  const { history, role, cell } = acts;
  const { return: returned } = history.columns;
  const core = new Set<number>();
  const left = [...named];
  for (let k = left.pop(); k !== undefined; k = left.pop()) {
    if (core.has(k)) continue;
    core.add(k);
    if ((role[k] === READ || role[k] === SWAP) && source[k] >= 0) left.push(source[k]);
    if (tells && tells[k] !== NOWHERE) left.push(tells[k]);
    if (isHub[cell[k]] && acts.isMutator(k) && next[k] !== NONE) left.push(next[k]);
    if (acts.isMutator(k) && returned[k] === NEVER) left.push(sightOf(k));
  }
  return [...core];

  /** Who saw what a mutator made; one that returned, if there is. */
  function sightOf(maker: number): number {
    let sight = NONE;
    for (let k = 0; k < history.length; k++)
      if (source[k] === maker && isSure[k] && (sight === NONE || returned[sight] === NEVER)) sight = k;
    return sight;
  }
}
