/**
 * Finds another matching of some pools without a clash, near the current one.
 *
 * A depth-first search gives each place a duplicate: the one it had, or one that was added shortly before or after
 * that. The places of the latest clashes come first, so that they change and others follow. If nothing fits,
 * the search jumps back to the last place that is responsible: one that has a suitable duplicate, or is in a clash.
 *
 *   P. Prosser. Hybrid algorithms for the constraint satisfaction problem. 1993: conflict-directed backjumping.
 *
 * Cost: exponential in the worst case in the places that clash; `stepBudget` bounds the duplicates that are examined.
 */
import { type Clash, type Matching, NO_PARTNER, type Pool, type Pools, UNMATCHED } from './pools.js';

export interface StepBudget {
  left: number;
}

/** False if there is none, or the budget is exceeded. Changes the matching in place. */
export function rematch(
  pools: Pools,
  chosen: readonly Pool[],
  clashes: readonly Clash[],
  matching: Matching,
  stepBudget: StepBudget,
): boolean {
  const { remover, duplicate } = matching;
  const places = inOrder(pools, chosen, clashes);
  const had = places.map((place) => duplicate[place]);
  for (const { firstDuplicate, endDuplicate, firstPlace, endPlace } of chosen) {
    remover.fill(NO_PARTNER, firstDuplicate, endDuplicate);
    duplicate.fill(UNMATCHED, firstPlace, endPlace);
  }
  const depthOf = new Map(places.map((place, depth) => [place, depth]));
  const clashesAt = byLastPlace(clashes, depthOf);
  const tried = new Int32Array(places.length);
  /** For each depth, the depths that are responsible for what did not fit. */
  const responsible: Set<number>[] = places.map(() => new Set());

  const release = (place: number): void => {
    if (duplicate[place] !== UNMATCHED && !pools.isPeek(place)) remover[duplicate[place]] = NO_PARTNER;
    duplicate[place] = UNMATCHED;
  };
  /** Whether a duplicate fits a place; if not, records the responsible depths. */
  const fits = (place: number, own: number, depth: number): boolean => {
    const isPeek = pools.isPeek(place);
    if (!pools.isInTime(place, own, NO_PARTNER)) return false;
    if (remover[own] !== NO_PARTNER && !(isPeek && pools.isInTime(place, own, remover[own]))) {
      responsible[depth].add(depthOf.get(remover[own]) as number);
      return false;
    }
    duplicate[place] = own;
    if (!isPeek) remover[own] = place;
    const clash = clashesAt[depth]?.find((other) => other.isIn(matching));
    if (!clash) return true;
    for (const other of clash.places)
      if (other !== place) responsible[depth].add(depthOf.get(other) as number);
    release(place);
    return false;
  };
  const isMatched = (place: number, depth: number): boolean => {
    const { firstDuplicate, endDuplicate } = pools.poolOfPlace[place];
    const from = had[depth] === UNMATCHED ? firstDuplicate : had[depth];
    while (tried[depth] <= 2 * (endDuplicate - firstDuplicate)) {
      const turn = tried[depth]++;
      const own = turn % 2 === 0 ? from + turn / 2 : from - (turn + 1) / 2;
      if (own >= firstDuplicate && own < endDuplicate && stepBudget.left-- > 0 && fits(place, own, depth))
        return true;
    }
    return false;
  };

  for (let depth = 0; depth < places.length; ) {
    release(places[depth]);
    if (isMatched(places[depth], depth)) {
      depth++;
      continue;
    }
    if (stepBudget.left <= 0) return false;
    const reasons = responsible[depth];
    const back = Math.max(-1, ...reasons);
    if (back < 0) return false;
    for (; depth > back; depth--) {
      release(places[depth]);
      tried[depth] = 0;
      responsible[depth] = new Set();
    }
    for (const other of reasons) if (other < back) responsible[back].add(other);
  }
  return true;
}

/** Removals before peeks; those of the latest clashes first. */
function inOrder(pools: Pools, chosen: readonly Pool[], clashes: readonly Clash[]): number[] {
  const places = chosen.flatMap(({ firstPlace, endPlace }) =>
    Array.from({ length: endPlace - firstPlace }, (_, i) => firstPlace + i),
  );
  const latest = new Map<number, number>();
  for (const [number, clash] of clashes.entries())
    for (const place of clash.places) latest.set(place, number);
  const ageOf = (place: number): number => clashes.length - (latest.get(place) ?? -1);
  const isPeek = (place: number): number => (pools.isPeek(place) ? 1 : 0);
  return places.sort((a, b) => isPeek(a) - isPeek(b) || ageOf(a) - ageOf(b) || a - b);
}

/** For each depth, the clashes that are decided by then. */
function byLastPlace(clashes: readonly Clash[], depthOf: ReadonlyMap<number, number>): Clash[][] {
  const clashesAt: Clash[][] = [];
  for (const clash of clashes) {
    const last = Math.max(...clash.places.map((place) => depthOf.get(place) as number));
    const own = clashesAt[last] ?? [];
    own.push(clash);
    clashesAt[last] = own;
  }
  return clashesAt;
}
