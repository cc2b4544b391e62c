/**
 * Lowe's search for queues: takes out one value after another, with who added and who removed it.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 5, figure 3.
 *
 * A pair is an addition that nothing left precedes and a removal of the same value that no
 * removal left precedes. It *ends first* if no other addition, and no other removal, of this value
 * that is left returns earlier.
 *
 *   what is left                                       what happens
 *   no removal                                         there is an order (lemma 7)
 *   a removal that found nothing, which nothing        it is taken out (lemma 8)
 *   precedes
 *   a pair that ends first, without conflict           it is taken out, for good (lemma 12)
 *   otherwise                                          each pair is tried (lemmas 9 and 10)
 *   no pair left to try                                the last one tried is put back
 *
 * What was taken out tells all that is left (`QueueTrail`). So where pairs have to be tried it is
 * remembered, as a prefix by return and a mask, once for additions and once for removals:
 * the paper's search can try the same again after every choice.
 *
 * The "no" is complete, but does not tell which return no order gets past. So a just-in-time
 * graph search then looks for that, within the same limits, until it can tell. It may take
 * much longer than the "no" itself: who needs only that should ask a monitor.
 *
 * Cost: O(open operations) a step and near O(n) steps; trying pairs is rare.
 */
import { invariant, RecordSet } from '../../base/index.js';
import type { History } from '../../history/index.js';
import type { Machine } from '../../spec/index.js';
import type { Answer, Search } from '../search.js';
import { JitGraph } from './jit-graph.js';
import { QueueOperations } from './queue-operations.js';
import { queueOrder } from './queue-order.js';
import { IN_VAIN, NOBODY, QueueTrail, REMOVALS } from './queue-trail.js';
import { Slots } from './slots.js';

export class QueueOriented implements Search {
  readonly name = 'queue-oriented search';
  readonly returns: number;
  readonly #history: History;
  readonly #machine: Machine;
  readonly #operations: QueueOperations;
  readonly #trail: QueueTrail;
  /** Entry of the trail to whether other pairs are to be tried in its place. */
  readonly #isChoice: Uint8Array;
  /** The pair to try next; NOBODY while no pairs are tried. */
  #removal = NOBODY;
  #addition = NOBODY;
  /** What was taken out where pairs were tried: positions and masks of removals and additions. */
  readonly #seen: RecordSet;
  #tried = 0;
  /** The latest moment by which all that had returned was taken out. */
  #clearedBy = 0;
  /** After a "no": the search for the return that no order gets past. */
  #reason: JitGraph | undefined;

  /** Only where there is no obstacle. */
  constructor(history: History, machine: Machine) {
    const operations = QueueOperations.read(history, machine);
    invariant(typeof operations !== 'string', `no queue-oriented search: ${operations}`);
    const slots = new Slots(history.columns, machine.lettersOf(history));
    this.returns = history.columns.events.length - history.length;
    this.#history = history;
    this.#machine = machine;
    this.#operations = operations;
    this.#trail = new QueueTrail(history.columns, operations, slots);
    this.#isChoice = new Uint8Array(this.#trail.removals.length);
    this.#seen = new RecordSet(2 + 2 * slots.maskWords, this.#trail.removals.length + 1);
  }

  /** Why this search is not for this history, in words; undefined where it is. */
  static obstacle(history: History, machine: Machine): string | undefined {
    const operations = QueueOperations.read(history, machine);
    return typeof operations === 'string' ? operations : undefined;
  }

