/**
 * Where a 32-bit integer stands in a list of values.
 *
 * The table has places only; the integers themselves stand in the list. Open
 * addressing with linear probing, at most three quarters full. A built-in Map
 * would take five times the room, and holds 2^24 entries at most.
 *
 * Cost: O(1) a call; 5 to 11 bytes an integer.
 */
export class IntPlaces {
  size = 0;
  readonly #values: readonly unknown[];
  /** Hash slot to place + 1; 0 is free. The length is a power of two. */
  #slots: Int32Array = new Int32Array(16);

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  /** The place of an integer, or -1. */
  find(int: number): number {
    const slots = this.#slots;
    let slot = hash(int) & (slots.length - 1);
    for (let place = slots[slot] - 1; place >= 0; place = slots[slot] - 1) {
      if (this.#values[place] === int) return place;
      slot = (slot + 1) & (slots.length - 1);
    }
    return -1;
  }

  /** Adds an integer that is not there yet. */
  add(int: number, place: number): void {
    if (4 * ++this.size > 3 * this.#slots.length) this.#grow();
    this.#put(int, place);
  }

  #put(int: number, place: number): void {
    const slots = this.#slots;
    let slot = hash(int) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = place + 1;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    for (let slot = 0; slot < old.length; slot++)
      if (old[slot] !== 0) this.#put(this.#values[old[slot] - 1] as number, old[slot] - 1);
  }
}

function hash(int: number): number {
  const mixed = Math.imul(int ^ (int >>> 16), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
