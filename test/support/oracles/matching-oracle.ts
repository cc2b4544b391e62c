/**
 * A second oracle for rendezvous of two without a state: who could have met whom as a graph, and a package of others
 * that finds a matching in it.
 *
 * Shares no code with the checkers, and unlike the brute force it takes longer histories. Calls that returned and may not be alone must
 * all be covered, and a matching of largest weight says whether they can be, where an edge weighs as many of
 * them as it has. Where two methods meet each other, no weights are needed: all on both sides can be covered exactly when those on
 * either side can (N. Mendelsohn, A. Dulmage. Some generalizations of the problem of distinct representatives. 1958).
 */
import findMatching from 'bipartite-matching';
import blossom from 'edmonds-blossom';
import type { History } from '../../../src/history/history.js';
import type { Operation } from '../../../src/history/model/operation.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { possible, type Truth } from './rendezvous-oracle.js';

/** Vertex to whether it must be covered, and who is joined. */
interface Wanted {
  readonly isWanted: readonly boolean[];
  readonly edges: readonly (readonly [number, number])[];
}

/** Can all be covered? By weight. */
function canCover({ isWanted, edges }: Wanted): boolean {
  const mate = blossom(edges.map(([a, b]) => [a, b, Number(isWanted[a]) + Number(isWanted[b])]));
  return isWanted.every((isOne, v) => !isOne || (mate[v] ?? -1) >= 0);
}

/** The same where edges go from the first so many vertices to the others. */
function canCoverSides({ isWanted, edges }: Wanted, lefts: number): boolean {
  const covers = (isOfSide: (v: number) => boolean): boolean => {
    const size = isWanted.filter((isOne, v) => isOne && isOfSide(v)).length;
    const own = edges.filter((edge) => edge.some((v) => isWanted[v] && isOfSide(v)));
    const sides = own.map(([a, b]) => [a, b - lefts] as const);
    return findMatching(lefts, isWanted.length - lefts, sides).length === size;
  };
  return covers((v) => v < lefts) && covers((v) => v >= lefts);
}

/** What matchings say of a history; `left` is the method of one side, where there are two. */
export function matchedTruthOf(history: History, spec: SyncSpec, left?: string): Truth {
  const isLeft = ({ method }: Operation) => method === left;
  const all = [...history].filter(({ outcome }) => outcome.kind !== 'failed');
  const operations = [...all.filter(isLeft), ...all.filter((own) => !isLeft(own))];
  const { undefinedIsNull } = history.tables;
  const canMeet = (...members: readonly Operation[]): boolean =>
    possible(spec, spec.initial, members, undefinedIsNull).some(
      (own) => own.members.length === members.length,
    );
  const isPending = ({ outcome }: Operation) => outcome.kind === 'pending';
  const covers = (own: readonly Operation[]): boolean => {
    const edges = own.flatMap((one, a) =>
      own.flatMap((other, b) => (a < b && canMeet(one, other) ? [[a, b] as const] : [])),
    );
    const wanted = { isWanted: own.map((one) => !isPending(one) && !canMeet(one)), edges };
    return left === undefined ? canCover(wanted) : canCoverSides(wanted, own.filter(isLeft).length);
  };
  const safety = covers(operations);
  const waiting = operations.filter(isPending);
  const isAtRest = !waiting.some((one) =>
    waiting.some((other) => (one === other ? canMeet(one) : canMeet(one, other))),
  );
  const returned = operations.filter((own) => !isPending(own));
  return { safety, progress: safety && (!history.stuck || (isAtRest && covers(returned))) };
}
