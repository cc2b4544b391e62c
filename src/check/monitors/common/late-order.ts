/**
 * An order in which operations take effect as late as they can: at their own return, or where another's return needs it.
 *
 * A return may need an effect that any of several open operations can have: a set that has to
 * lose a key loses it by any removal. Who it was need not be said yet. The effect stands in the
 * order on credit, and one who was open by then pays for it: of those that return, each pays the
 * earliest credit behind its own call; if there is none, it takes effect at its return. What is
 * unpaid in the end is paid by operations that never returned, in the order of their calls.
 *
 * That the credit stands behind the call is what LiMo's algorithm 13 does not ask for: docs/internals/papers.md.
 *
 * Invariant: of each kind, there are as many open operations as there are credits, or more.
 * Cost: O(1) an operation, and at its return a look at the unpaid credits of its kind behind its call.
 */
import { GroupedLists } from './grouped-lists.js';

const NONE = -1;

export class LateOrder {
  /** Place to operation; to ~kind where it is on credit. */
  readonly #order: Int32Array;
  #length = 0;
  #unpaid = 0;
  /** Operation to the place that came next when it was called. */
  readonly #since: Int32Array;
  /** Kind to its last unpaid place; place to the unpaid one of its kind before. */
  readonly #last: Int32Array;
  readonly #before: Int32Array;
  /** Kind to how many open operations of it are left to give credit. */
  readonly #spare: Int32Array;

  constructor(operations: number, kinds: number) {
    this.#order = new Int32Array(operations);
    this.#since = new Int32Array(operations);
    this.#before = new Int32Array(operations);
    this.#last = new Int32Array(kinds).fill(NONE);
    this.#spare = new Int32Array(kinds);
  }

  /** An operation of a kind is called. */
  call(kind: number, k: number): void {
    this.#since[k] = this.#length;
    this.#spare[kind]++;
  }

  /** An operation takes effect now. */
  put(k: number): void {
    this.#order[this.#length++] = k;
  }

  /** How many effects of a kind can be had now. */
  spare(kind: number): number {
    return this.#spare[kind];
  }

  /** An effect of a kind is needed now. False: no operation can have it. */
  borrow(kind: number): boolean {
    if (this.#spare[kind] === 0) return false;
    this.#spare[kind]--;
    this.#unpaid++;
    this.#before[this.#length] = this.#last[kind];
    this.#last[kind] = this.#length;
    this.#order[this.#length++] = ~kind;
    return true;
  }

  /** An operation of a kind returns. True: it took effect before, on credit. */
  repay(kind: number, k: number): boolean {
    const since = this.#since[k];
    let [behind, place] = [NONE, NONE];
    for (let next = this.#last[kind]; next >= since; next = this.#before[next]) {
      behind = place;
      place = next;
    }
    if (place === NONE) {
      this.#spare[kind]--;
      return false;
    }
    if (behind === NONE) this.#last[kind] = this.#before[place];
    else this.#before[behind] = this.#before[place];
    this.#order[place] = k;
    this.#unpaid--;
    return true;
  }

  /** The whole order. `kindOf` tells the kind of operations that never returned, and is negative for all others. */
  finish(kindOf: (k: number) => number): Int32Array {
    const order = this.#order.subarray(0, this.#length);
    if (this.#unpaid === 0) return order;
    const open = new GroupedLists(this.#last.length, this.#order.length, kindOf);
    const next = this.#last.map((_, kind) => open.first(kind));
    for (let place = 0; place < order.length; place++) {
      if (order[place] >= 0) continue;
      const kind = ~order[place];
      order[place] = next[kind];
      next[kind] = open.next(next[kind]);
    }
    return order;
  }
}
