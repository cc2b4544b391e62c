/**
 * What is left of a hard case goes through a search.
 *
 * Removals that never returned may take any value that nobody is known to have taken, and nobody knows a quick way to
 * choose. But most operations have their place whatever the choice is. Only the rest is searched.
 */
import type { History } from '../../../history/history.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import type { Answer, Search } from '../../model/search.js';
import type { Exhausted } from '../../model/verdict.js';
import { searchFor } from '../../search/choose-search.js';
import type { Ruling } from '../common/monitor.js';

/** An order of the operations to keep, as positions in the whole history; or the ruling that there is none, or no time. */
export function searchResidue(
  history: History,
  spec: Spec,
  keep: (operation: number) => boolean,
  search: (begin: Search) => Answer | Exhausted,
): Int32Array | Ruling {
  const residue = history.select(keep);
  const machine = new Machine(residue, spec);
  const answer = search(searchFor({ history: residue, machine }, []));
  if (typeof answer === 'string') return { kind: 'undecided', because: answer };
  const position = history.positionsById();
  const { id, events } = residue.columns;
  return answer.found
    ? answer.order.map((k) => position[id[k]])
    : { kind: 'stops', operation: position[id[~events[answer.moment]]], among: keep };
}
