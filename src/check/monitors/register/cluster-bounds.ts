/** The first return and the last call of a run, and its root, from the way back of its operations: for those who check a cause. */
import { NEVER } from '../../../history/model/columns.js';
import type { Run } from '../../model/monitor-causes.js';
import type { Deed } from './evidence-operations.js';
import type { Lineage } from './lineage.js';

interface RunBounds {
  readonly root: Deed | 'first';
  readonly first: number;
  readonly last: number;
}

/** Undefined if its operations do not belong together. */
export function boundsOf(lineage: Lineage, run: Run): RunBounds | undefined {
  const [first, last] = [run.first, run.last].map((id) => (id === undefined ? undefined : lineage.of(id)));
  const named = [first, last].filter((deed) => deed !== undefined);
  if (named.length === 0 || !named.every((deed) => lineage.isSure(deed))) return undefined;
  const [root, ...others] = named.map((deed) => lineage.wayBack(deed).root);
  if (root === undefined || others.some((other) => other !== root)) return undefined;
  if (!first && root !== 'first') return undefined;
  if (!last && !(first && lineage.isToTheEnd(first))) return undefined;
  return { root, first: first?.return ?? -1, last: last?.call ?? NEVER };
}
