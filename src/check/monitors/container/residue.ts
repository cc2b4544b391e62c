/**
 * Searches the remainder of a hard case.
 *
 * Pending removals may take any value whose removal is unknown, and no efficient choice is known. But most operations
 * have their place whatever the choice is. Only the rest is searched.
 */
import type { History } from '../../../history/history.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import type { Search, SearchResult } from '../../model/search.js';
import { type LimitReason, violation } from '../../model/verdict.js';
import { searchFor } from '../../search/choose-search.js';
import type { MonitorResult } from '../common/monitor.js';

/**
 * An order of the operations to keep, as positions in the whole history; or the result that there is none, or that a
 * limit was reached.
 */
export function searchResidue(
  history: History,
  spec: Spec,
  keep: (operation: number) => boolean,
  search: (begin: Search) => SearchResult | LimitReason,
): Int32Array | MonitorResult {
  const residue = history.select(keep);
  const machine = new Machine(residue, spec);
  const answer = search(searchFor({ history: residue, machine }, []));
  if (typeof answer === 'string') return { kind: 'undecided', reason: answer };
  const position = history.positionsById();
  const { id, events } = residue.columns;
  return answer.kind === 'linearizable'
    ? answer.witness.map((k) => position[id[k]])
    : violation({ operation: position[id[~events[answer.refutation.moment]]], among: keep });
}