  get steps(): number {
    return this.#tried + (this.#reason?.steps ?? 0);
  }
  get configurations(): number {
    return this.#tried + 1 + (this.#reason?.configurations ?? 0);
  }
  get bytes(): number {
    return this.#trail.bytes + this.#seen.bytes + (this.#reason?.bytes ?? 0);
  }
  get explained(): number {
    const cleared = this.#history.columns.events.subarray(0, this.#clearedBy);
    return Math.max(cleared.filter((event) => event < 0).length, this.#reason?.explained ?? 0);
  }

  advance(fuel: number): Answer | undefined {
    const limit = this.steps + fuel;
    while (!this.#reason) {
      this.#clearedBy = Math.max(this.#clearedBy, this.#trail.firstReturn());
      if (this.#trail.length === this.#trail.removals.length)
        return { found: true, order: queueOrder(this.#history.columns, this.#operations, this.#trail) };
      if (this.#tried === limit) return undefined;
      if (this.#removal === NOBODY) this.#takeNext();
      else this.#tryPair();
    }
    const answer = this.#reason.advance(limit - this.steps);
    invariant(!answer?.found, 'the queue-oriented search says that there is no order, but there is');
    return answer;
  }

  /** Takes out what may go first for sure; where nothing may, begins to try pairs. */
  #takeNext(): void {
    const trail = this.#trail;
    const { call } = this.#history.columns;
    const first = trail.firstReturn();
    const inVain = trail.byCall.first(IN_VAIN);
    if (inVain < call.length && call[inVain] < first && trail.floor < first) {
      this.#takeOut(inVain, NOBODY, false);
      return;
    }
    const sure = this.#surePair();
    if (sure !== NOBODY) this.#takeOut(sure, trail.firstReturned(sure), false);
    else if (this.#isNew()) this.#beginPairs(trail.byCall.first(REMOVALS));
    else this.#goBack();
  }

  /** The removal of a pair that ends first, without conflict; or NOBODY. */
  #surePair(): number {
    const trail = this.#trail;
    const { call } = this.#history.columns;
    const [first, firstRemoval] = [trail.firstReturn(), trail.firstRemoval()];
    let k = trail.byCall.first(REMOVALS);
    for (; k < call.length && call[k] < firstRemoval; k = trail.byCall.next[k]) {
      const addition = trail.firstReturned(k);
      const isPair = addition < call.length && call[addition] < first;
      if (isPair && trail.returnsFirst(k) && !this.#hasConflict(k)) return k;
    }
    return NOBODY;
  }

  /**
   * Definition 11: if this removal goes first, an addition that precedes it also precedes a removal that found
   * nothing and could have come before that addition, after the removal of another value.
   */
  #hasConflict(removal: number): boolean {
    const { byCall, added, returnedBefore, floor } = this.#trail;
    const { call, return: returned } = this.#history.columns;
    const inVain = byCall.first(IN_VAIN);
    if (inVain >= call.length || call[inVain] > call[removal]) return false;
    let last = returnedBefore[removal] - 1;
    while (last >= added.position && added.has[added.returns[last]] === 1) last--;
    if (last < added.position) return false;
    const end = returned[added.returns[last]];
    return floor < end && call[byCall.first(REMOVALS)] < end && call[inVain] < end;
  }

  /** Is this the first time that pairs are tried with all this taken out? */
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

  /** Takes out the next pair; where there is none, goes back. */
  #tryPair(): void {
    const trail = this.#trail;
    const { call } = this.#history.columns;
    const [first, firstRemoval] = [trail.firstReturn(), trail.firstRemoval()];
    while (this.#removal < call.length && call[this.#removal] < firstRemoval) {
      if (this.#addition < call.length && call[this.#addition] < first) {
        this.#takeOut(this.#removal, this.#addition, true);
        return;
      }
      this.#beginPairs(trail.byCall.next[this.#removal]);
    }
    this.#goBack();
  }

  #takeOut(removal: number, addition: number, isChoice: boolean): void {
    this.#tried++;
    this.#isChoice[this.#trail.length] = Number(isChoice);
    this.#trail.takeOut(removal, addition);
    this.#removal = NOBODY;
  }

  /** Puts back the last pair tried and all that followed; where there is none, there is no order. */
  #goBack(): void {
    const trail = this.#trail;
    do {
      if (trail.length === 0) {
        this.#reason = new JitGraph(this.#history, this.#machine);
        return;
      }
      trail.putBack();
    } while (this.#isChoice[trail.length] === 0);
    this.#removal = trail.removals[trail.length];
    this.#addition = trail.byCall.next[trail.additions[trail.length]];
  }
}
