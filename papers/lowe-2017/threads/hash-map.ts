/**
 * A hash map in shared memory, whose slots are locked by their status: examples/lowe/hash-map.ts, for real threads.
 *
 * Three words a slot: key + 1, status, value. Who updates takes the slot by a compare-and-set of its status to UPDATING; all others
 * wait until it is STORED.
 */
const EMPTY = 0;
const UPDATING = 1;
const STORED = 2;
const DELETED = 3;

const WORDS = 3;

export class HashMap {
  protected readonly words: Int32Array;

  /** Over memory that is all 0 at first. */
  constructor(words: Int32Array) {
    this.words = words;
  }

  static memory(capacity: number): Int32Array {
    return new Int32Array(new SharedArrayBuffer(4 * WORDS * capacity));
  }

  update(key: number, value: number): void {
    const slot = this.slotOf(key);
    for (;;) {
      const old = Atomics.load(this.words, slot + 1);
      if (old !== UPDATING && Atomics.compareExchange(this.words, slot + 1, old, UPDATING) === old) break;
    }
    Atomics.store(this.words, slot + 2, value);
    Atomics.store(this.words, slot + 1, STORED);
  }

  get(key: number): number | null {
    const slot = this.slotOf(key);
    for (;;) {
      const status = Atomics.load(this.words, slot + 1);
      if (status !== UPDATING) return status === STORED ? Atomics.load(this.words, slot + 2) : null;
    }
  }

  delete(key: number): void {
    const slot = this.slotOf(key);
    for (;;) {
      const old = Atomics.load(this.words, slot + 1);
      if (old === EMPTY || old === DELETED) return;
      if (old === STORED && Atomics.compareExchange(this.words, slot + 1, old, DELETED) === old) return;
    }
  }

  /** Where the slot of a key begins: the first that has it, or the first free one, which it then takes. */
  protected slotOf(key: number): number {
    for (let slot = 0; slot < this.words.length; slot += WORDS) {
      const owner = Atomics.compareExchange(this.words, slot, 0, key + 1);
      if (owner === 0 || owner === key + 1) return slot;
    }
    throw new Error('the map is full');
  }
}

/** Delete stores DELETED over whatever is there, UPDATING too: what was deleted may be there again. */
export class HashMapFaulty extends HashMap {
  override delete(key: number): void {
    const slot = this.slotOf(key);
    if (Atomics.load(this.words, slot + 1) !== EMPTY) Atomics.store(this.words, slot + 1, DELETED);
  }
}
