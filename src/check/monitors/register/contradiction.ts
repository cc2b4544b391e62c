/** Why the clusters of a cell cannot be ordered: the first reason found, with the few operations that show it. */
import { NEVER } from '../../../history/model/columns.js';
import type { Cluster, MonitorCause } from '../../model/causes.js';
import { violation } from '../../model/verdict.js';
import type { MonitorResult } from '../common/monitor.js';
import { type Clusters, NONE } from './clusters.js';
import { NO_VALUE, NOWHERE, READ, SWAP } from './operations.js';

/*
 * The operations that a contradiction on a cell needs: those that it names, and those that give them their meaning:
 *
 *   the writer of the value that one saw, and so on back to the start of its cluster;
 *   with a recurring initial value, the swaps to the end of the cluster, so that the rest starts and ends with it;
 *   for a pending mutator, an operation that saw its effect;
 *   for duplicate values, the mutator that determines the writer.
 *
 * Everything else is omitted: other clusters as a whole, ends of clusters, and reads. Without them, a linearization
 * of the history is one of the rest, so a rest without a linearization decides.
 */

function cellCore(clusters: Clusters, named: readonly number[]): number[] {
  const { writers, next } = clusters;
  const { acts, writer, isRecurring, decidedBy, isDefinite } = writers;
  const { history, role, cell } = acts;
  const { return: returned } = history.columns;
  const core = new Set<number>();
  const left = [...named];
  for (let k = left.pop(); k !== undefined; k = left.pop()) {
    if (core.has(k)) continue;
    core.add(k);
    if ((role[k] === READ || role[k] === SWAP) && writer[k] >= 0) left.push(writer[k]);
    if (decidedBy && decidedBy[k] !== NOWHERE) left.push(decidedBy[k]);
    if (isRecurring[cell[k]] && acts.isMutator(k) && next[k] !== NONE) left.push(next[k]);
    if (acts.isMutator(k) && returned[k] === NEVER) left.push(readerOf(k));
  }
  return [...core];

  /** An operation that saw the value of a mutator; preferably one that returned. */
  function readerOf(mutator: number): number {
    let reader = NONE;
    for (let k = 0; k < history.length; k++)
      if (writer[k] === mutator && isDefinite[k] && (reader === NONE || returned[reader] === NEVER))
        reader = k;
    return reader;
  }
}

/** `pair`: two clusters that contradict each other, if nothing else is violated. */
export function cellContradiction(
  clusters: Clusters,
  pair: readonly [number, number] | undefined,
): MonitorResult {
  const { acts } = clusters.writers;
  const { id } = acts.history.columns;
  const idOf = (k: number): number => id[k];
  const { swappedTwice, neverWritten, outOfTurn } = clusters;
  const because = (named: readonly number[], cause: MonitorCause): MonitorResult =>
    violation({
      operations: cellCore(clusters, named),
      among: (k) => acts.cell[k] === acts.cell[named[0]],
      cause,
    });
  if (swappedTwice)
    return because(swappedTwice, {
      kind: 'swapped twice',
      operation: idOf(atFault(clusters, swappedTwice)),
      value: valueNumbered(clusters, acts.seen[swappedTwice[0]]),
      swaps: [idOf(swappedTwice[0]), idOf(swappedTwice[1])],
    });
  if (neverWritten !== NONE)
    return because([neverWritten], {
      kind: 'never written',
      operation: idOf(neverWritten),
      links: linksBack(clusters, neverWritten).map(idOf),
    });
  if (outOfTurn) {
    const { first, second } = outOfTurn;
    return because([first, second], {
      kind: 'out of turn',
      operation: idOf(atFault(clusters, [first, second])),
      first: idOf(first),
      second: idOf(second),
    });
  }
  const [one, other] = pair ?? [NONE, NONE];
  const named = [one, other].flatMap((cluster) => [
    clusters.firstReturned[cluster],
    clusters.lastCalled[cluster],
  ]);
  const known = named.filter((k) => k !== NONE);
  return because(known, {
    kind: 'in turns',
    operation: idOf(atFault(clusters, known)),
    runs: [toCluster(clusters, one), toCluster(clusters, other)],
  });
}

/**
 * The faulty operation: of these, or if none of them returned, of those that saw their effect, the last to return;
 * preferably a read, then a swap.
 */
function atFault(clusters: Clusters, operations: readonly number[]): number {
  const { role, history } = clusters.writers.acts;
  const { return: returned } = history.columns;
  const isOver = (k: number): boolean => returned[k] !== NEVER;
  const over = operations.some(isOver)
    ? operations.filter(isOver)
    : cellCore(clusters, operations).filter(isOver);
  const readsAndSwaps = [READ, SWAP].map((own) => over.filter((k) => role[k] === own));
  const [best] = [...readsAndSwaps, over].filter((list) => list.length > 0);
  return best.reduce((a, b) => (returned[b] > returned[a] ? b : a));
}

/** The swaps that lead to the value an operation saw, back to one whose value was never written, or to a cycle. */
function linksBack({ writers }: Clusters, operation: number): number[] {
  const links = new Set<number>();
  for (let k = writers.writer[operation]; k >= 0 && !links.has(k); k = writers.writer[k]) links.add(k);
  return [...links];
}

function toCluster(clusters: Clusters, cluster: number): Cluster {
  const { firstReturned, lastCall, lastCalled, writers } = clusters;
  const { history } = writers.acts;
  const { id } = history.columns;
  const [first, last] = [firstReturned[cluster], lastCall[cluster] === NEVER ? NONE : lastCalled[cluster]];
  const named = [first, last].filter((k) => k !== NONE);
  return {
    values: [
      ...new Set([
        ...(first === NONE ? [writers.acts.initial] : []),
        ...named.map((k) => numberOf(clusters, k)),
      ]),
    ].map((number) => valueNumbered(clusters, number)),
    ...(first !== NONE && { first: id[first] }),
    ...(last !== NONE && { last: id[last] }),
  };
}

/** The value that an operation wrote, or saw. */
function numberOf({ writers }: Clusters, k: number): number {
  const { made, seen } = writers.acts;
  return made[k] === NO_VALUE ? seen[k] : made[k];
}

function valueNumbered({ writers }: Clusters, number: number): unknown {
  const { tables } = writers.acts.history;
  return number < tables.values.values.length ? tables.values.values[number] : writers.acts.initialValue;
}
