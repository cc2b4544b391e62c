/**
 * Depth-first search with nothing but a stack: what Wing & Gong's searches and
 * the just-in-time tree search have in common.
 *
 * The operations left are a linked list by call. An operation may take effect if
 * it was called before the first return of those left; it is then taken out of the
 * list, and put back when the search comes back.
 *
 *   candidate                            what happens
 *   called before the first return       it takes effect, if the spec allows it
 *   one that never returns, likewise     the same, if it changes the state, and if the
 *                                        equal ones called before it have taken effect
 *   no candidate left                    the last choice is taken back
 *   no operation left that returns       there is an order
 *   no choice left to take back          there is none
 *
 * Those that never return are tried last, whenever they were called: to have used
 * fewer is never worse. A read-only operation takes effect without branching as
 * soon as it fits: it changes no state, so doing it now can never hurt.
 *
 * Invariant: the list and the stack are the operations that return, each once; the
 * stack is a legal sequence of the spec that respects real time.
 *
 * Cost: O(open operations) a step; memory O(operations). Steps are linear with
 * luck, and exponential in the length of the history without.
 */
import { Links } from '../../base/index.js';
import type { History } from '../../history/index.js';
import { DEAD, type Machine } from '../../spec/index.js';
import type { Answer, Search } from '../search.js';
import { Furthest } from './furthest.js';
import { PrefixSet } from './prefix-set.js';
import { Slots } from './slots.js';

/** Before the first candidate; and before the search has begun. */
const START = -1;
const NOWHERE = -2;
/** In place of the state before an operation: it took effect without branching. */
const FREE = -1;

export abstract class DepthFirst implements Search {
  abstract readonly name: string;
  /** Is the operation that must return next tried before the others, which go by call? */
  protected abstract readonly mustFirst: boolean;
  steps = 0;
  /** How many have been visited; one that is visited again counts again, unless the search remembers it. */
  configurations = 0;
  readonly returns: number;

  readonly #history: History;
  readonly #machine: Machine;
  readonly #letters: Int32Array;
  /** Operation to whether it is read-only; absent where none is. */
  readonly #readOnly: Uint8Array | undefined;
  /** Operations that never return but took effect, because others come "after" them. */
  readonly #needed: ReadonlySet<number>;
  protected readonly slots: Slots;
  /** What has taken effect, as a set and as a stack. */
  protected readonly done: PrefixSet;
  readonly #order: Int32Array;
  #length = 0;
  /** Entry of the stack to the state before it, or FREE. */
  readonly #stateBefore: Int32Array;
  #state: number;
  /** The operations that return and have not taken effect, by call. */
  readonly #left: Links;
  /** Where to look for the next candidate: an operation that is left, or, from the number of operations on, a place among those that never return. */
  #cursor = NOWHERE;
  readonly #furthest: Furthest;

