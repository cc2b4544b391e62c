/** When a value is inside in every order: for those who check a cause. */
import type { Evidence } from './evidence.js';
import type { Life } from './intervals-of.js';

/** Behind the events from `begin` up to `end`. */
export interface Slots {
  readonly begin: number;
  readonly end: number;
}

/** Is one of these surely inside at each moment of the slots? */
export function areCovered({ begin, end }: Slots, by: readonly Life[], evidence: Evidence): boolean {
  const firstOpen = evidence.firstOpen();
  const until = ({ removals, asked }: Life): number => (removals > 0 ? asked : Math.max(asked, firstOpen));
  let needed = begin;
  for (let next = begin; needed < end; needed = next) {
    for (const life of by) if (life.inside <= needed && until(life) > next) next = until(life);
    if (next === needed) return false;
  }
  return true;
}
