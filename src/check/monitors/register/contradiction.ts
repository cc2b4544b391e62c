/** Why the runs of a cell have no order: the first reason found, with the few operations that show it. */
import { NEVER } from '../../../history/model/columns.js';
import type { Cluster, MonitorCause } from '../../model/monitor-causes.js';
import { violation } from '../../model/verdict.js';
import type { MonitorResult } from '../common/monitor.js';
import { type Clusters, NONE } from './clusters.js';
import { NO_VALUE, NOWHERE, READ, SWAP } from './operations.js';

/*
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

function cellCore(runs: Clusters, named: readonly number[]): number[] {
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

/** `pair`: two runs that are in each other's way, if nothing else is wrong. */
export function cellContradiction(
  runs: Clusters,
  pair: readonly [number, number] | undefined,
): MonitorResult {
  const { acts } = runs.sources;
  const { id } = acts.history.columns;
  const idOf = (k: number): number => id[k];
  const { swappedTwice, baseless, outOfTurn } = runs;
  const because = (named: readonly number[], cause: MonitorCause): MonitorResult =>
    violation({
      operations: cellCore(runs, named),
      among: (k) => acts.cell[k] === acts.cell[named[0]],
      cause,
      minimal: true,
    });
  if (swappedTwice)
    return because(swappedTwice, {
      kind: 'swapped twice',
      operation: idOf(atFault(runs, swappedTwice)),
      value: valueNumbered(runs, acts.seen[swappedTwice[0]]),
      swaps: [idOf(swappedTwice[0]), idOf(swappedTwice[1])],
    });
  if (baseless !== NONE)
    return because([baseless], {
      kind: 'never written',
      operation: idOf(baseless),
      links: linksBack(runs, baseless).map(idOf),
    });
  if (outOfTurn) {
    const { first, second } = outOfTurn;
    return because([first, second], {
      kind: 'out of turn',
      operation: idOf(atFault(runs, [first, second])),
      first: idOf(first),
      second: idOf(second),
    });
  }
  const [one, other] = pair ?? [NONE, NONE];
  const named = [one, other].flatMap((run) => [runs.firstReturned[run], runs.lastCalled[run]]);
  const known = named.filter((k) => k !== NONE);
  return because(known, {
    kind: 'in turns',
    operation: idOf(atFault(runs, known)),
    runs: [toCluster(runs, one), toCluster(runs, other)],
  });
}

/** Of these, or if none of them returned, of those who saw that they took effect: the last to return, a read if there is one, or a swap. */
function atFault(runs: Clusters, operations: readonly number[]): number {
  const { role, history } = runs.sources.acts;
  const { return: returned } = history.columns;
  const isOver = (k: number): boolean => returned[k] !== NEVER;
  const over = operations.some(isOver)
    ? operations.filter(isOver)
    : cellCore(runs, operations).filter(isOver);
  const telling = [READ, SWAP].map((own) => over.filter((k) => role[k] === own));
  const [best] = [...telling, over].filter((list) => list.length > 0);
  return best.reduce((a, b) => (returned[b] > returned[a] ? b : a));
}

/** The swaps that lead to what an operation saw, back to one whose value nobody made, or that is among them already. */
function linksBack({ sources }: Clusters, operation: number): number[] {
  const links = new Set<number>();
  for (let k = sources.source[operation]; k >= 0 && !links.has(k); k = sources.source[k]) links.add(k);
  return [...links];
}

function toCluster(runs: Clusters, run: number): Cluster {
  const { firstReturned, lastCall, lastCalled, sources } = runs;
  const { history } = sources.acts;
  const { id } = history.columns;
  const [first, last] = [firstReturned[run], lastCall[run] === NEVER ? NONE : lastCalled[run]];
  const named = [first, last].filter((k) => k !== NONE);
  return {
    values: [
      ...new Set([...(first === NONE ? [sources.acts.initial] : []), ...named.map((k) => numberOf(runs, k))]),
    ].map((number) => valueNumbered(runs, number)),
    ...(first !== NONE && { first: id[first] }),
    ...(last !== NONE && { last: id[last] }),
  };
}

/** The value that an operation made, or saw. */
function numberOf({ sources }: Clusters, k: number): number {
  const { made, seen } = sources.acts;
  return made[k] === NO_VALUE ? seen[k] : made[k];
}

function valueNumbered({ sources }: Clusters, number: number): unknown {
  const { tables } = sources.acts.history;
  return number < tables.values.values.length ? tables.values.values[number] : sources.acts.initialValue;
}
