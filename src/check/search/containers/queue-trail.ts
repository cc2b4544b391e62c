/**
 * The remaining operations of a queue's history while a search takes out values one at a time, and the stack of the
 * operations taken out.
 *
 * All lists are dancing links: taking out and putting back are O(1). An addition that returned before the call of a
 * removal that was taken out also precedes all remaining removals, because those come later in the order. Lowe moves
 * their calls to a later place (`h -D d`); here the *floor* expresses it, the latest call of a removal of a value
 * that was taken out. A removal called before the floor counts as called then. No remaining removal returned before
 * the floor, because a removal is taken out only while the first remaining one is open.
 *
 * Invariant: the remaining operations and the floor are determined by the set of what was taken out.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';
import { PrefixSet, type Slots } from '../generic/slots.js';
import { LinkedLists } from '../generic/trail.js';
import { type ContainerOperations, NOTHING, UNKNOWN } from './operations.js';

/** Instead of an addition: the removal found nothing. */
export const NONE = -1;
/**
 * Lists by call: removals of a known value, those that found nothing, pending ones; then the additions of each value.
 */
export const REMOVALS = 0;
export const FOUND_NOTHING = 1;
export const PENDING_REMOVALS = 2;
const ADDITIONS = 3;

export class QueueTrail {
  /** The removals taken out, in order, with their additions, or NONE. */
  readonly removals: Int32Array;
  readonly additions: Int32Array;
  length = 0;
  /** The same as sets; `removed.returns` are the removals that must be taken out. */
  readonly added: PrefixSet;
  readonly removed: PrefixSet;
  floor = -1;
  /** The remaining operations, by call. */
  readonly byCall: LinkedLists;
  /** The remaining additions of all values, by call; undefined if no removal may remove any of them. */
  readonly additionsLeft: LinkedLists | undefined;
  /** For each addition or removal, how many additions had returned before its call. */
  readonly returnedBefore: Int32Array;
  /** The remaining additions (even lists) and removals (odd lists) of each value, by return. */
  readonly #byReturn: LinkedLists;
  /** For each entry of the stack, the floor before it. */
  readonly #floorBefore: Int32Array;
  readonly #value: Int32Array;
  readonly #columns: Columns;

  constructor(columns: Columns, { isAdd, value, values }: ContainerOperations, slots: Slots) {
    const operations = columns.call.length;
    this.byCall = new LinkedLists(operations, ADDITIONS + values);
    this.#byReturn = new LinkedLists(operations, 2 * values);
    this.additionsLeft = value.includes(UNKNOWN) ? new LinkedLists(operations, 1) : undefined;
    this.returnedBefore = new Int32Array(operations);
    const additions = new GrowingInts();
    const removals = new GrowingInts();
    for (const event of columns.events) {
      const k = event >= 0 ? event : ~event;
      // a removal that found nothing and was cut off need not have taken effect
      if (value[k] === NOTHING && columns.return[k] === NEVER) continue;
      if (event >= 0) {
        this.byCall.append(isAdd[k] === 1 ? ADDITIONS + value[k] : removalsList(value[k]), k);
        if (isAdd[k] === 1) this.additionsLeft?.append(0, k);
        this.returnedBefore[k] = additions.length;
      } else {
        (isAdd[k] === 1 ? additions : removals).push(k);
        if (value[k] !== NOTHING) this.#byReturn.append(2 * value[k] + 1 - isAdd[k], k);
      }
    }
    // pending operations, as if they returned at the end
    for (const k of slots.unreturned)
      if (value[k] >= 0) this.#byReturn.append(2 * value[k] + 1 - isAdd[k], k);
    this.added = new PrefixSet(additions.toArray(), slots);
    this.removed = new PrefixSet(removals.toArray(), slots);
    const most = removals.length + slots.unreturned.length;
    this.removals = new Int32Array(most);
    this.additions = new Int32Array(most);
    this.#floorBefore = new Int32Array(most);
    this.#value = value;
    this.#columns = columns;
  }

