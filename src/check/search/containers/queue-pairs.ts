/**
 * Queue-oriented search: takes out values one at a time, each with its addition and its removal.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 5, figure 3.
 *
 * A pair is an addition that no remaining operation precedes and a removal of the same value that no remaining
 * removal precedes. It *ends first* if no other remaining addition, and no other remaining removal, of this value
 * returns earlier.
 *
 *   remaining operations                               step
 *   no removal                                         there is a linearization (lemma 7)
 *   a removal that found nothing, which nothing        it is taken out (lemma 8)
 *   precedes
 *   a pair that ends first, without conflict           it is taken out, for good (lemma 12)
 *   otherwise                                          each pair is tried (lemmas 9 and 10)
 *   no pair left to try                                backtrack
 *
 * The set of operations taken out determines the rest (`QueueTrail`). So where pairs are tried, this set is stored,
 * as a prefix by return and a mask, once for additions and once for removals: the paper's search can repeat work
 * after every choice.
 *
 * A removal that was cut off by a prefix has a known result but never returned: it may have taken effect or not. One
 * that found nothing is omitted. Any other may be taken out but need not be, so its pairs are never taken out for
 * good, only tried. (Lemma 12 holds for each choice of those that took effect: they return last, and conflicts with
 * all of them are considered.)
 *
 * A pending removal of unknown value may have removed anything, or nothing, and is then omitted. Its pairs, with
 * every addition, are tried last. Of several such removals, the one called first can do whatever the others can, so
 * only that one is tried; the other operations determine how many were taken out. So they do not multiply the
 * configurations.
 *
 * Cost: O(open operations) per step and near O(n) steps; pairs are rarely tried.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { RecordSet } from '../../../base/collections/record-set.js';
import type { History } from '../../../history/history.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';
import { Slots } from '../generic/slots.js';
import type { ContainerOperations } from './operations.js';
import { FOUND_NOTHING, NONE, PENDING_REMOVALS, QueueTrail, REMOVALS } from './queue-trail.js';

/*
 * The linearization that a queue-oriented search has found.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, lemmas 7 and 10.
 *
 * The additions are in the order in which they were taken out, then those that were never removed, by call. The
 * removals are in the order in which they were taken out, each as soon as its own addition and all that returned
 * before its call are placed. A pending addition that was never removed is omitted. Cost: O(events).
 */

function queueOrder(columns: Columns, { isAdd }: ContainerOperations, trail: QueueTrail): Int32Array {
  const operations = columns.call.length;
  const additions = new GrowingInts();
  /** For each addition, its number in the order. */
  const countOf = new Int32Array(operations);
  const put = (k: number) => {
    additions.push(k);
    countOf[k] = additions.length;
  };
  for (let i = 0; i < trail.length; i++) if (trail.additions[i] !== NONE) put(trail.additions[i]);
  for (let k = 0; k < operations; k++)
    if (isAdd[k] === 1 && trail.added.has[k] === 0 && columns.return[k] !== NEVER) put(k);

  /** For each removal, how many additions must be placed before it. */
  const countBefore = new Int32Array(operations);
  let most = 0;
  for (const event of columns.events) {
    if (event >= 0) countBefore[event] = most;
    else most = Math.max(most, countOf[~event]);
  }

  const order = new GrowingInts();
  let through = 0;
  for (let i = 0; i < trail.length; i++) {
    const removal = trail.removals[i];
    const own = trail.additions[i] === NONE ? 0 : countOf[trail.additions[i]];
    while (through < Math.max(own, countBefore[removal])) order.push(additions.at(through++));
    order.push(removal);
  }
  while (through < additions.length) order.push(additions.at(through++));
  return order.toArray();
}

export class QueuePairs {
  /** How many operations were taken out so far, including those put back. */
  steps = 0;
  /** The order, once there is one; null, once it is known that there is none. */
  order: Int32Array | null | undefined;
  readonly #history: History;
  readonly #operations: ContainerOperations;
  readonly #trail: QueueTrail;
  /** For each entry of the trail, whether other pairs are to be tried in its place. */
  readonly #isChoice: Uint8Array;
  /** The pair to try next; NONE while no pairs are tried. */
  #removal = NONE;
  #addition = NONE;
  /** What was taken out where pairs were tried: positions and masks of removals and additions. */
  readonly #seen: RecordSet;
  /** The latest moment by which all that had returned was taken out. */
  #clearedBy = 0;

  constructor(history: History, operations: ContainerOperations, letters: Int32Array) {
    const slots = new Slots(history.columns, letters);
    this.#history = history;
    this.#operations = operations;
    this.#trail = new QueueTrail(history.columns, operations, slots);
    this.#isChoice = new Uint8Array(this.#trail.removals.length);
    this.#seen = new RecordSet(2 + 2 * slots.maskWords, this.#trail.removed.returns.length + 1);
  }

  get bytes(): number {
    return this.#trail.bytes + this.#seen.bytes;
  }

  /**
   * How many returns some linearization includes: the operations taken out that were called before the next return
   * form one.
   */
  get explained(): number {
    const cleared = this.#history.columns.events.subarray(0, this.#clearedBy);
    return cleared.filter((event) => event < 0).length;
  }

