/**
 * A set of fixed-width records of 32-bit integers, in *groups*: the first integer of a record is
 * its group.
 *
 * Records are stored in `records` in order of insertion. Most groups are small: their records form
 * a linked list, and a look-up walks it, so that callers who process one group after another touch
 * nearby memory. A group with more than MAX_CHAIN records is also stored in a hash table (open
 * addressing, at most half full).
 *
 * A record is written in place first and discarded if it is present already, so that look-ups do
 * not allocate.
 *
 * The last integers may be bit sets with *subsumption*: a record is also discarded if another one
 * has equal other integers and a subset of its bits.
 *
 * Cost: O(width) per call; 4·width + 4 bytes per record, 5 bytes per group, and 8 to 16 more bytes
 * per record of a hashed group.
 */
import { grown } from './ints.js';

const MAX_CHAIN = 12;

export class RecordSet {
  readonly width: number;
  /** Index of the first integer that is a bit set. */
  readonly #bits: number;
  size = 0;
  /** The record that the last `add` inserted or found. */
  found = -1;
  /** Record j is `records[j * width]` to `records[(j + 1) * width - 1]`. */
  records: Int32Array;
  /** Record to its predecessor in the group + 1; 0 ends the list. */
  #before: Int32Array;
  /** Group to its last record + 1; 0 if it is empty. */
  readonly #last: Int32Array;
  /** Group to its number of records, up to MAX_CHAIN + 1. */
  readonly #count: Uint8Array;
  /** Hash slot to record + 1, for hashed groups; 0 is free. The length is a power of two. */
  #slots: Int32Array = new Int32Array(64);
  #hashed = 0;

  /** `room`: initial capacity in records; `bits`: number of trailing integers that are bit sets. */
  constructor(width: number, groups: number, { room = 32, bits = 0 }: { room?: number; bits?: number } = {}) {
    this.width = width;
    this.#bits = width - bits;
    this.records = new Int32Array(width * room);
    this.#before = new Int32Array(room);
    this.#last = new Int32Array(groups);
    this.#count = new Uint8Array(groups);
  }

  /** Memory in use, plus what the hash table needs temporarily if it is about to grow. */
  get bytes(): number {
    const isNearlyFull = 2.2 * this.#hashed > this.#slots.length;
    return (
      4 * this.size * (this.width + 1) +
      this.#last.byteLength +
      this.#count.byteLength +
      (isNearlyFull ? 3 : 1) * this.#slots.byteLength
    );
  }

  /** The index at which to write the next record before calling `add`. */
  draft(): number {
    if (this.size === this.#before.length) {
      this.records = grown(this.records, 0);
      this.#before = grown(this.#before, 0);
    }
    return this.size * this.width;
  }

  /** Inserts the drafted record and returns true, unless an equal or subsuming one is present. */
  add(): boolean {
    const draft = this.size * this.width;
    const group = this.records[draft];
    if (this.#count[group] > MAX_CHAIN) {
      if (!this.#hash(this.size)) return false;
    } else {
      for (let record = this.#last[group]; record > 0; record = this.#before[record - 1]) {
        if (!this.#covers((record - 1) * this.width, draft)) continue;
        this.found = record - 1;
        return false;
      }
      if (++this.#count[group] > MAX_CHAIN) {
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

  /** Removes all records but keeps the capacity. */
  clear(): void {
    this.size = 0;
    this.#last.fill(0);
    this.#count.fill(0);
    if (this.#hashed > 0) this.#slots.fill(0);
    this.#hashed = 0;
  }

  /** True if the record at a equals or subsumes the one at b. */
  #covers(a: number, b: number): boolean {
    const { records, width } = this;
    for (let field = 1; field < this.#bits; field++)
      if (records[a + field] !== records[b + field]) return false;
    for (let field = this.#bits; field < width; field++)
      if (records[a + field] & ~records[b + field]) return false;
    return true;
  }

  /** Adds a record to the hash table, unless it is subsumed. */
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
