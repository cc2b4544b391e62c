/**
 * A stable merge sort of integers by a comparison of the caller's.
 *
 * Runs of eight are sorted by insertion, then merged two by two; two runs that
 * stand in order already are copied without a comparison each. Recorded events
 * are nearly in order, so most merges are copies.
 *
 * Cost: O(n log n) comparisons, about n on nearly sorted input.
 */
const RUN = 8;

export function mergeSort(items: Int32Array, compare: (a: number, b: number) => number): Int32Array {
  let from = items.slice();
  let to = new Int32Array(items.length);

  // sort runs of eight in place
  for (let start = 0; start < from.length; start += RUN) {
    const end = Math.min(start + RUN, from.length);
    for (let i = start + 1; i < end; i++) {
      const item = from[i];
      let j = i;
      for (; j > start && compare(from[j - 1], item) > 0; j--) from[j] = from[j - 1];
      from[j] = item;
    }
  }

  // merge pairs of runs, back and forth between the two arrays
  for (let width = RUN; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      if (middle === end || compare(from[middle - 1], from[middle]) <= 0) {
        to.set(from.subarray(start, end), start);
        continue;
      }
      let left = start;
      let right = middle;
      for (let i = start; i < end; i++) {
        const takeLeft = left < middle && (right === end || compare(from[left], from[right]) <= 0);
        to[i] = takeLeft ? from[left++] : from[right++];
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
