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
import { GrowingInts, hasBit } from '../../base/index.js';
import { type Columns, NEVER } from '../../history/index.js';

export class Openings {
  /** Position to the operation that returns there. */
  readonly returns: Int32Array;
  /** How many slots there are, and how many 32-bit words hold a bit for each. */
  readonly slots: number;
  readonly words: number;
  /** Operation to its slot; -1 for those that never return. */
  readonly slotOf: Int32Array;
  /** `open[r * slots + b]`: the operation in slot b when the r-th return comes, or -1. */
  readonly open: Int32Array;
  /** `readOnly[r * words + w]`: the slots of open read-only operations when the r-th return comes, as bits. */
  readonly readOnly: Int32Array;
  /** The operations that never return, by call. */
  readonly unreturned: Int32Array;
  /** Operation to its bit in a mask of those that have taken effect: its slot, or, behind all slots, its place among the unreturned. */
  readonly bitOf: Int32Array;
  /** How many words such a mask has. */
  readonly maskWords: number;
  /** Operation that never returns to the equal one called last before it, or -1. Either will do, so the earlier may go first. */
  readonly twinOf: Int32Array;
  /** Position to how many of those had been called by then. */
  readonly unreturnedBy: Int32Array;
  /** Is the operation that returns at a position the only one that is open? */
  readonly isAlone: Uint8Array;
  readonly #columns: Columns;

  constructor(columns: Columns, letters: Int32Array, isReadOnly: (letter: number) => boolean) {
    const { events, return: returned } = columns;
    const operations = columns.call.length;
    const count = events.length - operations;
    const slots = mostOpen(columns);
    const words = Math.ceil(slots / 32);
    const returns = new Int32Array(count);
    const unreturnedBy = new Int32Array(count);
    const isAlone = new Uint8Array(count);
    const open = new Int32Array(count * slots);
    const readOnly = new Int32Array(count * words);
    const slotOf = new Int32Array(operations).fill(-1);
    const unreturned = new GrowingInts(16);
    const now = new Int32Array(slots).fill(-1);
    // the slot given back last is taken first, so there are never more than that
    const free = Array.from({ length: slots }, (_, slot) => slots - 1 - slot);
    const readOnlyNow = new Int32Array(words);
    let position = 0;
    let pending = 0;
    let openNow = 0;
    for (let m = 0; m < events.length; m++) {
      const event = events[m];
      if (event < 0) {
        const slot = slotOf[~event];
        for (let other = 0; other < slots; other++) open[position * slots + other] = now[other];
        for (let word = 0; word < words; word++) readOnly[position * words + word] = readOnlyNow[word];
        returns[position] = ~event;
        isAlone[position] = Number(openNow-- + pending === 1);
        unreturnedBy[position++] = pending;
        now[slot] = -1;
        readOnlyNow[slot >>> 5] &= ~(1 << (slot & 31));
        free.push(slot);
      } else if (returned[event] === NEVER) {
        unreturned.push(event);
        pending++;
      } else {
        const slot = free.pop() as number;
        slotOf[event] = slot;
        now[slot] = event;
        openNow++;
        if (isReadOnly(letters[event])) readOnlyNow[slot >>> 5] |= 1 << (slot & 31);
      }
    }

    this.returns = returns;
    this.slots = slots;
    this.words = words;
    this.slotOf = slotOf;
    this.open = open;
    this.readOnly = readOnly;
    this.unreturned = unreturned.toArray();
    this.bitOf = slotOf.slice();
    for (let i = 0; i < unreturned.length; i++) this.bitOf[unreturned.at(i)] = 32 * words + i;
    this.maskWords = words + Math.ceil(unreturned.length / 32);
    this.twinOf = twins(this.unreturned, letters, columns);
    this.#columns = columns;
    this.unreturnedBy = unreturnedBy;
    this.isAlone = isAlone;
  }

  /** How much these tables will take for a history, at least. */
  static bytesFor(columns: Columns): number {
    return 4 * mostOpen(columns) * (columns.events.length - columns.call.length);
  }

  /** May an open operation take effect at a position: have all that it comes "after"? The mask starts at `mask[start]`. */
  isReady(k: number, position: number, mask: Int32Array, start: number): boolean {
    const { after, call, return: returned } = this.#columns;
    if (!after) return true;
    const now = returned[this.returns[position]];
    for (let i = after.start[k]; i < after.start[k + 1]; i++) {
      const earlier = after.items[i];
      if (returned[earlier] < now) continue;
      if (call[earlier] > now || !hasBit(mask, start, this.bitOf[earlier])) return false;
    }
    return true;
  }
}

/** How many operations that return are open at once, at most. */
function mostOpen({ events, return: returned }: Columns): number {
  let open = 0;
  let most = 0;
  for (let m = 0; m < events.length; m++) {
    if (events[m] < 0) open--;
    else if (returned[events[m]] !== NEVER && ++open > most) most = open;
  }
  return most;
}

/** Operations that come "after" others are not alike, even if their letters are. */
function twins(unreturned: Int32Array, letters: Int32Array, { after }: Columns): Int32Array {
  const twinOf = new Int32Array(letters.length).fill(-1);
  const last = new Map<number, number>();
  if (!after)
    for (const k of unreturned) {
      twinOf[k] = last.get(letters[k]) ?? -1;
      last.set(letters[k], k);
    }
  return twinOf;
}
