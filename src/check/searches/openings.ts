/**
 * Which operations are open when another one returns: the view of a history that
 * just-in-time searches work on.
 *
 * Nothing needs to happen at a call, so only returns are positions. Each
 * operation that returns has a *slot* while it is open, and slots are used again:
 * there are as many as operations are ever open at once. Operations that never
 * return are open from their call on; they are a list of their own, by call, so
 * that the open ones at a return are a prefix of it.
 *
 * Cost: O(returns · slots) time and 4-byte entries.
 */
import { range } from '../../base/index.js';
import { type Columns, NEVER } from '../../history/index.js';

export class Openings {
  /** Position to the operation that returns there. */
  readonly returns: Int32Array;
  /** How many slots there are. */
  readonly slots: number;
  /** Operation to its slot; -1 for those that never return. */
  readonly slotOf: Int32Array;
  /** `open[r * slots + b]`: the operation in slot b when the r-th return comes, or -1. */
  readonly open: Int32Array;
  /** The operations that never return, by call. */
  readonly unreturned: Int32Array;
  /** Position to how many of those had been called by then. */
  readonly unreturnedBy: Int32Array;

  constructor(columns: Columns) {
    const { events } = columns;
    const operations = columns.call.length;
    const count = events.length - operations;
    this.returns = new Int32Array(count);
    this.unreturnedBy = new Int32Array(count);
    this.unreturned = range(operations).filter((k) => columns.return[k] === NEVER);

    // hand out slots; the one given back last is taken first, which keeps them few
    this.slotOf = new Int32Array(operations).fill(-1);
    const free: number[] = [];
    let slots = 0;
    for (const event of events) {
      if (event < 0) free.push(this.slotOf[~event]);
      else if (columns.return[event] !== NEVER) this.slotOf[event] = free.pop() ?? slots++;
    }
    this.slots = slots;

    // write down who is in which slot at each return
    this.open = new Int32Array(count * slots);
    const now = new Int32Array(slots).fill(-1);
    let position = 0;
    let pending = 0;
    for (const event of events) {
      if (event < 0) {
        const first = position * slots;
        for (let slot = 0; slot < slots; slot++) this.open[first + slot] = now[slot];
        this.returns[position] = ~event;
        this.unreturnedBy[position++] = pending;
        now[this.slotOf[~event]] = -1;
      } else if (this.slotOf[event] >= 0) now[this.slotOf[event]] = event;
      else pending++;
    }
  }
}
