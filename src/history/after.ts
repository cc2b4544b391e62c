/**
 * Order that time does not show must not contradict time, nor itself.
 *
 * Walk through the events; when an operation returns, it must have taken effect
 * by then, and before it everything that it comes after, and so on. If one of
 * those has not even been called, or comes after itself, no order exists.
 * Putting the earlier ones into effect as soon as they are needed never hurts,
 * so the walk is exact. Cost: O(events + `after` entries).
 */
import { type Columns, FAILED } from './columns.js';
import { HistoryError } from './history-error.js';

const WAITING = 0;
const UNDER_WAY = 1;
const DONE = 2;

/** `entries` lists the events by entry: messages name entries, columns number by call. */
export function checkAfter(columns: Columns, entries: Int32Array): void {
  const { after, events, call, object } = columns;
  if (!after) return;
  const entryOf = (k: number) => entries[call[k]];
  const mark = new Uint8Array(call.length);
  let now = 0;

  const takeEffect = (k: number): void => {
    if (mark[k] === DONE) return;
    if (mark[k] === UNDER_WAY)
      throw new HistoryError('an operation comes after itself, by way of "after"', entryOf(k));
    mark[k] = UNDER_WAY;
    for (let i = after.start[k]; i < after.start[k + 1]; i++) {
      const earlier = after.items[i];
      const other = entryOf(earlier);
      if (columns.status[earlier] === FAILED)
        throw new HistoryError(
          'it comes "after" an operation that failed, which did not happen',
          entryOf(k),
          other,
        );
      if (object[earlier] !== object[k])
        throw new HistoryError(
          'it comes "after" an operation of another object; each object is checked alone',
          entryOf(k),
          other,
        );
      if (call[earlier] > now)
        throw new HistoryError(
          'it comes "after" an operation that was called only when it had to be over',
          entryOf(k),
          other,
        );
      takeEffect(earlier);
    }
    mark[k] = DONE;
  };

  for (now = 0; now < events.length; now++) if (events[now] < 0) takeEffect(~events[now]);
  for (let k = 0; k < call.length; k++) takeEffect(k);
}
