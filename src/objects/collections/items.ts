/**
 * An immutable list that shares its values with the lists it was made from: the state of queues, stacks and deques.
 *
 * A list has three pieces: the values added at the front, an array, and the values added at the back. Adding makes one
 * link; removing drops one, or narrows the array. If a value is removed from an end and only the piece of the other
 * end has any, that piece becomes the array. So along a run every value is linked once and copied once.
 *
 * Cost: O(1) amortised per call along a run; O(length) per call in the worst case. An array that is copied by every
 * call would make a run of n calls cost up to n².
 */
import { show } from '../../base/values/show.js';
import { isEqual } from '../common/parameters.js';

/** A value, and those that were added before it at the same end. */
interface Link<V> {
  readonly value: V;
  readonly next: Link<V> | undefined;
  readonly length: number;
}

export class Items<V> {
  readonly length: number;
  readonly #front: Link<V> | undefined;
  readonly #middle: readonly V[];
  /** The values of the middle piece: `#middle[#from]` to `#middle[#to - 1]`. */
  readonly #from: number;
  readonly #to: number;
  readonly #back: Link<V> | undefined;

  private constructor(
    front: Link<V> | undefined,
    middle: readonly V[],
    from: number,
    to: number,
    back: Link<V> | undefined,
  ) {
    this.#front = front;
    this.#middle = middle;
    this.#from = from;
    this.#to = to;
    this.#back = back;
    this.length = (front?.length ?? 0) + (to - from) + (back?.length ?? 0);
  }

  static of<V>(values: readonly V[]): Items<V> {
    return new Items(undefined, [...values], 0, values.length, undefined);
  }

  /** The list with one more value at the front. */
  withFirst(value: V): Items<V> {
    return new Items(linked(value, this.#front), this.#middle, this.#from, this.#to, this.#back);
  }

  /** The list with one more value at the back. */
  withLast(value: V): Items<V> {
    return new Items(this.#front, this.#middle, this.#from, this.#to, linked(value, this.#back));
  }

  /** The list without its first value, and that value. The list is not empty. */
  withoutFirst(): readonly [rest: Items<V>, first: V] {
    const own = this.settled();
    const [front, middle, from, to, back] = [own.#front, own.#middle, own.#from, own.#to, own.#back];
    return front
      ? [new Items(front.next, middle, from, to, back), front.value]
      : [new Items<V>(undefined, middle, from + 1, to, back), middle[from]];
  }

  /** The list without its last value, and that value. The list is not empty. */
  withoutLast(): readonly [rest: Items<V>, last: V] {
    const own = this.settled();
    const [front, middle, from, to, back] = [own.#front, own.#middle, own.#from, own.#to, own.#back];
    return back
      ? [new Items(front, middle, from, to, back.next), back.value]
      : [new Items<V>(front, middle, from, to - 1, undefined), middle[to - 1]];
  }

  /** An equal list whose first and last value are found in O(1). */
  settled(): Items<V> {
    if (this.#from < this.#to || (this.#front && this.#back)) return this;
    return this.#front || this.#back ? Items.of(this.toArray()) : this;
  }

  /** The first value. The list is settled and not empty. */
  get first(): V {
    return this.#front ? this.#front.value : this.#middle[this.#from];
  }

  /** The last value. The list is settled and not empty. */
  get last(): V {
    return this.#back ? this.#back.value : this.#middle[this.#to - 1];
  }

  toArray(): V[] {
    const all = new Array<V>(this.length);
    let i = 0;
    for (let link = this.#front; link; link = link.next) all[i++] = link.value;
    for (let k = this.#from; k < this.#to; k++) all[i++] = this.#middle[k];
    i = this.length;
    for (let link = this.#back; link; link = link.next) all[--i] = link.value;
    return all;
  }

  /** With `hashCode`: values of this class are compared by content, also inside the state of another spec. */
  equals(other: unknown): boolean {
    if (!(other instanceof Items) || other.length !== this.length) return false;
    const values: unknown[] = other.toArray();
    return this.toArray().every((value, i) => isEqual(value, values[i]));
  }

  hashCode(): number {
    return this.length;
  }

  toString(): string {
    return show(this.toArray());
  }
}

const linked = <V>(value: V, next: Link<V> | undefined): Link<V> => ({
  value,
  next,
  length: next ? next.length + 1 : 1,
});
