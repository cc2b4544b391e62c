/**
 * Data structures over ranges of positions: counters that are decremented (segment tree of minima),
 * intervals found by their end (segment tree of maxima), and xor sums (Fenwick tree). Each call
 * costs O(log n).
 */

/** The end of an absent interval, or of one that has been found. */
export const NO_INTERVAL = -1;

/** Intervals by position: finds those of a range of positions that end after a point, each once. */
export class IntervalsByEnd {
  /** The positions that `take` found: the first `count` items, ascending. */
  readonly found: Int32Array;
  count = 0;
  readonly #width: number;
  /** Node to the latest end below it. */
  readonly #latest: Int32Array;

  constructor(ends: Int32Array) {
    let width = 1;
    while (width < ends.length) width *= 2;
    this.#width = width;
    this.#latest = new Int32Array(2 * width).fill(NO_INTERVAL);
    this.#latest.set(ends, width);
    this.found = new Int32Array(ends.length);
    const latest = this.#latest;
    for (let node = width - 1; node >= 1; node--)
      latest[node] = Math.max(latest[2 * node], latest[2 * node + 1]);
  }

  /**
   * Finds and removes all intervals at positions from `begin` to `end - 1` that end after `point`,
   * which must not be negative.
   */
  take(begin: number, end: number, point: number): void {
    this.count = 0;
    if (begin < end) this.#takeBelow(1, 0, this.#width, begin, end, point);
  }

  /** `low` and `high` bound the positions below the node. */
  #takeBelow(node: number, low: number, high: number, begin: number, end: number, point: number): void {
    const latest = this.#latest;
    if (low >= end || high <= begin || latest[node] <= point) return;
    if (node >= this.#width) {
      this.found[this.count++] = low;
      latest[node] = NO_INTERVAL;
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
 * Positions with an xor sum of the numbers toggled over ranges of positions.
 *
 *   P. Fenwick. A new data structure for cumulative frequency tables. 1994, over differences.
 *
 * If all ranges over a position but one have been toggled twice, its sum is the number of that one.
 * Cost: O(log n) per call, 4 bytes per position.
 */
export class RangeXor {
  readonly #sums: Int32Array;

  constructor(length: number) {
    this.#sums = new Int32Array(length + 1);
  }

  /** Toggles a number at the positions from `begin` to `end - 1`. */
  toggle(begin: number, end: number, number: number): void {
    this.#change(begin, number);
    this.#change(end, number);
  }

  at(position: number): number {
    let sum = 0;
    for (let node = position + 1; node > 0; node &= node - 1) sum ^= this.#sums[node];
    return sum;
  }

  #change(position: number, number: number): void {
    const sums = this.#sums;
    for (let node = position + 1; node < sums.length; node += node & -node) sums[node] ^= number;
  }
}

/** A counter that is absent or has been reported. */
const REPORTED = 0x3fff_ffff;

/**
 * Counters, of which ranges are decremented by one; each counter that reaches zero is reported once.
 *
 * A decrement of a whole subtree is noted at its root and never pushed down: `#least[node]` is the least counter
 * below the node, without the notes of its ancestors. Cost: O(log n) per range and per counter that reaches zero; 16 bytes
 * per counter, rounded up to a power of two.
 */
export class RangeCountdown {
  /**
   * The counters that the constructor or the last `lower` brought to zero: the first `count` items,
   * ascending.
   */
  readonly zeros: Int32Array;
  count = 0;
  readonly #width: number;
  readonly #least: Int32Array;
  readonly #taken: Int32Array;

  /** Counters that are negative initially are never reported. */
  constructor(counts: Int32Array) {
    let width = 1;
    while (width < counts.length) width *= 2;
    this.#width = width;
    this.#least = new Int32Array(2 * width).fill(REPORTED);
    this.#taken = new Int32Array(width);
    this.zeros = new Int32Array(counts.length);
    const least = this.#least;
    for (let i = 0; i < counts.length; i++)
      if (counts[i] > 0) least[width + i] = counts[i];
      else if (counts[i] === 0) this.zeros[this.count++] = i;
    for (let node = width - 1; node >= 1; node--)
      least[node] = Math.min(least[2 * node], least[2 * node + 1]);
  }

  /**
   * Decrements the counters from `begin` to `end - 1`, which must be positive or reported, and sets
   * `zeros`.
   */
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
      this.#update(left);
      this.#update(right);
    }
    for (; left >= 1; left >>= 1) this.#update(left);
  }

  #update(node: number): void {
    const least = this.#least;
    const [left, right] = [least[2 * node], least[2 * node + 1]];
    least[node] = (left < right ? left : right) - this.#taken[node];
  }

  /** `taken`: the sum of the decrements noted above this node. */
  #collectBelow(node: number, taken: number): void {
    if (this.#least[node] > taken) return;
    if (node >= this.#width) {
      this.zeros[this.count++] = node - this.#width;
      this.#least[node] = REPORTED;
      return;
    }
    const below = taken + this.#taken[node];
    this.#collectBelow(2 * node, below);
    this.#collectBelow(2 * node + 1, below);
    this.#update(node);
  }
}
