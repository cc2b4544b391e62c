/** What configurations are made of: rows of one array, and the marks of open operations in them. */
import { RecordSet } from '../../base/collections/record-set.js';
import type { Outcome } from '../../history/model/operation.js';
import type { OnlineOperation, Steps } from './steps.js';

/**
 * Configurations as rows of one array, and their conversion to sets and back.
 *
 * A row has the state, a mark for each slot of an open operation, and words with a bit for each operation of unknown
 * outcome that has taken effect. Rows get wider when no slot or bit is left. Sets of configurations (`RecordSet`)
 * have one more cell in front, for their own use. Of two configurations that differ only in the bits, a set keeps the
 * one that used less, if that one is added first.
 */
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

/*
 * An open operation as configurations see it.
 *
 * Its result is unknown before it returns, so its possible results are recorded. In a configuration the operation has
 * either taken effect and changed the state, with one outcome; or it has not, and then there is a set of outcomes
 * that it may have had by now without changing the state. Read-only outcomes thus need no configurations of their
 * own. Either case is one small integer, a *mark*:
 *
 *   2·j + 1   it has taken effect, with its outcome number j
 *   2·j       it has not; j numbers the set of outcomes seen (0: none)
 *
 * All numbers are local to this operation and are dropped when it has returned.
 */

/** Bytes of the cached effects of a call in a state. */
const EFFECTS_BYTES = 250;

/** What a call can do in a state. */
interface Effects {
  /** Outcomes that leave the state as it is, ascending. */
  readonly seen: readonly number[];
  /** The other outcomes, and the states they lead to. */
  readonly changes: readonly { readonly next: number; readonly outcome: number }[];
}

export class Candidate {
  readonly operation: OnlineOperation;
  readonly #steps: Steps;
  /** Numbers of outcomes by key, and back. */
  readonly #numbers = new Map<unknown, number>();
  readonly outcomes: Outcome[] = [];
  /** The outcomes of a set by its number, ascending, and back. */
  readonly #sets: (readonly number[])[] = [[]];
  readonly #setNumbers = new Map<string, number>([['', 0]]);
  /** The effects of the call by state. */
  readonly #effects = new Map<number, Effects>();

  constructor(operation: OnlineOperation, steps: Steps) {
    this.operation = operation;
    this.#steps = steps;
  }

  /** Memory of its caches, estimated. */
  get bytes(): number {
    return EFFECTS_BYTES * this.#effects.size;
  }

  numberOf(outcome: Outcome): number {
    const key = this.#steps.values.outcomeKey(outcome);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.outcomes.push(outcome) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  effectsIn(state: number): Effects {
    let effects = this.#effects.get(state);
    if (!effects) {
      effects = this.#firstEffects(state);
      this.#effects.set(state, effects);
    }
    return effects;
  }

  /** The mark of an operation without effect after it has come to a state. */
  markIn(state: number, mark: number): number {
    const { seen } = this.effectsIn(state);
    const before = this.#sets[mark >> 1];
    if (seen.every((outcome) => before.includes(outcome))) return mark;
    const all = [...new Set([...before, ...seen])].sort((a, b) => a - b);
    const key = all.join();
    let number = this.#setNumbers.get(key);
    if (number === undefined) {
      number = this.#sets.push(all) - 1;
      this.#setNumbers.set(key, number);
    }
    return 2 * number;
  }

  /** The outcomes in the mark of an operation without effect. */
  seenBy(mark: number): readonly number[] {
    return this.#sets[mark >> 1];
  }

  /** Drops the cache, because states have new numbers. */
  forgetStates(): void {
    this.#effects.clear();
  }

  #firstEffects(state: number): Effects {
    const { method, args } = this.operation;
    const seen = new Set<number>();
    const changes: { next: number; outcome: number }[] = [];
    for (const { next, outcome } of this.#steps.apply(state, method, args)) {
      const number = this.numberOf(outcome);
      if (next === state) seen.add(number);
      else changes.push({ next, outcome: number });
    }
    return { seen: [...seen].sort((a, b) => a - b), changes };
  }
}
