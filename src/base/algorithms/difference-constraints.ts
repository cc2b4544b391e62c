/**
 * A system of difference constraints x[j] - x[i] >= w: can all instants be placed?
 *
 *   R. Dechter, I. Meiri, J. Pearl. Temporal constraint networks. Artificial Intelligence 49, 1991, section 3.
 *
 * A solution exists if and only if no cycle of bounds has a positive sum. Longest paths from the
 * first instant give the earliest solution (Bellman and Ford). Cost: O(instants · bounds) per
 * query; adding a bound is O(1).
 */
export class DifferenceConstraints {
  #instants = 1;
  /** Triples: from, to, lower bound of the difference. */
  readonly #bounds: number[] = [];

  /** Adds an instant and returns its number. Instant 0 exists from the start. */
  addInstant(): number {
    return this.#instants++;
  }

  /**
   * Requires `to` to be at least `least` after `from`; if `least` is negative, at most that much
   * before it.
   */
  addBound(from: number, to: number, least: number): void {
    this.#bounds.push(from, to, least);
  }

  /** True if the system has a solution with the bounds that `add` adds; they are removed again. */
  isConsistentWith(add: () => void): boolean {
    const { length } = this.#bounds;
    add();
    const isPossible = this.#solve() !== undefined;
    this.#bounds.length = length;
    return isPossible;
  }

  /** The earliest time of an instant after the first one. */
  earliest(instant: number): number {
    return this.#solve()?.[instant] ?? 0;
  }

  #solve(): Float64Array | undefined {
    const times = new Float64Array(this.#instants);
    const bounds = this.#bounds;
    for (let round = 0; round <= this.#instants; round++) {
      let hasChanged = false;
      for (let i = 0; i < bounds.length; i += 3) {
        const time = times[bounds[i]] + bounds[i + 2];
        if (time <= times[bounds[i + 1]]) continue;
        times[bounds[i + 1]] = time;
        hasChanged = true;
      }
      if (!hasChanged) return times;
    }
    return undefined;
  }
}
