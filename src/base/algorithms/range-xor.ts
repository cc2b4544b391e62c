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
