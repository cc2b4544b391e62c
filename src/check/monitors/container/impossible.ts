/**
 * What no container can do: give a value that was not put in before, or give it away twice.
 *
 * Each value by itself; these are contradictions whatever the order of removal. Cost: one pass.
 */
import type { Ruling } from '../common/monitor.js';
import { type Container, NONE, PEEK, REMOVE } from './container.js';
import { stayOf } from './interval-operations.js';

export function impossible(container: Container): Ruling | undefined {
  const { history, role, value, add, remove, second } = container;
  const { id, call, return: returned } = history.columns;
  const no = (kind: 'from nowhere' | 'taken twice' | 'too early' | 'too late', k: number): Ruling => ({
    kind: 'contradiction',
    operations:
      value[k] === NONE ? [k] : [...new Set([k, add[value[k]], remove[value[k]]])].filter((o) => o !== NONE),
    cause:
      kind === 'from nowhere'
        ? { kind, operation: id[k] }
        : { kind, operation: id[k], stay: stayOf(container, value[k]) },
    minimal: true,
  });
  if (second !== NONE) return no('taken twice', second);
  for (let k = 0; k < history.length; k++) {
    if (role[k] !== REMOVE && role[k] !== PEEK) continue;
    const v = value[k];
    if (v === NONE) return no('from nowhere', k);
    if (add[v] !== NONE && returned[k] < call[add[v]]) return no('too early', k);
    if (remove[v] !== NONE && returned[remove[v]] < call[k]) return no('too late', k);
  }
  return undefined;
}
