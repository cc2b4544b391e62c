/**
 * A stable merge sort of integers by a comparison of the caller's.
 *
 * Recorded events are nearly in order, and then insertion does all: each stands a few
 * places from where it belongs. If too many have to move, short runs are sorted by
 * insertion and merged two by two, in place. What stands in the left run before all of
 * the right one, or in the right run behind all of the left one, is found by halving and
 * stays where it is.
 *
 * Cost: O(n log n) comparisons, some four for each integer of nearly sorted input.
 */
const RUN = 16;
/** So many moves for each integer are no more than merging would take. */
const FEW_MOVES = 12;

export function mergeSort(items: Int32Array, compare: (a: number, b: number) => number): Int32Array {
  const sorted = items.slice();
  if (sortByInsertion(sorted, 0, sorted.length, FEW_MOVES * sorted.length, compare)) return sorted;

  const aside = new Int32Array(items.length);
  for (let start = 0; start < sorted.length; start += RUN)
    sortByInsertion(sorted, start, Math.min(start + RUN, sorted.length), RUN * RUN, compare);
  for (let width = RUN; width < sorted.length; width *= 2)
    for (let middle = width; middle < sorted.length; middle += 2 * width)
      merge(sorted, middle - width, middle, Math.min(middle + width, sorted.length), aside, compare);
  return sorted;
}

/** Sorts a run in place, by insertion; false if that takes more than so many moves, and then it is sorted up to somewhere. */
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

/** Merges two runs that stand side by side; what has to move of the left one is put aside. */
function merge(
  items: Int32Array,
  start: number,
  middle: number,
  end: number,
  aside: Int32Array,
  compare: (a: number, b: number) => number,
): void {
  const [lastLeft, firstRight] = [items[middle - 1], items[middle]];
  if (compare(lastLeft, firstRight) <= 0) return;

  // from here on the left run comes behind the first of the right one
  let first = start;
  for (let high = middle; first < high; ) {
    const half = (first + high) >>> 1;
    if (compare(items[half], firstRight) > 0) high = half;
    else first = half + 1;
  }
  // and from here on the right run behind the last of the left one
  let stop = middle;
  for (let high = end; stop < high; ) {
    const half = (stop + high) >>> 1;
    if (compare(lastLeft, items[half]) <= 0) high = half;
    else stop = half + 1;
  }

  const count = middle - first;
  for (let i = 0; i < count; i++) aside[i] = items[first + i];
  let left = 0;
  let right = middle;
  for (let i = first; left < count; i++) {
    const takesRight = right < stop && compare(aside[left], items[right]) > 0;
    items[i] = takesRight ? items[right++] : aside[left++];
  }
}
