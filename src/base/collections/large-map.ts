/**
 * A map of any size. A built-in Map holds 2^24 entries at most, and throws beyond; so there are as many as needed.
 *
 * Cost: O(1) a call, and another look-up for each 2^24 entries.
 */
const MOST_ENTRIES = 2 ** 24;

export class LargeMap<K, V extends object | number | string> {
  readonly #most: number;
  readonly #maps: Map<K, V>[] = [new Map()];

  constructor(most: number = MOST_ENTRIES) {
    this.#most = most;
  }

  get size(): number {
    return (this.#maps.length - 1) * this.#most + this.#maps[this.#maps.length - 1].size;
  }

  get(key: K): V | undefined {
    for (let i = 0; i < this.#maps.length; i++) {
      const value = this.#maps[i].get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Adds a key that is not there yet. */
  add(key: K, value: V): void {
    const last = this.#maps[this.#maps.length - 1];
    if (last.size < this.#most) last.set(key, value);
    else this.#maps.push(new Map([[key, value]]));
  }
}
