/**
 * Just-in-time search, breadth first: all configurations at one return, then all at the next.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4, names the
 *   breadth-first variant and finds it slower. It is faster if calls timed out:
 *
 * A pending operation may take effect at any time or never, so n of them make 2^n configurations that differ only in
 * which were used. But to have used *fewer* is never worse: whatever can follow the larger set can follow the smaller
 * one. So of the configurations at one return with the same state and the same returning operations in effect, only
 * those with minimal sets of used ones are kept. A breadth-first step has them side by side, which a depth-first
 * search does not.
 *
 *   configuration at a return           step
 *   its operation has taken effect      continue at the next return
 *   otherwise                           each open operation takes effect in turn
 *   used ones contain those of another  dropped
 *   nothing reaches the next return     there is no linearization
 *
 * Nor is it ever needed that a pending operation takes effect before one that does not depend on it (effects.ts).
 *
 * Configurations with fewer used operations go first, so that they exclude the others. Read-only operations take
 * effect without branching, as in the graph search.
 *
 * Invariant: every order that reaches a return is dominated by a configuration kept there; the steps along a
 * configuration's trail are a legal sequence.
 *
 * Cost: O(slots) per configuration; 8 bytes for each step of a configuration ever kept, for the witness. The other
 * tables are of one return only.
 */

import { GrowingInts } from '../../../base/collections/growing.js';
import { clearBit, grown, hasBit, setBit } from '../../../base/collections/ints.js';
import { RecordSet } from '../../../base/collections/record-set.js';
import type { History } from '../../../history/history.js';
import { DEAD, type Machine } from '../../../spec/machine/machine.js';
import type { Obstruction, Search, SearchResult } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { NEEDED, NeedlessEffects } from './effects.js';
import { OpenOperations } from './open-operations.js';

const NONE = -1;

export class JitBreadth implements Search {
  readonly name = 'just-in-time breadth-first search';
  steps = 0;
  configurations = 0;
  /** The return that the search is at. */
  explained = 0;
  readonly returns: number;

  readonly #history: History;
  readonly #machine: Machine;
  readonly #openings: OpenOperations;
  readonly #letters: Int32Array;
  readonly #neededBits: Int32Array;
  /** Words for the operations that return, and for pending ones. */
  readonly #words: number;
  readonly #usedWords: number;

  /**
   * Trails, shared by all that continue from them: for each step, the step before, and the operation that took
   * effect.
   */
  #before: Int32Array = new Int32Array(64);
  #effect: Int32Array = new Int32Array(64);
  #trailSteps = 0;

  readonly #needless = new NeedlessEffects();
  /** Pairs (entry, returning operations in effect), each once, of the configurations before this return. */
  readonly #kinds: RecordSet;
  /**
   * For each kind, its last configuration; for each configuration, the one before it of its kind; -1 ends the list.
   */
  readonly #lastOfKind: number[] = [];
  readonly #beforeInKind: number[] = [];
  /** For each configuration, its kind, the end of its trail, and its used operations, `#usedWords` words each. */
  readonly #kind: number[] = [];
  readonly #trail: number[] = [];
  #used: Int32Array = new Int32Array(64);
  /** The configurations to visit, by the number of used operations. */
  readonly #waiting: number[][] = [];
  #fewest = 0;
  /** The configurations that include this return: state, end of the trail, mask, used. */
  #onward: GrowingInts = new GrowingInts();
  /** The configuration being built: mask, then used. */
  readonly #draft: Int32Array;
  #fitting: number[] = [];

