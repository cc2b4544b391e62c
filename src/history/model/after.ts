/**
 * Checks `after` edges: order between operations that their times do not show.
 *
 * The edges must be consistent with the times and acyclic. The check walks through the events. An
 * operation that returns must have taken effect by then, and before it all its predecessors. If a
 * predecessor has not been called yet, or precedes itself, no linearization exists. Predecessors
 * take effect as soon as they are needed, which never excludes a linearization, so the check is
 * exact. Cost: O(events + edges).
 */
import { type Columns, FAILED, NEVER } from './columns.js';
import { HistoryError } from './operation.js';

/** Marks of an operation; 0 is unvisited. */
const IN_PROGRESS = 1;
const DONE = 2;

/**
 * Throws a HistoryError if the `after` edges are inconsistent. `entryOf` maps operations to
 * entries, which errors name.
 */
export function checkAfterOrder(columns: Columns, entryOf: Int32Array): void {
  const { after, events, call, object } = columns;
  if (!after) return;
  const mark = new Uint8Array(call.length);
  /** Operation to its next unvisited edge. */
  const next = after.start.slice();
  let now = 0;

  const takeEffect = (last: number): void => {
    if (mark[last] === DONE) return;
    mark[last] = IN_PROGRESS;
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
      if (mark[earlier] === IN_PROGRESS)
        throw new HistoryError('"after" is cyclic: an operation comes after itself', entryOf[earlier]);
      mark[earlier] = IN_PROGRESS;
      chain.push(earlier);
    }
  };

  const checkPair = (k: number, earlier: number): void => {
    const fail = (why: string): never => {
      throw new HistoryError(`it comes "after" an operation ${why}`, entryOf[k], entryOf[earlier]);
    };
    if (columns.status[earlier] === FAILED) fail('that failed and never took effect');
    if (object[earlier] !== object[k]) fail('of another object; objects are checked separately');
    if (call[earlier] > now) fail('that was called too late to take effect first');
  };

  for (now = 0; now < events.length; now++) if (events[now] < 0) takeEffect(~events[now]);
  for (let k = 0; k < call.length; k++) takeEffect(k);
}

/**
 * The operations that cannot have taken effect by a moment: a predecessor had not been called by
 * then, or cannot have taken effect itself.
 */
export function findNotYetEffective({ after, call }: Columns, moment: number): ReadonlySet<number> {
  const blocked = new Set<number>();
  if (!after) return blocked;
  let before: number;
  do {
    before = blocked.size;
    for (let k = 0; k < call.length && call[k] <= moment; k++)
      for (let i = after.start[k]; i < after.start[k + 1]; i++)
        if (call[after.items[i]] > moment || blocked.has(after.items[i])) blocked.add(k);
  } while (blocked.size > before);
  return blocked;
}

/**
 * The events with each earlier operation returned before the later one is called. Undefined if the earlier one never
 * returns, or is called later.
 */
export function afterAsTime({ after, events, return: returned }: Columns): Int32Array | undefined {
  if (!after) return events;
  const ordered = new Int32Array(events.length);
  /** Operation: 1 once it is called, 2 once it has returned. */
  const state = new Uint8Array(returned.length);
  let next = 0;
  for (const event of events) {
    if (event < 0) {
      if (state[~event] === 2) continue;
      state[~event] = 2;
    } else {
      for (const earlier of after.items.subarray(after.start[event], after.start[event + 1])) {
        if (state[earlier] === 0 || returned[earlier] === NEVER) return undefined;
        if (state[earlier] === 1) ordered[next++] = ~earlier;
        state[earlier] = 2;
      }
      state[event] = 1;
    }
    ordered[next++] = event;
  }
  return ordered;
}
