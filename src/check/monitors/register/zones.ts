/**
 * Do the runs of each cell fit behind each other?
 *
 * A run has to be before another if it has an operation that returned before one of the other was called. If both
 * have to be before each other, there is no order. In terms of time: a run whose first return is before its
 * last call has a zone between them, which it fills alone. So
 *
 *   two zones of a cell must not overlap, and
 *   a run without a zone, whose operations all overlap, must not lie within a zone.
 *
 * Then there is an order: runs with a zone by time, and a run without one as soon as all its operations are called
 * and no zone is open. One sweep over the events with one open zone a cell finds both. Cost: O(n).
 */
import { NONE, type Runs } from './clusters.js';

/** The place of each run, as a moment from -1 on; or two runs that are in each other's way. */
export function placeRuns(runs: Runs): Int32Array | readonly [number, number] {
  const { runOf, firstReturn, firstReturned, lastCall, lastCalled, cellOf, count, sources } = runs;
  const { history, cells } = sources.acts;
  const { events } = history.columns;
  const place = new Int32Array(count);
  /** Cell to the run whose zone was opened last, and the end of that zone. */
  const holder = new Int32Array(cells).fill(NONE);
  const end = new Int32Array(cells).fill(-1);
  const open = (run: number, cell: number): void => {
    place[run] = firstReturn[run];
    holder[cell] = run;
    end[cell] = lastCall[run];
  };
  for (let run = 0; run < count; run++)
    if (firstReturn[run] < 0) {
      if (lastCall[run] >= 0) open(run, cellOf[run]);
      else place[run] = -1;
    }
  for (let moment = 0; moment < events.length; moment++) {
    const event = events[moment];
    const k = event < 0 ? ~event : event;
    const run = runOf[k];
    if (run === NONE) continue;
    const hasZone = firstReturn[run] < lastCall[run];
    const cell = cellOf[run];
    if (event < 0 && hasZone && firstReturned[run] === k) {
      if (moment < end[cell]) return [holder[cell], run];
      open(run, cell);
    } else if (event >= 0 && !hasZone && lastCalled[run] === k) {
      if (firstReturn[run] < end[cell]) return [holder[cell], run];
      place[run] = Math.max(moment, end[cell]);
    }
  }
  return place;
}
