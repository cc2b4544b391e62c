/**
 * Where the operations of an order take effect: points inside of their intervals, each after the one before.
 *
 * An operation can not come before the latest call in the order up to it. Those that wait for the same call share the
 * time up to the next event, evenly.
 */
import type { History } from '../src/history/history.js';

/** Positions, in order, to moments, with fractions. */
export function pointsOf({ columns }: History, order: readonly number[]): number[] {
  let latest = 0;
  return spread(
    order.map((k) => {
      latest = Math.max(latest, columns.call[k]);
      return latest;
    }),
  );
}

/** What happens after the same moments, evenly up to the next ones. */
export function spread(moments: readonly number[]): number[] {
  const sizes = new Map<number, number>();
  for (const moment of moments) sizes.set(moment, (sizes.get(moment) ?? 0) + 1);
  const used = new Map<number, number>();
  return moments.map((moment) => {
    const place = (used.get(moment) ?? 0) + 1;
    used.set(moment, place);
    return moment + place / ((sizes.get(moment) ?? 0) + 1);
  });
}
