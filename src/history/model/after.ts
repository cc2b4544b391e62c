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
import { HistoryError } from './event.js';

/** Marks of an operation; 0 is one not reached yet. */
const UNDER_WAY = 1;
const DONE = 2;

/** `entryOf` maps operations to entries: messages name entries. */
export function checkAfter(columns: Columns, entryOf: Int32Array): void {
  const { after, events, call, object } = columns;
  if (!after) return;
  const mark = new Uint8Array(call.length);
  /** Operation to the next of its `after` entries to look at. */
  const next = after.start.slice();
  let now = 0;

  const takeEffect = (last: number): void => {
    if (mark[last] === DONE) return;
    mark[last] = UNDER_WAY;
    const chain = [last];
    for (let k = last; chain.length > 0; k = chain[chain.length - 1]) {
      if (next[k] === after.start[k + 1]) {
        mark[k] = DONE;
        chain.pop();
        continue;
      }
      const earlier = after.items[next[k]++];
      checkPair(k, earlier);
      if (mark[earlier] === DONE) continue;
      if (mark[earlier] === UNDER_WAY)
        throw new HistoryError('an operation comes after itself, by way of "after"', entryOf[earlier]);
      mark[earlier] = UNDER_WAY;
      chain.push(earlier);
    }
  };

  const checkPair = (k: number, earlier: number): void => {
    const fail = (why: string): never => {
      throw new HistoryError(`it comes "after" an operation ${why}`, entryOf[k], entryOf[earlier]);
    };
    if (columns.status[earlier] === FAILED) fail('that failed, which did not happen');
    if (object[earlier] !== object[k]) fail('of another object; each object is checked alone');
    if (call[earlier] > now) fail('that was called only when it had to be over');
  };

  for (now = 0; now < events.length; now++) if (events[now] < 0) takeEffect(~events[now]);
  for (let k = 0; k < call.length; k++) takeEffect(k);
}

/**
 * The operations that can not have taken effect by a moment, because they come
 * after one that had not been called by then, or after another such operation.
 */
export function notYet({ after, call }: Columns, moment: number): ReadonlySet<number> {
  const waiting = new Set<number>();
  if (!after) return waiting;
  let before: number;
  do {
    before = waiting.size;
    for (let k = 0; k < call.length && call[k] <= moment; k++)
      for (let i = after.start[k]; i < after.start[k + 1]; i++)
        if (call[after.items[i]] > moment || waiting.has(after.items[i])) waiting.add(k);
  } while (waiting.size > before);
  return waiting;
}
