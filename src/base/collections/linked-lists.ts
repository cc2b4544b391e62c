/**
 * Doubly linked lists of small integers with O(1) removal and restoration.
 *
 *   D. Knuth. Dancing links. 2000.
 *
 * A removed item keeps its own links, so it can be restored in place, provided that items are
 * restored in reverse order. Each of the items 0, 1, … is in at most one list. A list is a ring
 * through its head, and the head of list `l` is `items + l`: a list ends at the first entry that is
 * not below `items`. An item in no list is a ring by itself; removing it has no effect.
 *
 * Cost: 8 bytes per item and per list.
 */
import { range } from './ints.js';

export class LinkedLists {
  /** Item or head to its successor. */
  readonly next: Int32Array;
  readonly #previous: Int32Array;
  readonly #items: number;

  constructor(items: number, lists: number) {
    this.next = range(items + lists);
    this.#previous = range(items + lists);
    this.#items = items;
  }

  get bytes(): number {
    return this.next.byteLength + this.#previous.byteLength;
  }

  /** The first item of a list, or its head if it is empty. */
  first(list: number): number {
    return this.next[this.#items + list];
  }

  isEmpty(list: number): boolean {
    return this.first(list) === this.#items + list;
  }

  /** Adds an item at the end of a list. */
  append(list: number, item: number): void {
    const head = this.#items + list;
    const last = this.#previous[head];
    this.next[last] = item;
    this.#previous[item] = last;
    this.next[item] = head;
    this.#previous[head] = item;
  }

  remove(item: number): void {
    this.next[this.#previous[item]] = this.next[item];
    this.#previous[this.next[item]] = this.#previous[item];
  }

  /** Restores the item that was removed last. */
  restore(item: number): void {
    this.next[this.#previous[item]] = item;
    this.#previous[this.next[item]] = item;
  }
}
