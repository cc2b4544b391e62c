/**
 * Configurations as rows of one array, and their conversion to sets and back.
 *
 * A row has the state, a mark for each slot of an open operation, and words with a bit for each operation of unknown
 * outcome that has taken effect. Rows get wider when no slot or bit is left. Sets of configurations (`RecordSet`)
 * have one more cell in front, for their own use. Of two configurations that differ only in the bits, a set keeps the
 * one that used less, if that one is added first.
 */
import { RecordSet } from '../../base/collections/record-set.js';

export class ConfigurationTable {
  cells: Int32Array;
  size = 1;
  slots = 0;
  words = 0;

  /** One configuration, without open operations. */
  constructor(state: number) {
    this.cells = Int32Array.of(state);
  }

  get width(): number {
    return 1 + this.slots + this.words;
  }

  /** Calls a function with the start of each row. */
  each(look: (at: number) => void): void {
    for (let at = 0; at < this.size * this.width; at += this.width) look(at);
  }

  /** An empty set for configurations of the current layout. */
  records(): RecordSet {
    return new RecordSet(1 + this.width, 1, { room: Math.max(4, this.size), bits: this.words });
  }

  /** Adds a configuration to a set, without the mark of a slot. */
  keep(set: RecordSet, from: Int32Array, at: number, slot: number): void {
    const draft = set.draft();
    set.records[draft] = 0;
    for (let i = 0; i < this.width; i++) set.records[draft + 1 + i] = from[at + i];
    if (slot >= 0) set.records[draft + 2 + slot] = 0;
    set.add();
  }

  /** Replaces the configurations; of those that differ only in what they used, keeps the best. */
  take(set: RecordSet): void {
    const width = this.width;
    const rows = Array.from({ length: set.size }, (_, record) => record * set.width + 1);
    if (this.words > 0) rows.sort((a, b) => this.#usedIn(set.records, a) - this.#usedIn(set.records, b));
    const best = this.words > 0 ? this.records() : set;
    if (best !== set) for (const at of rows) this.keep(best, set.records, at, -1);
    this.cells = new Int32Array(best.size * width);
    this.size = best.size;
    for (let record = 0; record < best.size; record++) {
      const at = record * best.width + 1;
      this.cells.set(best.records.subarray(at, at + width), record * width);
    }
  }

  /** How many operations with unknown outcome have taken effect. */
  #usedIn(records: Int32Array, at: number): number {
    let used = 0;
    for (let word = 0; word < this.words; word++)
      for (let left = records[at + 1 + this.slots + word]; left !== 0; left &= left - 1) used++;
    return used;
  }

  /** Makes room for this many slots and words, and moves the contents. */
  layOut(slots: number, words: number): void {
    const table = new Int32Array(this.size * (1 + slots + words));
    for (let configuration = 0; configuration < this.size; configuration++) {
      const from = configuration * this.width;
      const to = configuration * (1 + slots + words);
      for (let i = 0; i <= Math.min(slots, this.slots); i++) table[to + i] = this.cells[from + i];
      for (let word = 0; word < this.words; word++)
        table[to + 1 + slots + word] = this.cells[from + 1 + this.slots + word];
    }
    this.cells = table;
    this.slots = slots;
    this.words = words;
  }
}
