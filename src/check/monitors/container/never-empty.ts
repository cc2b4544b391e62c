/** What to show of a container where values are inside all the time. */
import type { Ruling } from '../common/monitor.js';
import { type Container, NONE, OPEN_REMOVE } from './container.js';
import { coverOf, type Presence } from './covering.js';
import { operationsOf, stayOf } from './interval-operations.js';

/** Somebody found nothing, though all the time one of some values was surely inside. */
export function neverEmpty(container: Container, presence: Presence, operation: number): Ruling {
  const { id, call, return: returned } = container.history.columns;
  const cover = coverOf(call[operation], returned[operation], presence);
  return {
    kind: 'contradiction',
    operations: [operation, ...shownWith(container, cover)],
    cause: { kind: 'never empty', operation: id[operation], stays: cover.map((v) => stayOf(container, v)) },
    minimal: true,
  };
}

/** The operations on these values; where nobody is known to have taken one out, also those that never returned and may have. */
export function shownWith(container: Container, values: readonly number[]): number[] {
  const { role, remove } = container;
  const isLeft = values.some((v) => remove[v] === NONE);
  const open = isLeft ? Array.from(role.keys()).filter((k) => role[k] === OPEN_REMOVE) : [];
  return [...operationsOf(container, values), ...open];
}
