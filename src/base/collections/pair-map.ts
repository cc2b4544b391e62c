/**
 * A map from pairs of non-negative 32-bit integers to one such integer or -1.
 *
 * Open addressing with linear probing in one array of triples (first, second, value), at most half
 * full. Cost: O(1) per call, 24 to 48 bytes per entry.
 */

/** The result of `get` for an absent pair. */
export const ABSENT = -2;

export class PairMap {
  size = 0;
  /** Three cells per slot; a slot is free if its first cell is -1. */
  #cells: Int32Array = new Int32Array(3 * 64).fill(-1);
  #last = 63;

  /** Memory in use, plus what the table needs temporarily if it is about to grow. */
  get bytes(): number {
    const isNearlyFull = 2.2 * this.size > this.#last;
    return (isNearlyFull ? 3 : 1) * this.#cells.byteLength;
  }

  get(first: number, second: number): number {
    const cells = this.#cells;
    let slot = hash(first, second) & this.#last;
    for (;;) {
      const cell = 3 * slot;
      if (cells[cell] === first && cells[cell + 1] === second) return cells[cell + 2];
      if (cells[cell] === -1) return ABSENT;
      slot = (slot + 1) & this.#last;
    }
  }

  /** Adds an absent pair. */
  add(first: number, second: number, value: number): void {
    if (2 * (this.size + 1) > this.#last + 1) this.#grow();
    this.#place(first, second, value);
    this.size++;
  }

  #place(first: number, second: number, value: number): void {
    const cells = this.#cells;
    let slot = hash(first, second) & this.#last;
    while (cells[3 * slot] !== -1) slot = (slot + 1) & this.#last;
    cells[3 * slot] = first;
    cells[3 * slot + 1] = second;
    cells[3 * slot + 2] = value;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(2 * old.length).fill(-1);
    this.#last = 2 * this.#last + 1;
    for (let cell = 0; cell < old.length; cell += 3)
      if (old[cell] !== -1) this.#place(old[cell], old[cell + 1], old[cell + 2]);
  }
}

function hash(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