  constructor(history: History, machine: Machine) {
    this.#history = history;
    this.#machine = machine;
    this.#letters = machine.lettersOf(history);
    this.#openings = new OpenOperations(history.columns, this.#letters, (letter) =>
      machine.isReadOnly(letter),
    );
    this.returns = this.#openings.returns.length;
    this.#words = this.#openings.words;
    this.#usedWords = this.#openings.maskWords - this.#words;
    this.#kinds = new RecordSet(2 + this.#words, 1);
    this.#draft = new Int32Array(this.#openings.maskWords);
    this.#neededBits = new Int32Array(this.#usedWords);
    for (const k of this.#openings.needed)
      setBit(this.#neededBits, this.#openings.bitOf[k] - 32 * this.#words);
    this.#enter(machine.initial, NONE, NONE, 0);
  }

  get bytes(): number {
    const configurations = this.#kind.length * (5 * 8 + 4 * this.#usedWords);
    const onward = 4 * this.#onward.length;
    return (
      configurations +
      onward +
      this.#kinds.bytes +
      8 * this.#trailSteps +
      this.#openings.bytes +
      this.#needless.bytes
    );
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (this.steps < limit) {
      if (this.explained === this.returns) return linearizable(this.#order(this.#trail[0]));
      const configuration = this.#nextWaiting();
      if (configuration < 0) {
        if (this.#onward.length === 0) return violation(this.obstruction());
        this.#startNextReturn();
      } else this.#expand(configuration);
    }
    return undefined;
  }

  /** No linearization includes the return that the search is at. */
  obstruction(): Obstruction {
    const { records, width } = this.#kinds;
    // for each state, the first configuration that has it
    const states = new Map<number, number>();
    this.#kind.forEach((kind, configuration) => {
      const state = this.#needless.stateOf(records[kind * width + 1]);
      if (!states.has(state)) states.set(state, configuration);
    });
    return {
      moment: this.#history.columns.return[this.#openings.returns[this.explained]],
      states: [...states.keys()],
      isExhaustive: true,
      longest: () =>
        Array.from(states)
          .slice(0, 2)
          .map(([state, configuration]) => ({ order: this.#order(this.#trail[configuration]), state })),
    };
  }

  /** The next configuration to visit, of those with the fewest used operations; or -1. */
  #nextWaiting(): number {
    for (; this.#fewest < this.#waiting.length; this.#fewest++) {
      const next = this.#waiting[this.#fewest]?.pop();
      if (next !== undefined) return next;
    }
    return -1;
  }

  /** Lets each open operation take effect, or moves the configuration to the next return. */
  #expand(configuration: number): void {
    const { open, slots, returns, slotOf, unreturned, unreturnedBy, equalBefore } = this.#openings;
    const position = this.explained;
    const kind = this.#kind[configuration] * this.#kinds.width;
    const entry = this.#kinds.records[kind + 1];
    const state = this.#needless.stateOf(entry);
    const before = this.#needless.beforeOf(entry);
    const trail = this.#trail[configuration];
    this.#load(configuration);
    const must = slotOf[returns[position]];
    if (hasBit(this.#draft, 0, must)) {
      this.#includeReturn(state, trail, must);
      return;
    }
    const used = this.#fewest;
    for (let slot = 0; slot < slots; slot++) {
      const k = open[position * slots + slot];
      if (k < 0 || hasBit(this.#draft, 0, slot) || !this.#openings.isReady(k, this.explained, this.#draft, 0))
        continue;
      this.steps++;
      const next = this.#machine.step(state, this.#letters[k]);
      if (next === DEAD || this.#isNeedless(before, k, next)) continue;
      setBit(this.#draft, slot);
      this.#enter(next, trail, k, used);
      this.#load(configuration);
    }
    for (let i = 0; i < unreturnedBy[position]; i++) {
      const k = unreturned[i];
      const equal = equalBefore[k];
      if (
        hasBit(this.#draft, 0, this.#openings.bitOf[k]) ||
        !this.#openings.isReady(k, this.explained, this.#draft, 0)
      )
        continue;
      if (equal >= 0 && !hasBit(this.#draft, 0, this.#openings.bitOf[equal])) continue;
      this.steps++;
      const next = this.#machine.step(state, this.#letters[k]);
      const isOptional = !this.#openings.needed.has(k);
      if (next === DEAD || (next === state && isOptional) || this.#isNeedless(before, k, next)) continue;
      setBit(this.#draft, this.#openings.bitOf[k]);
      this.#enter(this.#needless.entry(next, isOptional ? state : NEEDED), trail, k, used + 1);
      this.#load(configuration);
    }
  }

  /** Whether an operation leads from the state before a pending one to the same state as after it. */
  #isNeedless(before: number, k: number, next: number): boolean {
    return before !== NEEDED && this.#machine.step(before, this.#letters[k]) === next;
  }

  /** Keeps the draft as a configuration before this return, after `k` took effect, unless another dominates it. */
  #enter(start: number, before: number, k: number, used: number): void {
    const entry = this.#settle(start);
    const draft = this.#kinds.draft();
    this.#kinds.records[draft] = 0;
    this.#kinds.records[draft + 1] = entry;
    for (let word = 0; word < this.#words; word++) this.#kinds.records[draft + 2 + word] = this.#draft[word];
    if (this.#kinds.add()) this.#lastOfKind.push(NONE);
    const kind = this.#kinds.found;
    for (let other = this.#lastOfKind[kind]; other >= 0; other = this.#beforeInKind[other])
      if (this.#isDominatedBy(other)) return;

    let trail = k < 0 ? before : this.#trailStep(before, k);
    for (const fitting of this.#fitting) trail = this.#trailStep(trail, fitting);
    const configuration = this.#kind.push(kind) - 1;
    this.#trail.push(trail);
    this.#beforeInKind.push(this.#lastOfKind[kind]);
    this.#lastOfKind[kind] = configuration;
    const end = (configuration + 1) * this.#usedWords;
    if (end > this.#used.length) this.#used = grown(this.#used, end);
    for (let word = 0; word < this.#usedWords; word++)
      this.#used[end - this.#usedWords + word] = this.#draft[this.#words + word];
    this.#waiting[used] ??= [];
    this.#waiting[used].push(configuration);
    if (used < this.#fewest) this.#fewest = used;
    this.configurations++;
  }

  /**
   * Whether the used operations of a configuration are among those of the draft, and the needed ones are the same.
   */
  #isDominatedBy(configuration: number): boolean {
    const start = configuration * this.#usedWords;
    for (let word = 0; word < this.#usedWords; word++) {
      const used = this.#used[start + word];
      const draft = this.#draft[this.#words + word];
      if (used & ~draft || draft & ~used & this.#neededBits[word]) return false;
    }
    return true;
  }

  /**
   * Lets read-only operations that fit the state take effect in the draft; `#fitting` lists them. Returns the entry: if
   * one of them depends on the pending operation before, that was needed.
   */
  #settle(start: number): number {
    const { open, slots, words, readOnly } = this.#openings;
    this.#fitting.length = 0;
    const state = this.#needless.stateOf(start);
    const before = this.#needless.beforeOf(start);
    let isNeeded = before === NEEDED;
    if (this.explained === this.returns) return state;
    for (let word = 0; word < words; word++)
      for (
        let left = readOnly[this.explained * words + word] & ~this.#draft[word];
        left !== 0;
        left &= left - 1
      ) {
        const k = open[this.explained * slots + 32 * word + 31 - Math.clz32(left & -left)];
        if (
          this.#machine.step(state, this.#letters[k]) !== state ||
          !this.#openings.isReady(k, this.explained, this.#draft, 0)
        )
          continue;
        this.#draft[word] |= left & -left;
        this.#fitting.push(k);
        isNeeded ||= this.#machine.step(before, this.#letters[k]) !== before;
      }
    return isNeeded ? state : start;
  }

  #includeReturn(state: number, trail: number, must: number): void {
    clearBit(this.#draft, must);
    this.#onward.push(state);
    this.#onward.push(trail);
    this.#onward.push(this.#fewest);
    for (const word of this.#draft) this.#onward.push(word);
  }

  /** Moves the configurations that include this return to the next one. */
  #startNextReturn(): void {
    const onward = this.#onward;
    this.#onward = new GrowingInts();
    this.explained++;
    this.#kinds.clear();
    this.#lastOfKind.length = 0;
    this.#beforeInKind.length = 0;
    this.#kind.length = 0;
    this.#trail.length = 0;
    this.#waiting.length = 0;
    this.#fewest = 0;
    for (let i = 0; i < onward.length; i += 3 + this.#draft.length) {
      for (let word = 0; word < this.#draft.length; word++) this.#draft[word] = onward.at(i + 3 + word);
      this.#enter(onward.at(i), onward.at(i + 1), NONE, onward.at(i + 2));
    }
  }

  #load(configuration: number): void {
    const kind = this.#kind[configuration] * this.#kinds.width;
    for (let word = 0; word < this.#words; word++) this.#draft[word] = this.#kinds.records[kind + 2 + word];
    for (let word = 0; word < this.#usedWords; word++)
      this.#draft[this.#words + word] = this.#used[configuration * this.#usedWords + word];
  }

  #trailStep(before: number, k: number): number {
    if (this.#trailSteps === this.#before.length) {
      this.#before = grown(this.#before, 0);
      this.#effect = grown(this.#effect, 0);
    }
    this.#before[this.#trailSteps] = before;
    this.#effect[this.#trailSteps] = k;
    return this.#trailSteps++;
  }

  /** The operations along a trail, in order. */
  #order(trail: number): Int32Array {
    const order: number[] = [];
    for (let step = trail; step >= 0; step = this.#before[step]) order.push(this.#effect[step]);
    return Int32Array.from(order.reverse());
  }
}
