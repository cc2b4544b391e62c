/**
 * Matching oracle for stateless objects whose calls synchronise in pairs: independent packages find a matching in the
 * graph of possible rendezvous.
 *
 * It shares no code with the checkers and, unlike brute force, decides longer histories. Every call that returned and
 * needs a partner must be covered. A matching of maximum weight decides this, where an edge weighs the number of such
 * calls it joins. If calls of one method synchronise only with calls of another, no weights are needed: both sides can be
 * covered if each side can (N. Mendelsohn, A. Dulmage. Some generalizations of the problem of distinct
 * representatives. 1958).
 */
import findMatching from 'bipartite-matching';
import blossom from 'edmonds-blossom';
import type { History } from '../../../src/history/history.js';
import type { Operation } from '../../../src/history/model/operation.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { enabledRendezvous, type Truth } from './rendezvous-oracle.js';

/** The vertices that must be covered, and the edges. */
interface CoverProblem {
  readonly isRequired: readonly boolean[];
  readonly edges: readonly (readonly [number, number])[];
}

/** Does a matching cover all required vertices? Decided by weight. */
function canCover({ isRequired, edges }: CoverProblem): boolean {
  const mate = blossom(edges.map(([a, b]) => [a, b, Number(isRequired[a]) + Number(isRequired[b])]));
  return isRequired.every((isOwn, v) => !isOwn || (mate[v] ?? -1) >= 0);
}

/** The same for a bipartite graph whose edges join the first `lefts` vertices with the others. */
function canCoverSides({ isRequired, edges }: CoverProblem, lefts: number): boolean {
  const covers = (isOfSide: (v: number) => boolean): boolean => {
    const size = isRequired.filter((isOwn, v) => isOwn && isOfSide(v)).length;
    const own = edges.filter((edge) => edge.some((v) => isRequired[v] && isOfSide(v)));
    const sides = own.map(([a, b]) => [a, b - lefts] as const);
    return findMatching(lefts, isRequired.length - lefts, sides).length === size;
  };
  return covers((v) => v < lefts) && covers((v) => v >= lefts);
}

/** Decides a history by matching; `left` is the method of one side, if there are two sides. */
export function truthByMatching(history: History, spec: SyncSpec, left?: string): Truth {
  const isLeft = ({ method }: Operation) => method === left;
  const all = [...history].filter(({ outcome }) => outcome.kind !== 'failed');
  const operations = [...all.filter(isLeft), ...all.filter((own) => !isLeft(own))];
  const { undefinedIsNull } = history.tables;
  const canSynchronise = (...members: readonly Operation[]): boolean =>
    enabledRendezvous(spec, spec.initial, members, undefinedIsNull).some(
      (own) => own.members.length === members.length,
    );
  const isPending = ({ outcome }: Operation) => outcome.kind === 'pending';
  const covers = (own: readonly Operation[]): boolean => {
    const edges = own.flatMap((one, a) =>
      own.flatMap((other, b) => (a < b && canSynchronise(one, other) ? [[a, b] as const] : [])),
    );
    const problem = { isRequired: own.map((one) => !isPending(one) && !canSynchronise(one)), edges };
    return left === undefined ? canCover(problem) : canCoverSides(problem, own.filter(isLeft).length);
  };
  const safety = covers(operations);
  const waiting = operations.filter(isPending);
  const hasNoneEnabled = !waiting.some((one) =>
    waiting.some((other) => (one === other ? canSynchronise(one) : canSynchronise(one, other))),
  );
  const returned = operations.filter((own) => !isPending(own));
  return { safety, progress: safety && (!history.stuck || (hasNoneEnabled && covers(returned))) };
}
