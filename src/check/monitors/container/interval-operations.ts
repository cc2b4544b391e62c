/** Values of a container as a cause names them, and the operations that show it. */
import type { Stay } from '../../model/monitor-causes.js';
import { type Container, NONE } from './container.js';

export function stayOf(container: Container, value: number, taken: number = container.remove[value]): Stay {
  const { id } = container.history.columns;
  const idOf = (k: number): number | undefined => (k === NONE ? undefined : id[k]);
  return { value: container.valueOf(value), put: idOf(container.add[value]), taken: idOf(taken) };
}

/** The operations that put these values in, give them, or are named for it. */
export function operationsOf({ value, add }: Container, values: Iterable<number>): number[] {
  const chosen = new Set(values);
  const operations = new Set<number>();
  for (const v of chosen) if (add[v] !== NONE) operations.add(add[v]);
  for (let k = 0; k < value.length; k++) if (chosen.has(value[k])) operations.add(k);
  return [...operations];
}
