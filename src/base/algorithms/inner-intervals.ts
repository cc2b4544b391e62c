/**
 * Counts, for many spans at once, the intervals that lie strictly inside each.
 *
 * Spans are sorted by their ends and intervals by theirs, and a Fenwick tree counts the intervals passed so far by their
 * starts.
 *
 * Cost: O((n + m) log n) for n intervals and m spans.
 */

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** For each span, the number of intervals that start after its start and end before its end. */
export function countInside(intervals: readonly Interval[], spans: readonly Interval[]): number[] {
  const starts = intervals.map(({ start }) => start).sort((a, b) => a - b);
  const size = starts.length;
  const byEnd = [...intervals].sort((a, b) => a.end - b.end);
  /** A Fenwick tree over the places in `starts`, from the last to the first. */
  const sums = new Int32Array(size + 1);
  const counts = spans.map(() => 0);
  let next = 0;
  for (const i of [...spans.keys()].sort((a, b) => spans[a].end - spans[b].end)) {
    for (; next < size && byEnd[next].end < spans[i].end; next++)
      for (let at = size - upperBound(starts, byEnd[next].start) + 1; at <= size; at += at & -at) sums[at]++;
    for (let at = size - upperBound(starts, spans[i].start); at > 0; at -= at & -at) counts[i] += sums[at];
  }
  return counts;
}

/** How many of these ascending numbers are at most a number. */
export function upperBound(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] > most) high = middle;
    else low = middle + 1;
  }
  return low;
}
