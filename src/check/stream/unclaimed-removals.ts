/**
 * What open removals have taken, though nobody knows yet which of them it was.
 *
 * Who removes does not tell what it has taken before it returns. So what was taken is written down without a name, as a *taking*, and who
 * returns its value claims it, if it had been called by then. Open removals stand in the order of their calls, and a taking knows how many
 * of them there were: these may claim it. Nobody minds who claims which of them, as long as there is one for each (Hall):
 * the j-th taking by that number needs j of them.
 *
 * A list of such numbers and values, one after the other, by number and then by value.
 */
export type UnclaimedRemovals = readonly number[];

/** One of so many open removals has taken a value. */
export function withRemoval(takings: UnclaimedRemovals, value: number, open: number): UnclaimedRemovals {
  let at = takings.length;
  while (at > 0 && takings[at - 2] === open && takings[at - 1] > value) at -= 2;
  return takings.toSpliced(at, 0, open, value);
}

/** What is left when a removal claims a value: its first taking, since later ones may be claimed by more. Undefined if there is none. */
export function claim(
  takings: UnclaimedRemovals,
  removal: number,
  value: number,
): UnclaimedRemovals | undefined {
  for (let at = 0; at < takings.length; at += 2)
    if (takings[at] > removal && takings[at + 1] === value) return takings.toSpliced(at, 2);
  return undefined;
}

/** What is left when it claims any of those that it may. */
export function possibleClaims(takings: UnclaimedRemovals, removal: number): UnclaimedRemovals[] {
  const left: UnclaimedRemovals[] = [];
  for (let at = 0; at < takings.length; at += 2)
    if (takings[at] > removal) left.push(takings.toSpliced(at, 2));
  return left;
}

/** A removal is open no longer; undefined if the others can not have taken all that was. */
export function withoutRemoval(takings: UnclaimedRemovals, removal: number): UnclaimedRemovals | undefined {
  const left = takings.map((own, i) => (i % 2 === 0 && own > removal ? own - 1 : own));
  for (let at = 0; at < left.length; at += 2) if (left[at] <= at / 2) return undefined;
  return left;
}

export function* valuesRemoved(takings: UnclaimedRemovals): Generator<number> {
  for (let at = 0; at < takings.length; at += 2) yield takings[at + 1];
}
