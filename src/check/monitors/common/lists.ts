/**
 * Lists of operations as two arrays of integers, the first item of each list and the next of each item (O(1) per item), and an
 * order of operations that take effect as late as possible.
 */

/** The end of a list. */
export const END = -1;

const NONE = -1;

/** Lists of small numbers, each ascending, which never change. */
export class GroupedLists {
  readonly #first: Int32Array;
  readonly #next: Int32Array;

  /** Item i is in the list `listOf(i)`; in none if that is negative or too large. */
  constructor(lists: number, items: number, listOf: (item: number) => number) {
    this.#first = new Int32Array(lists).fill(END);
    this.#next = new Int32Array(items);
    for (let item = items - 1; item >= 0; item--) {
      const list = listOf(item);
      if (list < 0 || list >= lists) continue;
      this.#next[item] = this.#first[list];
      this.#first[list] = item;
    }
  }

  /** The first item of a list, or END. */
  first(list: number): number {
    return this.#first[list];
  }

  next(item: number): number {
    return this.#next[item];
  }
}

/**
 * Lists of operations that wait for a state in which their result is correct: of a key, or of a count.
 *
 * When one of them returns, its whole list takes effect, or the history is not linearizable. So no operation is ever
 * removed alone.
 */
export class WaitingLists {
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #waits: Uint8Array;

  constructor(operations: number, lists: number) {
    this.#first = new Int32Array(lists).fill(END);
    this.#next = new Int32Array(operations);
    this.#waits = new Uint8Array(operations);
  }

  add(list: number, k: number): void {
    this.#next[k] = this.#first[list];
    this.#first[list] = k;
    this.#waits[k] = 1;
  }

  has(k: number): boolean {
    return this.#waits[k] === 1;
  }

  /** Lets a whole list take effect now. */
  release(list: number, order: { put(k: number): void }): void {
    for (let k = this.#first[list]; k !== END; k = this.#next[k]) {
      this.#waits[k] = 0;
      order.put(k);
    }
    this.#first[list] = END;
  }
}

/**
 * An order in which operations take effect as late as possible: at their own return, or when another's return needs
 * it.
 *
 * A return may need an effect that any of several open operations can have: a set that must lose a key can lose it by
 * any removal. Which one it was is decided later. The effect is in the order as a *pending effect*, and an operation
 * that was open then is assigned to it. An operation that returns is assigned to the earliest pending effect after
 * its own call; if there is none, it takes effect at its return. Pending effects that remain at the end are assigned
 * to pending operations, in order of call.
 *
 * LiMo's algorithm 13 does not require that the pending effect is after the call: docs/internals/papers.md.
 *
 * Invariant: for each kind, there are at least as many open operations as pending effects. Cost: O(1) per operation,
 * and at its return a scan of the pending effects of its kind after its call.
 */
export class LateOrder {
  /** For each place, its operation; ~kind for a pending effect. */
  readonly #order: Int32Array;
  #length = 0;
  #unassigned = 0;
  /** For each operation, the next place at its call. */
  readonly #since: Int32Array;
  /** For each kind, the place of its last pending effect; for each place, the pending effect of its kind before. */
  readonly #last: Int32Array;
  readonly #before: Int32Array;
  /** For each kind, how many open operations are not needed by pending effects. */
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

  /** How many more effects of a kind are possible now. */
  spare(kind: number): number {
    return this.#spare[kind];
  }

  /** An effect of a kind is needed now. False: no operation can have it. */
  requireEffect(kind: number): boolean {
    if (this.#spare[kind] === 0) return false;
    this.#spare[kind]--;
    this.#unassigned++;
    this.#before[this.#length] = this.#last[kind];
    this.#last[kind] = this.#length;
    this.#order[this.#length++] = ~kind;
    return true;
  }

  /** An operation of a kind returns. True: it is assigned to a pending effect. */
  assign(kind: number, k: number): boolean {
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
    this.#unassigned--;
    return true;
  }

  /** The whole order. `kindOf` is the kind of a pending operation, and negative for all others. */
  finish(kindOf: (k: number) => number): Int32Array {
    const order = this.#order.subarray(0, this.#length);
    if (this.#unassigned === 0) return order;
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