  /** Takes out at most this many operations, until the result is known. */
  advance(stepBudget: number): void {
    const limit = this.steps + stepBudget;
    const { removed } = this.#trail;
    while (this.order === undefined && this.steps < limit) {
      if (removed.position === removed.returns.length)
        this.order = queueOrder(this.#history.columns, this.#operations, this.#trail);
      else if (this.#removal === NONE) this.#takeNext();
      else this.#tryPair();
      this.#clearedBy = this.order ? NEVER : Math.max(this.#clearedBy, this.#trail.firstReturn());
    }
  }

  /** Takes out an operation or a pair that is safe to take first; if there is none, starts to try pairs. */
  #takeNext(): void {
    const trail = this.#trail;
    const { call } = this.#history.columns;
    const first = trail.firstReturn();
    const emptyRemoval = trail.byCall.first(FOUND_NOTHING);
    if (emptyRemoval < call.length && call[emptyRemoval] < first && trail.floor < first) {
      this.#takeOut(emptyRemoval, NONE, false);
      return;
    }
    const sure = this.#surePair();
    if (sure !== NONE) this.#takeOut(sure, trail.firstReturned(sure), false);
    else if (this.#isNew()) this.#beginPairs(trail.nextRemoval());
    else this.#goBack();
  }

  /** The removal of a pair that ends first, without conflict; or NONE. */
  #surePair(): number {
    const trail = this.#trail;
    const { call, return: returned } = this.#history.columns;
    const [first, firstRemoval] = [trail.firstReturn(), trail.firstRemoval()];
    let k = trail.byCall.first(REMOVALS);
    for (; k < call.length && call[k] < firstRemoval; k = trail.byCall.next[k]) {
      const addition = trail.firstReturned(k);
      const isPair = addition < call.length && call[addition] < first;
      if (isPair && returned[k] !== NEVER && trail.returnsFirst(k) && !this.#hasConflict(k)) return k;
    }
    return NONE;
  }

  /**
   * Definition 11: if this removal goes first, an addition that precedes it also precedes a removal that found
   * nothing and could have come before that addition, after the removal of another value.
   */
  #hasConflict(removal: number): boolean {
    const { byCall, added, returnedBefore, floor } = this.#trail;
    const { call, return: returned } = this.#history.columns;
    const emptyRemoval = byCall.first(FOUND_NOTHING);
    if (emptyRemoval >= call.length || call[emptyRemoval] > call[removal]) return false;
    let last = returnedBefore[removal] - 1;
    while (last >= added.position && added.has[added.returns[last]] === 1) last--;
    if (last < added.position) return false;
    const end = returned[added.returns[last]];
    const isOpen = (other: number) => other < call.length && call[other] < end;
    const isOther = isOpen(byCall.first(REMOVALS)) || isOpen(byCall.first(PENDING_REMOVALS));
    return floor < end && isOther && call[emptyRemoval] < end;
  }

  /** Whether pairs are tried for the first time with all this taken out. */
  #isNew(): boolean {
    const { added, removed } = this.#trail;
    let field = this.#seen.draft();
    this.#seen.records[field++] = removed.position;
    this.#seen.records[field++] = added.position;
    for (const word of removed.mask) this.#seen.records[field++] = word;
    for (const word of added.mask) this.#seen.records[field++] = word;
    return this.#seen.add();
  }

  #beginPairs(removal: number): void {
    this.#removal = removal;
    if (removal < this.#history.length) this.#addition = this.#trail.firstCalled(removal);
  }

  /** Takes out the next pair; if there is none, backtracks. */
  #tryPair(): void {
    const trail = this.#trail;
    const { call, return: returned } = this.#history.columns;
    const first = trail.firstReturn();
    while (this.#removal < call.length) {
      const [removal, addition] = [this.#removal, this.#addition];
      if (addition < call.length && call[addition] < first) {
        this.#addition = trail.nextCalled(removal, addition);
        // a pair of which neither returned need not have happened
        const isNeedless = returned[removal] === NEVER && returned[addition] === NEVER;
        if (isNeedless || !trail.returnsFirstOfOpen(addition, first)) continue;
        this.#takeOut(removal, addition, true);
        return;
      }
      this.#beginPairs(trail.nextRemoval(removal));
    }
    this.#goBack();
  }

  #takeOut(removal: number, addition: number, isChoice: boolean): void {
    this.steps++;
    this.#isChoice[this.#trail.length] = Number(isChoice);
    this.#trail.takeOut(removal, addition);
    this.#removal = NONE;
  }

  /** Puts back the last pair tried and all that followed; if there is none, there is no linearization. */
  #goBack(): void {
    const trail = this.#trail;
    do {
      if (trail.length === 0) {
        this.order = null;
        return;
      }
      trail.putBack();
    } while (this.#isChoice[trail.length] === 0);
    this.#removal = trail.removals[trail.length];
    this.#addition = trail.nextCalled(this.#removal, trail.additions[trail.length]);
  }
}