  constructor(history: History, machine: Machine) {
    const { columns, length } = history;
    this.#history = history;
    this.#machine = machine;
    this.#letters = machine.lettersOf(history);
    const readOnly = Uint8Array.from(this.#letters, (letter) => Number(machine.isReadOnly(letter)));
    this.#readOnly = readOnly.includes(1) ? readOnly : undefined;
    this.#needed = new Set(columns.after?.items);
    this.slots = new Slots(columns, this.#letters);
    const returns = columns.events.filter((event) => event < 0).map((event) => ~event);
    this.returns = returns.length;
    this.done = new PrefixSet(returns, this.slots);
    this.#order = new Int32Array(length);
    this.#stateBefore = new Int32Array(length);
    this.#state = machine.initial;
    this.#left = new Links(length, 1);
    for (let k = 0; k < length; k++) if (this.slots.slotOf[k] >= 0) this.#left.append(0, k);
    this.#furthest = new Furthest(length);
  }

  get explained(): number {
    return Math.max(0, this.#furthest.position);
  }

  get bytes(): number {
    return this.#left.bytes + this.done.bytes + this.#furthest.bytes + 2 * this.#order.byteLength;
  }

  /** Is this configuration one to go on from? A search that remembers says no the second time. */
  protected isNew(_state: number): boolean {
    return true;
  }

  advance(fuel: number): Answer | undefined {
    const limit = this.steps + fuel;
    if (this.#cursor === NOWHERE) this.#arrive();
    for (;;) {
      if (this.done.position === this.returns)
        return { found: true, order: this.#order.slice(0, this.#length) };
      if (this.steps === limit) return undefined;
      const k = this.#nextCandidate();
      if (k < 0) {
        if (this.#goBack()) continue;
        const must = this.done.returns[this.#furthest.position];
        return this.#furthest.refusal(this.#history.columns.return[must]);
      }
      this.steps++;
      const next = this.#machine.step(this.#state, this.#letters[k]);
      if (next === DEAD || (next === this.#state && this.#isIdle(k))) continue;
      this.#takeEffect(k, this.#state);
      this.#state = next;
      this.#arrive();
    }
  }

  /** A new configuration, or one to go back from at once. */
  #arrive(): void {
    if (this.#readOnly) this.#settle(this.#readOnly);
    const { position } = this.done;
    if (position < this.returns && !this.isNew(this.#state)) {
      this.#goBack();
      return;
    }
    this.configurations++;
    this.#furthest.note(position, this.#state, this.#order, this.#length);
    this.#cursor = START;
  }

  /** Lets read-only operations that fit take effect. */
  #settle(readOnly: Uint8Array): void {
    const { next } = this.#left;
    for (let k = this.#left.first(0); k < readOnly.length && this.#isOpen(k); k = next[k])
      if (
        readOnly[k] === 1 &&
        this.#machine.step(this.#state, this.#letters[k]) === this.#state &&
        this.#isReady(k)
      )
        this.#takeEffect(k, FREE);
  }

  /** The next operation to try, or -1. */
  #nextCandidate(): number {
    const end = this.#letters.length;
    const must = this.done.returns[this.done.position];
    if (this.#cursor === START) {
      this.#cursor = this.#left.first(0);
      if (this.mustFirst && this.#isReady(must)) return must;
    }
    while (this.#cursor < end) {
      const k = this.#cursor;
      const isOpen = this.#isOpen(k);
      this.#cursor = isOpen ? this.#left.next[k] : end;
      if (isOpen && !(this.mustFirst && k === must) && this.#isReady(k)) return k;
    }
    const { unreturned, twinOf } = this.slots;
    while (this.#cursor - end < unreturned.length && this.#isOpen(unreturned[this.#cursor - end])) {
      const k = unreturned[this.#cursor++ - end];
      const twin = twinOf[k];
      if (this.done.has[k] === 0 && (twin < 0 || this.done.has[twin] === 1) && this.#isReady(k)) return k;
    }
    return -1;
  }

  /** Was it called before the first return of those left? */
  #isOpen(k: number): boolean {
    const { call, return: returned } = this.#history.columns;
    return call[k] < returned[this.done.returns[this.done.position]];
  }

  /** Has all taken effect that it comes "after"? */
  #isReady(k: number): boolean {
    const { after } = this.#history.columns;
    if (!after) return true;
    for (let i = after.start[k]; i < after.start[k + 1]; i++)
      if (this.done.has[after.items[i]] === 0) return false;
    return true;
  }

  /** One that never returns and changes nothing need not take effect. */
  #isIdle(k: number): boolean {
    return this.slots.slotOf[k] < 0 && !this.#needed.has(k);
  }

  #takeEffect(k: number, stateBefore: number): void {
    this.#order[this.#length] = k;
    this.#stateBefore[this.#length++] = stateBefore;
    this.#left.takeOut(k);
    this.done.add(k);
  }

  /** Takes back the last choice, and what took effect without branching since; false if there is none. */
  #goBack(): boolean {
    let choice = this.#length - 1;
    while (choice >= 0 && this.#stateBefore[choice] === FREE) choice--;
    this.#furthest.goBack(this.#order, Math.max(0, choice));
    if (choice < 0) return false;
    while (this.#length > choice) {
      const k = this.#order[--this.#length];
      this.done.takeBack(k);
      this.#left.putBack(k);
    }
    this.#state = this.#stateBefore[choice];
    this.#cursor = this.#behind(this.#order[choice]);
    return true;
  }

  /** Where to look for candidates after this one. */
  #behind(k: number): number {
    const { slotOf, bitOf, words } = this.slots;
    if (slotOf[k] < 0) return this.#letters.length + bitOf[k] - 32 * words + 1;
    const isMust = k === this.done.returns[this.done.position];
    return this.mustFirst && isMust ? this.#left.first(0) : this.#left.next[k];
  }
}
