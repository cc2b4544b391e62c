/**
 * Linked lists of small numbers, which can be taken out and put back in O(1).
 *
 *   D. Knuth. Dancing links. 2000: an item that is taken out keeps its own links,
 *   so it can be put back where it was, as long as all is put back in reverse order.
 *
 * Each of the items 0, 1, … is in one list at most. A list is a ring through its head, and list
 * `l` has the head `items + l`: the end of a list is where an entry is not below `items`.
 * An item that is in no list is a ring by itself, and taking it out does nothing.
 *
 * Cost: 8 bytes for each item and each list.
 */
import { range } from './ints.js';

export class Links {
  /** Item or head to the next one. */
  readonly next: Int32Array;
  readonly #before: Int32Array;
  readonly #items: number;

  constructor(items: number, lists: number) {
    this.next = range(items + lists);
    this.#before = range(items + lists);
    this.#items = items;
  }

  get bytes(): number {
    return this.next.byteLength + this.#before.byteLength;
  }

  /** The first item of a list; its head, if it is empty. */
  first(list: number): number {
    return this.next[this.#items + list];
  }

  isEmpty(list: number): boolean {
    return this.first(list) === this.#items + list;
  }

  /** Adds an item at the end of a list. */
  append(list: number, item: number): void {
    const head = this.#items + list;
    const last = this.#before[head];
    this.next[last] = item;
    this.#before[item] = last;
    this.next[item] = head;
    this.#before[head] = item;
  }

  takeOut(item: number): void {
    this.next[this.#before[item]] = this.next[item];
    this.#before[this.next[item]] = this.#before[item];
  }

  /** Puts back what was taken out last. */
  putBack(item: number): void {
    this.next[this.#before[item]] = item;
    this.#before[this.next[item]] = item;
  }
}
