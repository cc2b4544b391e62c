/**
 * Arrays of 32-bit integers, with plain loops: `from` and `map` call back for each item and are
 * many times slower.
 */

/** Bit sets in 32-bit words: tests a bit of the set that starts at `words[start]`. */
export const hasBit = (words: Int32Array, start: number, bit: number): boolean =>
  ((words[start + (bit >>> 5)] >>> (bit & 31)) & 1) === 1;

export function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] |= 1 << (bit & 31);
}

export function clearBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] &= ~(1 << (bit & 31));
}

/** The lowest set bit of a non-zero word. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

/** The set bits of a word, ascending. */
export function bitsOf(word: number): number[] {
  const bits: number[] = [];
  for (let rest = word; rest !== 0; rest &= rest - 1) bits.push(lowestBit(rest));
  return bits;
}

/** 0, 1, … length - 1. */
export function range(length: number): Int32Array {
  const items = new Int32Array(length);
  for (let i = 0; i < length; i++) items[i] = i;
  return items;
}

/** The items at the given positions, in that order. */
export function pick(items: Int32Array, positions: Int32Array): Int32Array {
  const picked = new Int32Array(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = items[positions[i]];
  return picked;
}

/** The distinct items in order of first occurrence; items must not be negative. */
export function distinct(items: Int32Array): number[] {
  const found: number[] = [];
  let seen = new Uint8Array(64);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (seen[item] === 1) continue;
    if (item >= seen.length) {
      const larger = new Uint8Array(2 * item);
      larger.set(seen);
      seen = larger;
    }
    seen[item] = 1;
    found.push(item);
  }
  return found;
}

/** Byte length from which arrays grow eightfold. */
const LARGE_BYTES = 2 ** 25;

/**
 * A copy with room for at least `capacity` items, and at least twice as long. During a copy both
 * arrays exist, so large ones grow eightfold and are rarely copied; untouched memory is not
 * committed.
 */
export function grown(items: Int32Array, capacity: number): Int32Array {
  const factor = items.byteLength < LARGE_BYTES ? 2 : 8;
  const larger = new Int32Array(Math.max(capacity, factor * items.length));
  larger.set(items);
  return larger;
}

/* A heap */

const EMPTY = -1;

/** A binary heap of items 0, 1, …; the one with the least key is on top. Cost: O(log n) per change. */
export class IntHeap {
  readonly #keys: Int32Array;
  readonly #items: number[] = [];

  constructor(keys: Int32Array) {
    this.#keys = keys;
  }

  /** The item on top; -1 if there is none. */
  get first(): number {
    return this.#items[0] ?? EMPTY;
  }

  push(item: number): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#keys[items[parent]] <= this.#keys[item]) break;
      items[place] = items[parent];
      place = parent;
    }
    items[place] = item;
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop() ?? EMPTY;
    if (items.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#keys[items[child + 1]] < this.#keys[items[child]]) child++;
      if (this.#keys[items[child]] >= this.#keys[last]) break;
      items[place] = items[child];
      place = child;
    }
    items[place] = last;
  }
}
const RUN_LENGTH = 16;
/** Up to this many moves per integer, insertion is as cheap as merging. */
const MAX_MOVES_PER_ITEM = 12;

/**
 * A stable merge sort with a caller-supplied comparison.
 *
 * Recorded events are nearly sorted, so insertion sort usually suffices. If too many items have to
 * move, short runs are sorted by insertion and merged pairwise, in place. The prefix of the left
 * run that is smaller than the right run, and the suffix of the right run that is larger than the
 * left run, are found by binary search and stay in place.
 *
 * Cost: O(n log n) comparisons; about four per integer on nearly sorted input.
 */
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
