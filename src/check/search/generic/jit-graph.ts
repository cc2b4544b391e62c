/**
 * Just-in-time graph search.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4.
 *
 * Operations take effect as late as possible. When an operation must return, it takes effect, and before it any of the
 * other open operations may. A configuration is
 *
 *   position   the next return whose operation has not taken effect yet
 *   state      of the machine
 *   mask       which open operations have taken effect already
 *
 * These are a few integers, however long the history. The search is depth first. At a configuration, it tries the open
 * operations as candidates:
 *
 *   the operation that must return    it takes effect, and the position advances
 *   another open operation            it takes effect, and the position stays
 *   a pending operation               the same, if it changes the state, and if equal ones called before it
 *                                     have taken effect
 *   any, directly after a pending one not if it leads to the same state without it (effects.ts)
 *   no candidate left                 backtrack
 *
 * If only one operation is open, it takes effect at once, without a choice. A configuration that was visited before is
 * skipped. So is one that differs from a visited one only in having used more pending operations.
 *
 * Departures from the paper: configurations are stored *inside* one return too, so n overlapping operations cost at
 * most 2^n configurations per state, not n! orders. And an open read-only operation takes effect without branching as
 * soon as its outcome fits, because it changes no state.
 *
 * Invariant: the operations that took effect on the path to a configuration, in this order, are a legal sequence of the
 * spec that respects real time.
 *
 * Cost: O(slots) per configuration, where slots (slots.ts) is the largest number of operations that are open at once.
 * For a register, the number of configurations is linear in the length of the history and exponential only in the
 * number of overlapping operations.
 */
import { clearBit, grown, hasBit, setBit } from '../../../base/collections/ints.js';
import { RecordSet } from '../../../base/collections/record-set.js';
import type { History } from '../../../history/history.js';
import { PENDING } from '../../../history/model/columns.js';
import { type Automaton, DEAD } from '../../../spec/machine/machine.js';
import type { Obstruction, Search, SearchResult } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { BEGINNING, Effects, NEEDED, NeedlessEffects } from './effects.js';
import { OpenOperations } from './open-operations.js';

/** Fields of a configuration's record; the mask follows. Records of one position are a group. */
const POSITION = 0;
/** An entry of `NeedlessEffects`: the state, and whether the last effect may be needless. */
const ENTRY = 1;
const MASK = 2;
/** At most this many returns are passed before a configuration is stored. */
const LONGEST_STRETCH = 16;
/** The initial capacity in configurations. */
const LEAST_ROOM = 16;

/** Where a search starts: a state, and the operations that have taken effect already. */
export interface Start {
  readonly state: number;
  readonly done: readonly number[];
}

export interface JitGraphOptions {
  /** Where to start; in the initial state by default. */
  readonly starts?: readonly Start[];
  /** The accepted final states; all by default. */
  readonly accepts?: (state: number) => boolean;
  /** Whether a pending operation may take effect repeatedly. Only for a history without "after". */
  readonly reusesPending?: boolean;
}

export class JitGraph implements Search {
  readonly name = 'just-in-time graph search';
  steps = 0;
  /** The furthest position of any configuration. */
  explained = 0;
  readonly returns: number;

  readonly #history: History;
  readonly #machine: Automaton;
  readonly #starts: readonly Start[];
  readonly #accepts: (state: number) => boolean;
  readonly #reusesPending: boolean;
  readonly #openings: OpenOperations;
  /** For each operation, its letter. */
  readonly #letters: Int32Array;

  readonly #seen: RecordSet;
  /** For each record, the next candidate to try. */
  #next: Int32Array;
  /** The effects on the path to each record. */
  readonly #effects: Effects;
  /** The current record; BEGINNING when everything from this start has been tried. */
  #top = BEGINNING;
  #started = 0;
  /** The mask of the current configuration. */
  readonly #mask: Int32Array;
  /** The entry after the last `#settle`. */
  #settled = 0;
  readonly #needless = new NeedlessEffects();
  readonly #neededPending = new Set<number>();

