/**
 * Where a value is at the front for sure, nobody else is.
 *
 * Peeks can tell of a stretch from `seen` to `last` in which one value is at the front. Two
 * stretches never overlap, and no value can have its whole time at the front within that of another. Where a value
 * has to be seen by a moment within another's stretch, it was seen before that began;
 * where it is still inside at such a moment, it is so up to the end (`clip` moves both).
 * Then "seen before the last moment of another" is an order. Cost: O(n) after sorting the stretches.
 */
import { NEVER } from '../../../history/model/columns.js';

/** Values at the front in turns, if there are; otherwise moments within stretches have been moved. */
export function clip(seen: Int32Array, last: Int32Array): readonly [number, number] | undefined {
  const stretches = Array.from(seen.keys())
    .filter((v) => seen[v] < last[v])
    .sort((a, b) => seen[a] - seen[b]);
  for (let i = 1; i < stretches.length; i++)
    if (seen[stretches[i]] < last[stretches[i - 1]]) return [stretches[i - 1], stretches[i]];
  if (stretches.length === 0) return undefined;
  const begins = Int32Array.from(stretches, (v) => seen[v]);
  const ends = Int32Array.from(stretches, (v) => last[v]);
  for (let v = 0; v < seen.length; v++) {
    if (seen[v] < last[v] || (seen[v] === NEVER && last[v] === NEVER)) continue;
    const before = lastBefore(begins, last[v]);
    const [ofLast, ofSeen] = [before, lastBefore(begins, seen[v])];
    if (ofLast >= 0 && last[v] < ends[ofLast] && seen[v] < ends[ofLast]) return [stretches[ofLast], v];
    if (ofLast >= 0 && last[v] < ends[ofLast]) last[v] = ends[ofLast];
    if (ofSeen >= 0 && seen[v] < ends[ofSeen]) seen[v] = begins[ofSeen];
  }
  return undefined;
}

/** The last of these ascending moments that is before another; -1 if none is. */
function lastBefore(moments: Int32Array, moment: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moments[middle] < moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
