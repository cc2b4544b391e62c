/**
 * Rendezvous as late as possible.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: just-in-time
 *   linearization, here for rendezvous; the dual of "as soon as possible".
 *
 * A rendezvous can be moved later until the next one follows, or a return of one of its members. So steps are needed
 * only at the return of a call that has not synchronised: some rendezvous, of which the last has that call in it.
 *
 *   configuration at a return           steps
 *   its call has synchronised           continue at the next return
 *   otherwise                           it synchronises with open calls: continue at the next return
 *                                       or others synchronise before: another configuration here
 *   no return left                      there is a sequence
 *
 * Rendezvous with the call that must return are tried first. The others are tried only when that has led nowhere, so
 * each configuration is visited twice.
 *
 * Cost: exponential in the number of calls that are open at once, linear in the length of the history.
 */
import { clearBit, hasBit, setBit } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import { OpenOperations } from '../../search/generic/open-operations.js';
import { RendezvousSearch, type RendezvousSearchOptions, ROOT } from './configuration-graph.js';
import { ANY_CALL } from './enabled-rendezvous.js';

export class JustInTime extends RendezvousSearch {
  readonly name = 'just-in-time search for rendezvous';
  readonly #openings: OpenOperations;
  /** The bits of the next configuration. */
  readonly #next: Int32Array;

  constructor(history: History, machine: SyncMachine, options: RendezvousSearchOptions = {}) {
    const letters = machine.lettersOf(history);
    const openings = new OpenOperations(history.columns, letters, () => false);
    super(history, machine, openings, openings.returns.length, letters, options);
    this.#openings = openings;
    this.#next = new Int32Array(this.mask.length);
  }

  protected begin(): void {
    this.arrive(ROOT, 0, this.machine.initial, this.#next);
  }

  protected expand(record: number, position: number, state: number, isSecondVisit: boolean): void {
    const must = this.#openings.returns[position];
    const open = this.openAt(position);
    if (!isSecondVisit) this.again(record);
    this.rendezvous.each(
      state,
      isSecondVisit ? open.filter((k) => k !== must) : open,
      isSecondVisit ? ANY_CALL : must,
      (members, length, next) => {
        this.#next.set(this.mask);
        for (let i = 0; i < length; i++) setBit(this.#next, this.slots.bitOf[members[i]]);
        this.arrive(record, this.#pastReturns(position), next, this.#next, members, length);
      },
      this.maySynchronise,
    );
  }

  /** The first position from one on whose call has not synchronised; frees the bits of those before it. */
  #pastReturns(from: number): number {
    const { returns, slotOf } = this.#openings;
    let position = from;
    while (position < returns.length && hasBit(this.#next, 0, slotOf[returns[position]]))
      clearBit(this.#next, slotOf[returns[position++]]);
    return position;
  }

  protected isEnd(position: number): boolean {
    return position === this.#openings.returns.length;
  }

  protected momentOf(position: number): number {
    const { events, return: returned } = this.history.columns;
    return this.isEnd(position) ? events.length : returned[this.#openings.returns[position]];
  }

  protected openAt(position: number): number[] {
    const { slots, open, unreturned, unreturnedBy, bitOf } = this.#openings;
    const end = this.isEnd(position);
    const now: number[] = [];
    for (let i = position * slots; !end && i < (position + 1) * slots; i++)
      if (open[i] >= 0) now.push(open[i]);
    const called = end ? unreturned.length : unreturnedBy[position];
    for (let i = 0; this.usesPending && i < called; i++) now.push(unreturned[i]);
    const moment = this.momentOf(position);
    return now
      .filter((k) => !hasBit(this.mask, 0, bitOf[k]) && this.slots.isReadyAt(moment, k, this.mask, 0))
      .sort((a, b) => a - b);
  }
}
