/**
 * Where the operations of an order take effect: points inside of their intervals, each after the one before.
 *
 * An operation can not come before the latest call in the order up to it. Those that wait for the same call share the
 * time up to the next event, evenly.
 */
import type { History } from '../src/history/index.js';

/** Positions, in order, to moments, with fractions. */
export function pointsOf({ columns }: History, order: readonly number[]): number[] {
  const slots: number[] = [];
  let latest = 0;
  for (const k of order) {
    latest = Math.max(latest, columns.call[k]);
    slots.push(latest);
  }
  const sizes = new Map<number, number>();
  for (const slot of slots) sizes.set(slot, (sizes.get(slot) ?? 0) + 1);
  const used = new Map<number, number>();
  return slots.map((slot) => {
    const place = (used.get(slot) ?? 0) + 1;
    used.set(slot, place);
    return slot + place / ((sizes.get(slot) ?? 0) + 1);
  });
}
