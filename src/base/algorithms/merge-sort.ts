/**
 * A stable merge sort of integers with a caller-supplied comparison.
 *
 * Recorded events are nearly sorted, so insertion sort usually suffices. If too many items have to
 * move, short runs are sorted by insertion and merged pairwise, in place. The prefix of the left
 * run that is smaller than the right run, and the suffix of the right run that is larger than the
 * left run, are found by binary search and stay in place.
 *
 * Cost: O(n log n) comparisons; about four per integer on nearly sorted input.
 */
const RUN_LENGTH = 16;
/** Up to this many moves per integer, insertion is as cheap as merging. */
const MAX_MOVES_PER_ITEM = 12;

export function mergeSort(items: Int32Array, compare: (a: number, b: number) => number): Int32Array {
  const sorted = items.slice();
  if (sortByInsertion(sorted, 0, sorted.length, MAX_MOVES_PER_ITEM * sorted.length, compare)) return sorted;

  const buffer = new Int32Array(items.length);
  for (let start = 0; start < sorted.length; start += RUN_LENGTH)
    sortByInsertion(
      sorted,
      start,
      Math.min(start + RUN_LENGTH, sorted.length),
      RUN_LENGTH * RUN_LENGTH,
      compare,
    );
  for (let width = RUN_LENGTH; width < sorted.length; width *= 2)
    for (let middle = width; middle < sorted.length; middle += 2 * width)
      merge(sorted, middle - width, middle, Math.min(middle + width, sorted.length), buffer, compare);
  return sorted;
}

/**
 * Sorts a run in place by insertion. Returns false, with a prefix sorted, if that takes more than
 * `most` moves.
 */
export function sortByInsertion(
  items: Int32Array,
  start: number,
  end: number,
  most: number,
  compare: (a: number, b: number) => number,
): boolean {
  let left = most;
  for (let i = start + 1; i < end; i++) {
    const item = items[i];
    let j = i;
    for (; j > start && compare(items[j - 1], item) > 0; j--) items[j] = items[j - 1];
    items[j] = item;
    left -= i - j;
    if (left < 0) return false;
  }
  return true;
}

/** Merges two adjacent runs; items of the left run that move are buffered in `buffer`. */
function merge(
  items: Int32Array,
  start: number,
  middle: number,
  end: number,
  buffer: Int32Array,
  compare: (a: number, b: number) => number,
): void {
  const [lastLeft, firstRight] = [items[middle - 1], items[middle]];
  if (compare(lastLeft, firstRight) <= 0) return;

  // items of the left run from `first` on are larger than the first of the right run
  let first = start;
  for (let high = middle; first < high; ) {
    const half = (first + high) >>> 1;
    if (compare(items[half], firstRight) > 0) high = half;
    else first = half + 1;
  }
  // items of the right run from `stop` on are not smaller than the last of the left run
  let stop = middle;
  for (let high = end; stop < high; ) {
    const half = (stop + high) >>> 1;
    if (compare(lastLeft, items[half]) <= 0) high = half;
    else stop = half + 1;
  }

  const count = middle - first;
  for (let i = 0; i < count; i++) buffer[i] = items[first + i];
  let left = 0;
  let right = middle;
  for (let i = first; left < count; i++) {
    const takesRight = right < stop && compare(buffer[left], items[right]) > 0;
    items[i] = takesRight ? items[right++] : buffer[left++];
  }
}