  get bytes(): number {
    const lists = this.byCall.bytes + this.#byReturn.bytes + this.added.bytes + this.removed.bytes;
    return (
      lists + (this.additionsLeft?.bytes ?? 0) + 3 * this.removals.byteLength + this.returnedBefore.byteLength
    );
  }

  /** The earliest return of the remaining removals. */
  firstRemoval(): number {
    return this.#firstOf(this.removed);
  }

  /** The earliest return of all remaining operations. */
  firstReturn(): number {
    return Math.min(this.#firstOf(this.added), this.firstRemoval());
  }

  #firstOf({ returns, position }: PrefixSet): number {
    return position < returns.length ? this.#columns.return[returns[position]] : NEVER;
  }

  /**
   * The removals that no other remaining one precedes: those of known values by call, then the first pending one.
   * Negative if there is none.
   */
  nextRemoval(removal?: number): number {
    const { call } = this.#columns;
    if (removal !== undefined && this.#value[removal] === UNKNOWN) return call.length;
    const firstRemoval = this.firstRemoval();
    const isFirst = (k: number) => k < call.length && call[k] < firstRemoval;
    const known = removal === undefined ? this.byCall.first(REMOVALS) : this.byCall.next[removal];
    if (isFirst(known)) return known;
    const unknown = this.byCall.first(PENDING_REMOVALS);
    return isFirst(unknown) ? unknown : call.length;
  }

  /** Of the remaining additions of what a removal removes: the first one called, and the first one to return. */
  firstCalled(removal: number): number {
    return this.#ofAny(removal)?.first(0) ?? this.byCall.first(ADDITIONS + this.#value[removal]);
  }
  firstReturned(removal: number): number {
    return this.#byReturn.first(2 * this.#value[removal]);
  }

  /** The addition after another among those that a removal may remove. */
  nextCalled(removal: number, addition: number): number {
    return (this.#ofAny(removal) ?? this.byCall).next[addition];
  }

  /** Whether it is the first to return of the remaining additions of its value that were called before a moment. */
  returnsFirstOfOpen(addition: number, moment: number): boolean {
    const { call, return: returned } = this.#columns;
    let k = this.byCall.first(ADDITIONS + this.#value[addition]);
    for (; k < call.length && call[k] < moment; k = this.byCall.next[k])
      if (returned[k] < returned[addition] || (returned[k] === returned[addition] && k < addition))
        return false;
    return true;
  }

  /** Whether it is the first to return of the remaining removals of this value. */
  returnsFirst(removal: number): boolean {
    return this.#byReturn.first(2 * this.#value[removal] + 1) === removal;
  }

  #ofAny(removal: number): LinkedLists | undefined {
    return this.#value[removal] === UNKNOWN ? this.additionsLeft : undefined;
  }

  takeOut(removal: number, addition: number): void {
    this.removals[this.length] = removal;
    this.additions[this.length] = addition;
    this.#floorBefore[this.length++] = this.floor;
    this.byCall.remove(removal);
    this.#byReturn.remove(removal);
    this.removed.add(removal);
    if (addition === NONE) return;
    this.floor = Math.max(this.floor, this.#columns.call[removal]);
    this.byCall.remove(addition);
    this.#byReturn.remove(addition);
    this.additionsLeft?.remove(addition);
    this.added.add(addition);
  }

  /** Puts back what was taken out last. */
  putBack(): void {
    const removal = this.removals[--this.length];
    const addition = this.additions[this.length];
    if (addition !== NONE) {
      this.added.takeBack(addition);
      this.additionsLeft?.restore(addition);
      this.#byReturn.restore(addition);
      this.byCall.restore(addition);
    }
    this.removed.takeBack(removal);
    this.#byReturn.restore(removal);
    this.byCall.restore(removal);
    this.floor = this.#floorBefore[this.length];
  }
}

function removalsList(value: number): number {
  if (value === UNKNOWN) return PENDING_REMOVALS;
  return value === NOTHING ? FOUND_NOTHING : REMOVALS;
}
