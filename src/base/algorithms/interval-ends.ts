/**
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
