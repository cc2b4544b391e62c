/**
 * Unclaimed removals: values that open removals have taken, while it is unknown which removal took which.
 *
 * A removal does not reveal its value before it returns. So a taken value is stored without its removal, and a
 * removal that returns the value claims it, if it had been called by then. Open removals are in order of call, and
 * each entry has the number of removals that were open when the value was taken: these may claim it. An assignment
 * exists exactly when the j-th entry has a number of at least j (Hall).
 *
 * The list alternates these numbers and the values, sorted by number and then by value.
 */
export type UnclaimedRemovals = readonly number[];

/** After one of `open` open removals has taken a value. */
export function withRemoval(removals: UnclaimedRemovals, value: number, open: number): UnclaimedRemovals {
  let at = removals.length;
  while (at > 0 && removals[at - 2] === open && removals[at - 1] > value) at -= 2;
  return removals.toSpliced(at, 0, open, value);
}

/**
 * After a removal claims a value: the first entry of it, because later ones can be claimed by more removals.
 * Undefined if there is none.
 */
export function claim(
  removals: UnclaimedRemovals,
  removal: number,
  value: number,
): UnclaimedRemovals | undefined {
  for (let at = 0; at < removals.length; at += 2)
    if (removals[at] > removal && removals[at + 1] === value) return removals.toSpliced(at, 2);
  return undefined;
}

/** After a removal claims any entry that it may. */
export function possibleClaims(removals: UnclaimedRemovals, removal: number): UnclaimedRemovals[] {
  const left: UnclaimedRemovals[] = [];
  for (let at = 0; at < removals.length; at += 2)
    if (removals[at] > removal) left.push(removals.toSpliced(at, 2));
  return left;
}

/** After a removal ends without a claim; undefined if the others cannot claim all entries. */
export function withoutRemoval(removals: UnclaimedRemovals, removal: number): UnclaimedRemovals | undefined {
  const left = removals.map((own, i) => (i % 2 === 0 && own > removal ? own - 1 : own));
  for (let at = 0; at < left.length; at += 2) if (left[at] <= at / 2) return undefined;
  return left;
}

export function* valuesRemoved(removals: UnclaimedRemovals): Generator<number> {
  for (let at = 0; at < removals.length; at += 2) yield removals[at + 1];
}
