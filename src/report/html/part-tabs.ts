/** The parts of a history, with the verdict of each, as far as it is known. None where calls meet: then there are no states to tell part by part. */
import type { Verdict } from '../../check/model/verdict.js';
import type { Part } from '../../check/parts/part.js';
import { partNumbers, partsOf, type SpecOf } from '../../check/parts/parts.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { History } from '../../history/history.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { PartData } from './page-types.js';

export class PartTabs {
  readonly parts: readonly Part[];
  /** Operation id to the number of its part. */
  readonly numberOf: Int32Array;
  readonly data: readonly PartData[];

  constructor(history: History, specOf: AnySpecOf, verdict: Verdict) {
    const isPlain = history.objects.every((object) => !isSyncSpec(specOf(object)));
    this.parts = isPlain ? partsOf(history, specOf as SpecOf, { monitors: false }) : [];
    this.numberOf = partNumbers(history, this.parts);
    const known = verdictOf(verdict, this.parts, this.numberOf);
    this.data = this.parts.map(({ name, history: { length } }, number) => ({
      name,
      verdict: known(number),
      operations: length,
    }));
  }
}

function verdictOf(
  verdict: Verdict,
  parts: readonly Part[],
  numberOf: Int32Array,
): (number: number) => Verdict['kind'] {
  if (verdict.kind === 'linearizable') return () => 'linearizable';
  const left = new Set(
    verdict.kind === 'undecided' ? verdict.unfinished.map(({ part }) => part) : verdict.undecided,
  );
  if (verdict.kind === 'undecided')
    return (number) => (left.has(parts[number].name) || parts.length === 1 ? 'undecided' : 'linearizable');
  // a monitor that reads all parts as one does not name those that it has not come to
  const { decided, parts: all } = verdict.effort;
  const areNamed = decided + left.size === all;
  const wrong = numberOf[verdict.counterexample.cause.operation] ?? 0;
  return (number) => {
    if (number === wrong) return 'violation';
    return areNamed && !left.has(parts[number].name) ? 'linearizable' : 'undecided';
  };
}