  constructor(
    history: History,
    machine: Automaton,
    { starts, accepts, reusesPending = false }: JitGraphOptions = {},
  ) {
    this.#history = history;
    this.#machine = machine;
    this.#starts = starts ?? [{ state: machine.initial, done: [] }];
    this.#accepts = accepts ?? (() => true);
    this.#reusesPending = reusesPending;
    const letters = machine.lettersOf(history);
    this.#letters = letters;
    this.#openings = new OpenOperations(history.columns, letters, (letter) => machine.isReadOnly(letter));
    this.returns = this.#openings.returns.length;
    this.#mask = new Int32Array(this.#openings.maskWords);
    const room = LEAST_ROOM + (this.returns >>> 3);
    this.#seen = new RecordSet(MASK + this.#openings.maskWords, this.returns + 1, {
      room,
      bits: this.#openings.usedWords,
    });
    this.#next = new Int32Array(room);
    this.#effects = new Effects(room);
  }

  get configurations(): number {
    return this.#seen.size;
  }

  get bytes(): number {
    return (
      this.#seen.bytes +
      4 * this.#seen.size +
      this.#effects.bytes +
      this.#openings.bytes +
      this.#needless.bytes
    );
  }

  /** The return that the search is trying to include. */
  get position(): number {
    return this.#top === BEGINNING ? 0 : this.#seen.records[this.#top * this.#seen.width + POSITION];
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (this.steps < limit) {
      if (this.#top === BEGINNING) {
        if (this.#started === this.#starts.length) return violation(this.obstruction());
        if (this.#begin(this.#starts[this.#started++])) return linearizable(this.#effects.orderTo(BEGINNING));
        continue;
      }
      const record = this.#top * this.#seen.width;
      const candidate = this.#nextCandidate(record);
      if (candidate < 0) {
        this.#top = this.#effects.parentOf(this.#top);
        continue;
      }
      this.steps++;
      const entry = this.#seen.records[record + ENTRY];
      const state = this.#needless.stateOf(entry);
      const next = this.#machine.step(state, this.#letters[candidate]);
      if (next === DEAD || (next === state && this.#isOptional(candidate))) continue;
      const before = this.#needless.beforeOf(entry);
      if (before !== NEEDED) {
        if (this.#machine.step(before, this.#letters[candidate]) === next) continue;
        this.#neededPending.add(this.#effects.lastOf(this.#top));
      }
      this.#loadMask(record);
      if (!this.#isReused(candidate)) setBit(this.#mask, this.#openings.bitOf[candidate]);
      // if pending operations may be reused, needless ones lead to no more configurations
      const mayBeNeedless = !this.#reusesPending && this.#isOptional(candidate);
      const after = this.#needless.entry(next, mayBeNeedless ? state : NEEDED);
      if (this.#enter(this.#seen.records[record + POSITION], after, candidate))
        return linearizable(this.#effects.orderTo(this.#top));
    }
    return undefined;
  }

  /**
   * The pending operations on which another one depended in some configuration that was visited. If all were visited,
   * a history with a linearization has one without the other pending operations.
   */
  get neededPending(): ReadonlySet<number> {
    return this.#neededPending;
  }

  /** The result without a linearization: the furthest return, and the states before it. */
  obstruction(): Obstruction {
    const { records, width, size } = this.#seen;
    // for each state, the first record that has it
    const states = new Map<number, number>();
    for (let record = 0; record < size; record++) {
      const state = this.#needless.stateOf(records[record * width + ENTRY]);
      if (records[record * width + POSITION] === this.explained && !states.has(state))
        states.set(state, record);
    }
    const { events, return: returned } = this.#history.columns;
    const past = this.explained === this.returns;
    return {
      moment: past ? events.length : returned[this.#openings.returns[this.explained]],
      states: [...states.keys()],
      isExhaustive: this.#top === BEGINNING && this.#started === this.#starts.length,
      longest: () =>
        [...states].slice(0, 2).map(([state, record]) => ({ order: this.#effects.orderTo(record), state })),
    };
  }

  /**
   * Every configuration that some linearization has at a moment, if the search has visited all; operations are
   * positions. A configuration is here if it is the first on its path at a return after the moment. It may have passed
   * some returns already.
   */
  configurationsAt(moment: number): Start[] {
    const { records, width, size } = this.#seen;
    const { returns, open, slots, bitOf, unreturned } = this.#openings;
    const { return: returned } = this.#history.columns;
    const first = returns.findIndex((k) => returned[k] > moment);
    const found: Start[] = [];
    for (let record = 0; record < size; record++) {
      const position = records[record * width + POSITION];
      const parent = this.#effects.parentOf(record);
      const isEntry = parent === BEGINNING || records[parent * width + POSITION] < first;
      if (position < first || !isEntry) continue;
      const done = Array.from(returns.subarray(first, position));
      const isDone = (k: number): boolean => hasBit(records, record * width + MASK, bitOf[k]);
      for (let slot = 0; slot < slots && position < this.returns; slot++) {
        const k = open[position * slots + slot];
        if (k >= 0 && isDone(k)) done.push(k);
      }
      for (const k of unreturned) if (isDone(k)) done.push(k);
      found.push({ state: this.#needless.stateOf(records[record * width + ENTRY]), done });
    }
    return found;
  }

  #begin({ state, done }: Start): boolean {
    this.#mask.fill(0);
    for (const k of done) setBit(this.#mask, this.#openings.bitOf[k]);
    return this.#enter(0, state, -1);
  }

  /** The next open operation to try, or -1. The one that must return comes first. */
  #nextCandidate(record: number): number {
    const { records } = this.#seen;
    const position = records[record + POSITION];
    const next = this.#openings.nextCandidate(position, this.#next[this.#top], records, record + MASK);
    if (next < 0) return -1;
    this.#next[this.#top] = next + 1;
    return this.#openings.candidate(position, next);
  }

  /** Settles the configuration (position, entry, current mask) and moves to it, if it is new; true at the end. */
  #enter(from: number, start: number, via: number): boolean {
    if (via >= 0) this.#effects.push(via);
    const position = this.#settle(from, start);
    const entry = this.#settled;
    if (start < 0 && entry >= 0) this.#neededPending.add(via);
    if (position > this.explained) this.explained = position;
    if (position === this.returns && this.#accepts(this.#needless.stateOf(entry))) return true;
    const draft = this.#seen.draft();
    this.#seen.records[draft + POSITION] = position;
    this.#seen.records[draft + ENTRY] = entry;
    for (let word = 0; word < this.#mask.length; word++)
      this.#seen.records[draft + MASK + word] = this.#mask[word];
    if (!this.#seen.add()) {
      this.#effects.drop();
      return false;
    }
    this.#effects.keep(this.#top);
    const record = this.#seen.size - 1;
    if (record === this.#next.length) this.#next = grown(this.#next, 0);
    if (position < this.returns) this.#top = record;
    return false;
  }

  /**
   * Steps without a choice: read-only operations that fit take effect, and so does a single open operation; returns
   * of operations in effect are passed. Returns the new position; `#settled` is the new entry.
   */
  #settle(from: number, start: number): number {
    const { open, slots, words, readOnly, returns, slotOf, isAlone } = this.#openings;
    const mask = this.#mask;
    let state = this.#needless.stateOf(start);
    let before = this.#needless.beforeOf(start);
    this.#settled = start;
    for (let position = from; position < this.returns; position++) {
      for (let word = 0; word < words; word++) {
        // the lowest remaining bit, repeatedly
        for (let left = readOnly[position * words + word] & ~mask[word]; left !== 0; left &= left - 1) {
          const k = open[position * slots + 32 * word + 31 - Math.clz32(left & -left)];
          if (
            this.#machine.step(state, this.#letters[k]) !== state ||
            !this.#openings.isReady(k, position, mask, 0)
          )
            continue;
          mask[word] |= left & -left;
          this.#effects.push(k);
          if (before === NEEDED || this.#machine.step(before, this.#letters[k]) === before) continue;
          // the read depends on the pending operation
          before = NEEDED;
          this.#settled = state;
        }
      }
      const slot = slotOf[returns[position]];
      if (hasBit(mask, 0, slot)) {
        clearBit(mask, slot);
        continue;
      }
      // from time to time a configuration is stored, so that no long stretch is repeated
      if (!isAlone[position] || position % LONGEST_STRETCH === 0) return position;
      const next = this.#machine.step(state, this.#letters[returns[position]]);
      if (next === DEAD || !this.#openings.isReady(returns[position], position, mask, 0)) return position;
      this.#effects.push(returns[position]);
      this.steps++;
      state = next;
      this.#settled = next;
    }
    return this.returns;
  }

  /** Whether it is pending, so that it need not take effect. */
  #isOptional(k: number): boolean {
    return this.#openings.slotOf[k] < 0 && !this.#openings.needed.has(k);
  }

  #isReused(k: number): boolean {
    return this.#reusesPending && this.#history.columns.status[k] === PENDING;
  }

  #loadMask(record: number): void {
    for (let word = 0; word < this.#mask.length; word++)
      this.#mask[word] = this.#seen.records[record + MASK + word];
  }
}
