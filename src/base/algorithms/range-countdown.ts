/**
 * Many counters in a row. Stretches of them are lowered by one, and who reaches zero is told, once.
 *
 * A segment tree of minima. What is taken from a whole subtree is noted at its root and never
 * pushed down: `#least[node]` has the least counter below the node, the notes of nodes above it left out.
 * Cost: O(log n) for a stretch and for each counter that reaches zero; 16 bytes a counter, rounded up to a power of two.
 */

/*
 * Intervals in a row, by their ends: which of a stretch of them end behind a point? Each is found once.
 *
 * A segment tree of maxima. Cost: O(log n) a question, and for each interval found.
 */

/** The end of an interval that there is not, or that has been found. */
export const NO_SPAN = -1;

export class Spans {
  /** What `take` found: the first `count` entries, ascending. */
  readonly found: Int32Array;
  count = 0;
  readonly #width: number;
  /** Node to the latest end below it. */
  readonly #latest: Int32Array;

  constructor(ends: Int32Array) {
    let width = 1;
    while (width < ends.length) width *= 2;
    this.#width = width;
    this.#latest = new Int32Array(2 * width).fill(NO_SPAN);
    this.#latest.set(ends, width);
    this.found = new Int32Array(ends.length);
    const latest = this.#latest;
    for (let node = width - 1; node >= 1; node--)
      latest[node] = Math.max(latest[2 * node], latest[2 * node + 1]);
  }

  /** Finds all from place `begin` up to place `end` that end behind the point, which is not negative. */
  take(begin: number, end: number, point: number): void {
    this.count = 0;
    if (begin < end) this.#takeBelow(1, 0, this.#width, begin, end, point);
  }

  /** `low` and `high` bound the places below the node. */
  #takeBelow(node: number, low: number, high: number, begin: number, end: number, point: number): void {
    const latest = this.#latest;
    if (low >= end || high <= begin || latest[node] <= point) return;
    if (node >= this.#width) {
      this.found[this.count++] = low;
      latest[node] = NO_SPAN;
      return;
    }
    const middle = (low + high) >>> 1;
    this.#takeBelow(2 * node, low, middle, begin, end, point);
    this.#takeBelow(2 * node + 1, middle, high, begin, end, point);
    const [left, right] = [latest[2 * node], latest[2 * node + 1]];
    latest[node] = left > right ? left : right;
  }
}

/**
 * Places in a row, each with a sum (xor) of numbers that are toggled over stretches of places.
 *
 * Where all but one of the stretches over a place have been toggled twice, its sum is the number of the one.
 *
 *   P. Fenwick. A new data structure for cumulative frequency tables. 1994, over differences.
 *
 * Cost: O(log n) a call, 4 bytes a place.
 */
export class Toggles {
  readonly #sums: Int32Array;

  constructor(length: number) {
    this.#sums = new Int32Array(length + 1);
  }

  /** Toggles a number at the places from `begin` up to `end`. */
  toggle(begin: number, end: number, number: number): void {
    this.#change(begin, number);
    this.#change(end, number);
  }

  at(place: number): number {
    let sum = 0;
    for (let node = place + 1; node > 0; node &= node - 1) sum ^= this.#sums[node];
    return sum;
  }

  #change(place: number, number: number): void {
    const sums = this.#sums;
    for (let node = place + 1; node < sums.length; node += node & -node) sums[node] ^= number;
  }
}

/** A counter that is told, or is none. */
const OUT = 0x3fff_ffff;

export class Countdowns {
  /** The counters that `lower` or the beginning brought to zero: the first `count` entries, ascending. */
  readonly zeros: Int32Array;
  count = 0;
  readonly #width: number;
  readonly #least: Int32Array;
  readonly #taken: Int32Array;

  /** A counter that is below zero at first is never told. */
  constructor(counts: Int32Array) {
    let width = 1;
    while (width < counts.length) width *= 2;
    this.#width = width;
    this.#least = new Int32Array(2 * width).fill(OUT);
    this.#taken = new Int32Array(width);
    this.zeros = new Int32Array(counts.length);
    const least = this.#least;
    for (let i = 0; i < counts.length; i++)
      if (counts[i] > 0) least[width + i] = counts[i];
      else if (counts[i] === 0) this.zeros[this.count++] = i;
    for (let node = width - 1; node >= 1; node--)
      least[node] = Math.min(least[2 * node], least[2 * node + 1]);
  }

  /** Lowers the counters from `begin` up to `end`, which are above zero or have been told, and sets `zeros`. */
  lower(begin: number, end: number): void {
    this.count = 0;
    if (begin < end) this.#lower(begin + this.#width, end + this.#width);
    if (this.#least[1] <= 0) this.#collectBelow(1, 0);
  }

  #lower(begin: number, end: number): void {
    const least = this.#least;
    const taken = this.#taken;
    const width = this.#width;
    for (let low = begin, high = end; low < high; low >>= 1, high >>= 1) {
      if (low & 1) {
        least[low]--;
        if (low < width) taken[low]++;
        low++;
      }
      if (high & 1) {
        high--;
        least[high]--;
        if (high < width) taken[high]++;
      }
    }
    let [left, right] = [begin >> 1, (end - 1) >> 1];
    for (; left !== right; left >>= 1, right >>= 1) {
      this.#renew(left);
      this.#renew(right);
    }
    for (; left >= 1; left >>= 1) this.#renew(left);
  }

  #renew(node: number): void {
    const least = this.#least;
    const [left, right] = [least[2 * node], least[2 * node + 1]];
    least[node] = (left < right ? left : right) - this.#taken[node];
  }

  /** `taken`: what nodes above have noted. */
  #collectBelow(node: number, taken: number): void {
    if (this.#least[node] > taken) return;
    if (node >= this.#width) {
      this.zeros[this.count++] = node - this.#width;
      this.#least[node] = OUT;
      return;
    }
    const below = taken + this.#taken[node];
    this.#collectBelow(2 * node, below);
    this.#collectBelow(2 * node + 1, below);
    this.#renew(node);
  }
}
