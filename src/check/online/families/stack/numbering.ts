/** Values of a stack by number, as long as somebody knows them, and who put each in last. */
import type { OnlineOperation } from '../../operation.js';
import type { Values } from '../../values.js';
import { NOTHING } from './stacks.js';

interface Numbered {
  readonly item: unknown;
  readonly number: number;
  push: OnlineOperation | undefined;
}

export class Numbering {
  readonly #values: Values;
  readonly #byKey = new Map<unknown, Numbered>();
  readonly #byNumber = new Map<number, Numbered>();
  #next = NOTHING;

  /** `empty`: the answer of an empty stack, which has the number of no value. */
  constructor(values: Values, empty: unknown) {
    this.#values = values;
    this.add(empty);
  }

  /** `push`: who puts it in; nobody, if it is there at first. */
  add(item: unknown, push?: OnlineOperation): number {
    const key = this.#values.keyOf(item);
    const numbered = this.#byKey.get(key) ?? { item, number: this.#next++, push };
    numbered.push = push;
    this.#byKey.set(key, numbered);
    this.#byNumber.set(numbered.number, numbered);
    return numbered.number;
  }

  find(item: unknown): number | undefined {
    return this.#byKey.get(this.#values.keyOf(item))?.number;
  }

  itemOf(number: number): unknown {
    return this.#byNumber.get(number)?.item;
  }

  /** Who put it in last. */
  pushOf(number: number): OnlineOperation | undefined {
    return this.#byNumber.get(number)?.push;
  }

  /** Forgets the others. */
  retain(numbers: ReadonlySet<number>): void {
    for (const { number, item } of this.#byNumber.values()) {
      if (number === NOTHING || numbers.has(number)) continue;
      this.#byNumber.delete(number);
      this.#byKey.delete(this.#values.keyOf(item));
    }
  }
}
