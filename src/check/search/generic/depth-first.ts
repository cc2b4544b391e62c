/**
 * Depth-first search with a stack: the common part of Wing and Gong's searches and the just-in-time tree search.
 *
 * An operation may take effect if it was called before the first return of the remaining operations. It is then
 * removed from their list, and restored when the search backtracks.
 *
 *   candidate                            step
 *   called before the first return       it takes effect, if the spec allows it
 *   a pending one, likewise              the same, if it changes the state, and if equal ones called before it
 *                                        have taken effect
 *   no candidate left                    backtrack
 *   no returning operation left          there is a linearization
 *   nothing to backtrack                 there is none
 *
 * Pending operations are tried last, whenever they were called: to have used fewer is never worse. A read-only
 * operation takes effect without branching as soon as it fits, because it changes no state.
 *
 * Invariant: the trail is a legal sequence of the spec that respects real time.
 *
 * Cost: O(open operations) per step; memory O(operations). The number of steps is linear in the best case, and
 * exponential in the length of the history in the worst.
 */
import { RecordSet } from '../../../base/collections/record-set.js';
import type { History } from '../../../history/history.js';
import { DEAD, type Machine } from '../../../spec/machine/machine.js';
import type { Search, SearchResult } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { Slots } from './slots.js';
import { Furthest, Trail } from './trail.js';

/** The cursor before the first candidate, and before the search has started. */
const START = -1;
const NOWHERE = -2;

abstract class DepthFirst implements Search {
  abstract readonly name: string;
  /** Whether the operation that must return next is tried before the others, which go by call. */
  protected abstract readonly mustFirst: boolean;
  steps = 0;
  /** The number of visits; a repeated visit counts again, unless the search stores configurations. */
  configurations = 0;
  readonly returns: number;
  protected readonly slots: Slots;
  protected readonly trail: Trail;

  readonly #history: History;
  readonly #machine: Machine;
  readonly #letters: Int32Array;
  /** For each operation, whether it is read-only; undefined if none is. */
  readonly #readOnly: Uint8Array | undefined;
  #state: number;
  /**
   * Where the next candidate is looked for: a remaining operation, or, from the number of operations on, a place
   * among pending ones.
   */
  #cursor = NOWHERE;
  readonly #furthest: Furthest;

