/** Who came between the first and the last access of a block that should have been run in one step, and did something about it. */
import { Blocks, NO_RUN, READ, type Trace, type TraceStep } from '../explore/index.js';
import type { Repair } from './repair.js';
import type { PlaceOf } from './source-block.js';

export interface Interruption {
  readonly first: TraceStep;
  readonly last: TraceStep;
  /** Steps of others in between that conflict with one of the block: those that change something, if any do. */
  readonly by: readonly TraceStep[];
}

export function interruptions({ steps, waiting }: Trace, repair: Repair, placeOf: PlaceOf): Interruption[] {
  const blocks = new Blocks(repair, placeOf);
  const all = [...steps, ...waiting];
  const runs = new Map<string, number[]>();
  all.forEach(({ levels }, i) => {
    const run = blocks.runOf(levels);
    if (run !== NO_RUN) runs.set(run, [...(runs.get(run) ?? []), i]);
  });
  return [...runs.values()]
    .map((places) => {
      const own = places.map((place) => all[place]);
      const between = all.slice(places[0], places[places.length - 1]);
      const by = between.filter((step) => own.some((other) => conflict(step, other)));
      const changes = by.filter(({ kind }) => kind !== READ);
      return {
        first: own[0],
        last: own[own.length - 1],
        by: changes.length > 0 ? changes : by,
      };
    })
    .filter(({ by }) => by.length > 0);
}

function conflict(a: TraceStep, b: TraceStep): boolean {
  const [one, other] = [a.location, b.location];
  return (
    a.thread !== b.thread &&
    one !== undefined &&
    one.thread === other?.thread &&
    one.number === other.number &&
    one.field === other.field &&
    !(a.kind === READ && b.kind === READ)
  );
}
