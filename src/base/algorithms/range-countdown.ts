/**
 * Many counters in a row. Stretches of them are lowered by one, and who reaches zero is told, once.
 *
 * A segment tree of minima. What is taken from a whole subtree is noted at its root and never
 * pushed down: `#least[node]` has the least counter below the node, the notes of nodes above it left out.
 * Cost: O(log n) for a stretch and for each counter that reaches zero; 16 bytes a counter, rounded up to a power of two.
 */

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
