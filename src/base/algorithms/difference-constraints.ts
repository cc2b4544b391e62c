/**
 * Instants of which only differences are bounded: x[j] - x[i] >= w. Can they all be placed?
 *
 * They can if and only if no cycle of bounds has a positive sum (R. Dechter, I. Meiri, J. Pearl. Temporal
 * constraint networks. Artificial Intelligence 49, 1991, section 3). Longest paths from the first instant give
 * the earliest places.
 *
 * Cost: O(instants · bounds) a question, and nothing while bounds are added.
 */
export class Differences {
  #instants = 1;
  /** From, to, at least: three numbers a bound. */
  readonly #bounds: number[] = [];

  /** A new instant, and its number; the first one, 0, is there from the beginning. */
  instant(): number {
    return this.#instants++;
  }

  /** `to` comes at least so long after `from`; or, where that is negative, at most so long before it. */
  bound(from: number, to: number, least: number): void {
    this.#bounds.push(from, to, least);
  }

  /** Can all be placed if what `add` bounds is bounded as well? It is forgotten again. */
  allows(add: () => void): boolean {
    const { length } = this.#bounds;
    add();
    const isPossible = this.#places() !== undefined;
    this.#bounds.length = length;
    return isPossible;
  }

  /** How long after the first instant one comes at the earliest. */
  earliest(instant: number): number {
    return this.#places()?.[instant] ?? 0;
  }

  #places(): Float64Array | undefined {
    const places = new Float64Array(this.#instants);
    const bounds = this.#bounds;
    for (let round = 0; round <= this.#instants; round++) {
      let isMoved = false;
      for (let i = 0; i < bounds.length; i += 3) {
        const place = places[bounds[i]] + bounds[i + 2];
        if (place <= places[bounds[i + 1]]) continue;
        places[bounds[i + 1]] = place;
        isMoved = true;
      }
      if (!isMoved) return places;
    }
    return undefined;
  }
}
