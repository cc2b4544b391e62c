/** Values of a container by number, as long as somebody knows them, and who put each in last. */
import type { OnlineOperation } from './operation.js';
import type { Values } from './values.js';

/** The number of no value. */
export const NOTHING = 0;

interface Numbered {
  readonly key: unknown;
  readonly item: unknown;
  readonly number: number;
  adder: OnlineOperation | undefined;
}

export class Numbering {
  readonly #values: Values;
  readonly #byKey = new Map<unknown, Numbered>();
  readonly #byNumber = new Map<number, Numbered>();
  #next = NOTHING;

  /** `empty`: the answer when it is empty, which has the number of no value. */
  constructor(values: Values, empty: unknown) {
    this.#values = values;
    this.add(empty);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** `adder`: who puts it in; nobody, if it is there at first. */
  add(item: unknown, adder?: OnlineOperation): number {
    const key = this.#values.keyOf(item);
    const numbered = this.#byKey.get(key) ?? { key, item, number: this.#next++, adder };
    numbered.adder = adder;
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
  adderOf(number: number): OnlineOperation | undefined {
    return this.#byNumber.get(number)?.adder;
  }

  /** Forgets the others. */
  retain(numbers: ReadonlySet<number>): void {
    for (const { number, key } of this.#byNumber.values()) {
      if (number === NOTHING || numbers.has(number)) continue;
      this.#byNumber.delete(number);
      this.#byKey.delete(key);
    }
  }
}
