/**
 * Places of 32-bit integers in a list, of which each has one.
 *
 * Open addressing with linear probing, at most three quarters full; an integer and its
 * place stand side by side, so that one look at memory finds both. A built-in Map would
 * take twice the room, and holds 2^24 entries at most.
 *
 * Cost: O(1) a call; 11 to 21 bytes an integer.
 */
export class IntPlaces {
  size = 0;
  /** Two cells a slot: the integer, and its place + 1, which is 0 where the slot is free. */
  #cells: Int32Array = new Int32Array(2 * 16);
  #last = 15;

  /** The place of an integer, or -1. */
  find(int: number): number {
    const cells = this.#cells;
    for (let slot = hash(int) & this.#last; cells[2 * slot + 1] !== 0; slot = (slot + 1) & this.#last)
      if (cells[2 * slot] === int) return cells[2 * slot + 1] - 1;
    return -1;
  }

  /** Adds an integer that is not there yet. */
  add(int: number, place: number): void {
    if (4 * ++this.size > 3 * this.#last) this.#grow();
    this.#put(int, place + 1);
  }

  #put(int: number, cell: number): void {
    const cells = this.#cells;
    let slot = hash(int) & this.#last;
    while (cells[2 * slot + 1] !== 0) slot = (slot + 1) & this.#last;
    cells[2 * slot] = int;
    cells[2 * slot + 1] = cell;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(2 * old.length);
    this.#last = old.length - 1;
    for (let cell = 0; cell < old.length; cell += 2)
      if (old[cell + 1] !== 0) this.#put(old[cell], old[cell + 1]);
  }
}

/** Sixteen integers in a row stand near each other, since who counts asks for one after another. */
function hash(int: number): number {
  const row = int >> 4;
  const mixed = Math.imul(row ^ (row >>> 16), 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) << 4) | (int & 15);
}
