/**
 * Checks the causes of registers and maps.
 *
 * From source to source leads a way back, to a blind write or to what was there at first: the root. What has one
 * root stands together in every order.
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { FamilyCause } from '../../model/monitor-causes.js';
import { boundsOf } from './cluster-bounds.js';
import { deedsOn, firstValue } from './evidence-operations.js';
import { Lineage } from './lineage.js';

export function confirmCell(history: History, spec: Spec, cause: FamilyCause): boolean {
  const lineage = new Lineage(deedsOn(history, spec, cause.operation), firstValue(history, spec));
  const own = lineage.of(cause.operation);
  if (!own || own.return === NEVER) return false;
  switch (cause.kind) {
    case 'never written':
      return own.sees !== undefined && lineage.wayBack(own).isLost;
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => lineage.of(id));
      const areSwaps = [one, other].every((deed) => deed?.makes !== undefined && lineage.isSure(deed));
      if (!one || !other || one === other || !areSwaps) return false;
      const source = lineage.sourceOf(one);
      const isTold = one.sees === (numberOfValue(history.tables, cause.value) ?? -1);
      return isTold && isOne(source) && lineage.sourceOf(other) === source;
    }
    case 'out of turn': {
      const [first, second] = [lineage.of(cause.first), lineage.of(cause.second)];
      if (!first || !second || !lineage.isSure(first) || second.return >= first.call) return false;
      const { way } = lineage.wayBack(second);
      if (way.includes(first)) return true;
      // it read what one on that way replaced
      const source = lineage.sourceOf(first);
      return (
        first.makes === undefined &&
        isOne(source) &&
        way.some((deed) => deed.makes !== undefined && lineage.sourceOf(deed) === source)
      );
    }
    case 'in turns': {
      const [one, other] = cause.runs.map((run) => boundsOf(lineage, run));
      if (!one || !other || one.root === other.root) return false;
      return one.first < other.last && other.first < one.last;
    }
    default:
      return false;
  }
}

/** Is it known which one? */
const isOne = (source: ReturnType<Lineage['sourceOf']>): boolean =>
  typeof source === 'object' || source === 'first';
