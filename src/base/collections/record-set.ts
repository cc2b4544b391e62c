/**
 * A set of records, each of a fixed number of 32-bit integers, in *groups*: the
 * first integer of a record is the number of its group.
 *
 * The records stand one after another in `records`, in the order in which they
 * were added. Most groups are small; those of one group are chained, and looking
 * one up walks the chain: whoever works on one group after another touches
 * memory that is near. A group of more than LONGEST_CHAIN records is crowded:
 * its records are in a hash table (open addressing, at most half full).
 *
 * A record is written into place first and given up if it was there already, so
 * that looking up allocates nothing.
 *
 * The last integers may be bits of which *fewer are better*: then a record is also
 * given up if one is there that has the same integers before them and some of these bits.
 *
 * Cost: O(width) a call; 4·width + 4 bytes a record, 5 bytes a group, and 8 to 16
 * bytes more for a record of a crowded group.
 */
import { grown } from './ints.js';

const LONGEST_CHAIN = 12;

export class RecordSet {
  readonly width: number;
  /** The integers from here on are bits of which fewer are better. */
  readonly #bits: number;
  size = 0;
  /** The record that `add` kept or found last. */
  found = -1;
  /** Record j is `records[j * width]` up to `records[(j + 1) * width]`. */
  records: Int32Array;
  /** Record to the one before it in its group, + 1; 0 ends the chain. */
  #before: Int32Array;
  /** Group to its last record + 1; 0 for none. */
  readonly #last: Int32Array;
  /** Group to how many records it has, up to LONGEST_CHAIN + 1. */
  readonly #count: Uint8Array;
  /** Hash slot to record + 1, for the records of crowded groups; 0 is free. The length is a power of two. */
  #slots: Int32Array = new Int32Array(64);
  #hashed = 0;

  /** `room`: for how many records there is room at first; `bits`: how many integers at the end are bits, fewer being better. */
  constructor(width: number, groups: number, { room = 32, bits = 0 }: { room?: number; bits?: number } = {}) {
    this.width = width;
    this.#bits = width - bits;
    this.records = new Int32Array(width * room);
    this.#before = new Int32Array(room);
    this.#last = new Int32Array(groups);
    this.#count = new Uint8Array(groups);
  }

  /** Memory written to, and what the hash table needs beside itself when it is about to grow. */
  get bytes(): number {
    const isNearlyFull = 2.2 * this.#hashed > this.#slots.length;
    return (
      4 * this.size * (this.width + 1) +
      this.#last.byteLength +
      this.#count.byteLength +
      (isNearlyFull ? 3 : 1) * this.#slots.byteLength
    );
  }

  /** Where to write the next record, before `add` is asked to take it. */
  draft(): number {
    if (this.size === this.#before.length) {
      this.records = grown(this.records, 0);
      this.#before = grown(this.#before, 0);
    }
    return this.size * this.width;
  }

  /** Keeps the drafted record and tells true, unless an equal or better one is there already. */
  add(): boolean {
    const draft = this.size * this.width;
    const group = this.records[draft];
    if (this.#count[group] > LONGEST_CHAIN) {
      if (!this.#hash(this.size)) return false;
    } else {
      for (let record = this.#last[group]; record > 0; record = this.#before[record - 1]) {
        if (!this.#covers((record - 1) * this.width, draft)) continue;
        this.found = record - 1;
        return false;
      }
      if (++this.#count[group] > LONGEST_CHAIN) {
        for (let record = this.#last[group]; record > 0; record = this.#before[record - 1])
          this.#hash(record - 1);
        this.#hash(this.size);
      }
    }
    this.#before[this.size] = this.#last[group];
    this.found = this.size;
    this.#last[group] = ++this.size;
    return true;
  }

  /** Forgets all records, but keeps the room. */
  clear(): void {
    this.size = 0;
    this.#last.fill(0);
    this.#count.fill(0);
    if (this.#hashed > 0) this.#slots.fill(0);
    this.#hashed = 0;
  }

  /** Is the record at a as good as the one at b? */
  #covers(a: number, b: number): boolean {
    const { records, width } = this;
    for (let field = 1; field < this.#bits; field++)
      if (records[a + field] !== records[b + field]) return false;
    for (let field = this.#bits; field < width; field++)
      if (records[a + field] & ~records[b + field]) return false;
    return true;
  }

  /** Puts a record into the hash table, unless one as good is there. */
  #hash(record: number): boolean {
    if (2 * (this.#hashed + 1) > this.#slots.length) this.#rehash();
    const slots = this.#slots;
    const { records, width } = this;
    const start = record * width;
    let slot = this.#slotOf(start);
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      const other = (found - 1) * width;
      if (records[other] === records[start] && this.#covers(other, start)) {
        this.found = found - 1;
        return false;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = record + 1;
    this.#hashed++;
    return true;
  }

  #slotOf(start: number): number {
    const { records } = this;
    let hash = 0;
    for (let field = start; field < start + this.#bits; field++) {
      hash = Math.imul(hash ^ records[field], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (this.#slots.length - 1);
  }

  #rehash(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    for (const entry of old) {
      if (entry === 0) continue;
      let slot = this.#slotOf((entry - 1) * this.width);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = entry;
    }
  }
}
