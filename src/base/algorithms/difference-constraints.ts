/**
 * A system of difference constraints x[to] - x[from] >= least over whole numbers, kept closed: every bound that follows from
 * others is known.
 *
 *   R. Dechter, I. Meiri, J. Pearl. Temporal constraint networks. Artificial Intelligence 49, 1991, section 3.
 *
 * A solution exists if and only if no cycle of bounds has a positive sum. Invariant: the system has a solution, and the bound
 * between two instants is the longest path between them. So systems with the same solutions are equal, and dropping an
 * instant is a projection. Cost, for n instants: a query is O(1), a bound or a copy is O(n²).
 */
export class DifferenceConstraints {
  /** The bounds of instant i are row i. */
  #rows: number[][];

  constructor(instants = 0) {
    this.#rows = [];
    for (let i = 0; i < instants; i++) this.addInstant();
  }

  get instants(): number {
    return this.#rows.length;
  }

  /** Adds an instant without bounds and returns its number. */
  addInstant(): number {
    const number = this.#rows.length;
    for (const row of this.#rows) row.push(Number.NEGATIVE_INFINITY);
    this.#rows.push([...new Array<number>(number).fill(Number.NEGATIVE_INFINITY), 0]);
    return number;
  }

  /** The greatest known bound. */
  least(from: number, to: number): number {
    return this.#rows[from][to];
  }

  /** Does the system have a solution with this bound? */
  allows(from: number, to: number, least: number): boolean {
    return this.#rows[to][from] + least <= 0;
  }

  /** Adds a bound that the system allows. */
  require(from: number, to: number, least: number): void {
    const target = this.#rows[to];
    if (target[from] + least > 0) throw new RangeError('the bound has no solution');
    if (this.#rows[from][to] >= least) return;
    for (const row of this.#rows) {
      const start = row[from] + least;
      if (start === Number.NEGATIVE_INFINITY) continue;
      for (let j = 0; j < row.length; j++) if (start + target[j] > row[j]) row[j] = start + target[j];
    }
  }

  /** Drops all bounds from an instant, so that it may be arbitrarily late. */
  delay(instant: number): void {
    this.#rows[instant].fill(Number.NEGATIVE_INFINITY);
    this.#rows[instant][instant] = 0;
  }

  /** A copy with these instants only, numbered in this order. */
  project(instants: readonly number[]): DifferenceConstraints {
    const projected = new DifferenceConstraints();
    projected.#rows = instants.map((i) => instants.map((j) => this.#rows[i][j]));
    return projected;
  }

  /** Is every solution of another system, over the same instants, one of this system? */
  includes(other: DifferenceConstraints): boolean {
    return this.#rows.every((row, i) => row.every((least, j) => least <= other.#rows[i][j]));
  }

  /** Equal for equal systems. */
  get key(): string {
    return this.#rows.join(';');
  }
}