  constructor(history: History, machine: Machine) {
    const { columns } = history;
    this.#history = history;
    this.#machine = machine;
    this.#letters = machine.lettersOf(history);
    const readOnly = new Uint8Array(this.#letters.length);
    for (let k = 0; k < readOnly.length; k++) readOnly[k] = Number(machine.isReadOnly(this.#letters[k]));
    this.#readOnly = readOnly.includes(1) ? readOnly : undefined;
    this.slots = new Slots(columns, this.#letters);
    this.trail = new Trail(columns, this.slots);
    this.returns = this.trail.done.returns.length;
    this.#state = machine.initial;
    this.#furthest = new Furthest(history.length);
  }

  get explained(): number {
    return Math.max(0, this.#furthest.position);
  }

  get bytes(): number {
    return this.trail.bytes + this.#furthest.bytes;
  }

  /**
   * Whether to continue from this configuration. A search that stores configurations returns false the second time.
   */
  protected isNew(_state: number): boolean {
    return true;
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    const { trail } = this;
    if (this.#cursor === NOWHERE) this.#arrive();
    for (;;) {
      if (trail.done.position === this.returns) return linearizable(trail.order.slice(0, trail.length));
      if (this.steps >= limit) return undefined;
      const k = this.#nextCandidate();
      if (k < 0) {
        if (this.#goBack()) continue;
        const must = trail.done.returns[this.#furthest.position];
        return violation(this.#furthest.obstruction(this.#history.columns.return[must]));
      }
      this.steps++;
      const next = this.#machine.step(this.#state, this.#letters[k]);
      if (next === DEAD || (next === this.#state && this.#isIdle(k))) continue;
      trail.takeEffect(k, this.#state);
      this.#state = next;
      this.#arrive();
    }
  }

  /** At a configuration: continues from it, or backtracks at once if it is not new. */
  #arrive(): void {
    const { trail } = this;
    if (this.#readOnly) this.#settle(this.#readOnly);
    if (trail.done.position < this.returns && !this.isNew(this.#state)) {
      this.#goBack();
      return;
    }
    this.configurations++;
    this.#furthest.note(trail.done.position, this.#state, trail.order, trail.length);
    this.#cursor = START;
  }

  /** Lets read-only operations that fit take effect. */
  #settle(readOnly: Uint8Array): void {
    const { trail } = this;
    const { left } = trail;
    for (let k = left.first(0); k < readOnly.length && trail.isOpen(k); k = left.next[k])
      if (
        readOnly[k] === 1 &&
        this.#machine.step(this.#state, this.#letters[k]) === this.#state &&
        trail.isReady(k)
      )
        trail.takeEffect(k);
  }

  /** The next operation to try, or -1. */
  #nextCandidate(): number {
    const { trail } = this;
    const { left, done, must } = trail;
    const end = this.#letters.length;
    if (this.#cursor === START) {
      this.#cursor = left.first(0);
      if (this.mustFirst && trail.isReady(must)) return must;
    }
    while (this.#cursor < end) {
      const k = this.#cursor;
      const isOpen = trail.isOpen(k);
      this.#cursor = isOpen ? left.next[k] : end;
      if (isOpen && !(this.mustFirst && k === must) && trail.isReady(k)) return k;
    }
    const { unreturned, equalBefore } = this.slots;
    while (this.#cursor - end < unreturned.length && trail.isOpen(unreturned[this.#cursor - end])) {
      const k = unreturned[this.#cursor++ - end];
      const equal = equalBefore[k];
      if (done.has[k] === 0 && (equal < 0 || done.has[equal] === 1) && trail.isReady(k)) return k;
    }
    return -1;
  }

  /** Whether it is pending and changes nothing, so that it need not take effect. */
  #isIdle(k: number): boolean {
    return this.slots.slotOf[k] < 0 && !this.slots.needed.has(k);
  }

  /** Backtracks; false if it cannot. */
  #goBack(): boolean {
    const { trail } = this;
    const choice = trail.lastChoice();
    this.#furthest.goBack(trail.order, Math.max(0, choice));
    if (choice < 0) return false;
    const k = trail.order[choice];
    this.#state = trail.takeBack(choice);
    this.#cursor = this.#behind(k);
    return true;
  }

  /** Where to look for candidates after this one. */
  #behind(k: number): number {
    const { slotOf, bitOf, words } = this.slots;
    if (slotOf[k] < 0) return this.#letters.length + bitOf[k] - 32 * words + 1;
    const { left, must } = this.trail;
    return this.mustFirst && k === must ? left.first(0) : left.next[k];
  }
}

/*
 * Wing and Gong's tree search.
 *
 *   J. Wing, C. Gong. Testing and verifying concurrent objects. Journal of Parallel and
 *   Distributed Computing 17, 1993; as presented by G. Lowe. Testing for linearizability.
 *   CCPE 29(4), 2017, section 3.
 *
 * Any operation that no remaining one precedes may take effect next. They are tried by call, which is often the true
 * order. Without memory, the search repeats all work after two commuting operations for each of their orders:
 * exponential in the worst case.
 *
 * Departures: the list holds operations by call and no returns, because the first return of the remaining operations
 * is known; there are pending operations; read-only ones do not branch. The published code does not clear its set of
 * effects on backtracking, and can report a longest prefix that is too long. Here both are one stack.
 */

export class WgTree extends DepthFirst {
  readonly name: string = 'Wing & Gong tree search';
  protected readonly mustFirst = false;
}

/*
 * Wing and Gong's search with stored configurations.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 3.1.
 *
 * As the tree search, but it does not continue a second time from the same set of effects and the same state:
 * commuting operations cost their sets, not their orders. Nor does it continue if it has used more pending operations
 * than before and all else is the same: whatever can follow then could follow before.
 *
 * Departure: the paper stores a bit for each operation of the history in every configuration, so n operations take n²
 * bits. Here the set is a prefix by return and a mask of the open operations beyond it. (This makes it the
 * just-in-time graph search with candidates in order of call: docs/internals/papers.md.)
 *
 * Cost: O(open operations) per step, 4 · (2 + words of the mask) bytes per configuration.
 */

/** Fields of a configuration's record; the mask follows. Records of one position are a group. */
const POSITION = 0;
const STATE = 1;
const MASK = 2;

export class WgGraph extends WgTree {
  override readonly name = 'Wing & Gong graph search';
  readonly #seen: RecordSet;

  constructor(history: History, machine: Machine) {
    super(history, machine);
    const { maskWords, usedWords } = this.slots;
    this.#seen = new RecordSet(MASK + maskWords, this.returns + 1, { bits: usedWords });
  }

  override get bytes(): number {
    return super.bytes + this.#seen.bytes;
  }

  protected override isNew(state: number): boolean {
    const { position, mask } = this.trail.done;
    const draft = this.#seen.draft();
    this.#seen.records[draft + POSITION] = position;
    this.#seen.records[draft + STATE] = state;
    for (let word = 0; word < mask.length; word++) this.#seen.records[draft + MASK + word] = mask[word];
    return this.#seen.add();
  }
}

/*
 * Just-in-time tree search.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4.
 *
 * Operations take effect as late as possible: when one must return, it is tried alone first, then after each other
 * open operation, and so on. No configurations are stored.
 *
 * This is the tree of Wing and Gong in another order. At a return whose operation has not taken effect, the others
 * that may precede it are those called by then: the same operations that Wing and Gong try while this return is the
 * first remaining one. The paper avoids different times for one sequence, and Wing and Gong have no times. So both
 * try the same sequences, and take the same number of steps if there is no linearization.
 *
 * The published code does not catch a violated precondition when an operation takes effect and returns at once. Here
 * a step that the spec does not allow is no step.
 */

export class JitTree extends DepthFirst {
  readonly name = 'just-in-time tree search';
  protected readonly mustFirst = true;
}
