/**
 * Rendezvous as soon as possible.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6.1.1:
 *   the partial-order reduction ASAP.
 *
 * A rendezvous can be moved earlier until another one precedes it, or the call of one of its members. So steps are
 * needed only after a call: none, or a rendezvous with that call in it, and then any others.
 *
 *   configuration after a call          steps
 *   no rendezvous since the call        continue at the next call, or a rendezvous with this call
 *   rendezvous since the call           continue at the next call, or any rendezvous
 *   a return before the next call       its call must have synchronised
 *
 * Cost: as for just in time, but a call restricts the next step less than a return.
 */
import { clearBit, hasBit, setBit } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import { Slots } from '../../search/generic/slots.js';
import { RendezvousSearch, type RendezvousSearchOptions, ROOT } from './configuration-graph.js';
import { ANY_CALL } from './enabled-rendezvous.js';

export class AsSoonAsPossible extends RendezvousSearch {
  readonly name = 'as-soon-as-possible search for rendezvous';
  readonly #next: Int32Array;
  /** `open[k * slots + b]`: the operation in slot b just after the call of k, or -1. */
  readonly #open: Int32Array;

  /** A position is twice the number of a call, plus 1 if there was a rendezvous since. */
  constructor(history: History, machine: SyncMachine, options: RendezvousSearchOptions = {}) {
    const letters = machine.lettersOf(history);
    const slots = new Slots(history.columns, letters);
    super(history, machine, slots, 2 * history.length, letters, options);
    this.#next = new Int32Array(this.mask.length);
    this.#open = openAtCalls(history, slots);
  }

  protected begin(): void {
    this.arrive(ROOT, 0, this.machine.initial, this.mask);
  }

  protected expand(record: number, position: number, state: number): void {
    const call = position >> 1;
    this.rendezvous.each(
      state,
      this.openAt(position),
      (position & 1) === 1 ? ANY_CALL : call,
      (members, length, next) => {
        this.#next.set(this.mask);
        for (let i = 0; i < length; i++) setBit(this.#next, this.slots.bitOf[members[i]]);
        this.arrive(record, 2 * call + 1, next, this.#next, members, length);
      },
      this.maySynchronise,
    );
    // continue at the next call, if all calls that return before it have synchronised
    const { events, call: callOf } = this.history.columns;
    const { slotOf } = this.slots;
    this.#next.set(this.mask);
    for (let m = callOf[call] + 1; m < events.length && events[m] < 0; m++) {
      if (!hasBit(this.#next, 0, slotOf[~events[m]])) return;
      clearBit(this.#next, slotOf[~events[m]]);
    }
    this.arrive(record, 2 * call + 2, state, this.#next);
  }

  protected isEnd(position: number): boolean {
    return position >> 1 === this.history.length;
  }

  /** The next return after the call that is not yet included. */
  protected momentOf(position: number): number {
    const { events, call } = this.history.columns;
    if (this.isEnd(position)) return events.length;
    let moment = call[position >> 1] + 1;
    while (moment < events.length && events[moment] >= 0) moment++;
    return moment;
  }

  protected openAt(position: number): number[] {
    const { bitOf, slots, unreturned } = this.slots;
    const last = Math.min(position >> 1, this.history.length - 1);
    const moment = this.history.columns.call[last];
    const now: number[] = [];
    for (let i = last * slots; i < (last + 1) * slots; i++) if (this.#open[i] >= 0) now.push(this.#open[i]);
    for (let i = 0; this.usesPending && unreturned[i] <= last; i++) now.push(unreturned[i]);
    return now
      .filter((k) => !hasBit(this.mask, 0, bitOf[k]) && this.slots.isReadyAt(moment, k, this.mask, 0))
      .sort((a, b) => a - b);
  }
}

/** The slots of open operations after each call. */
function openAtCalls({ columns, length }: History, { slots, slotOf }: Slots): Int32Array {
  const open = new Int32Array(length * slots);
  const now = new Int32Array(slots).fill(-1);
  for (const event of columns.events) {
    if (event < 0) now[slotOf[~event]] = -1;
    else {
      if (slotOf[event] >= 0) now[slotOf[event]] = event;
      open.set(now, event * slots);
    }
  }
  return open;
}
