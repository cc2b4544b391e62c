/** A stack of value numbers. Values that were one are one. */
import { ADD, type Container, EMPTY, IDLE, NONE, OPEN_REMOVE, REMOVE } from '../container/container.js';
import { namesOf } from '../container/original-names.js';

export class StackModel {
  /** The value that was popped last, or NONE if there was nothing. */
  popped: number = NONE;
  readonly #container: Container;
  readonly #nameOf: Int32Array;
  readonly #items: Int32Array;
  #height: number;

  constructor(container: Container, plain?: (value: unknown) => unknown) {
    this.#container = container;
    this.#nameOf = namesOf(container, plain);
    this.#items = new Int32Array(container.values);
    this.#height = container.initial;
    for (let v = 0; v < container.initial; v++) this.#items[v] = v;
  }

  /** Lets an operation take effect; is its answer right? */
  step(k: number): boolean {
    const { role, value } = this.#container;
    const isGiven = (v: number): boolean => v !== NONE && this.#nameOf[v] === this.#nameOf[value[k]];
    const top = this.#height === 0 ? NONE : this.#items[this.#height - 1];
    switch (role[k]) {
      case ADD:
        this.#items[this.#height++] = value[k];
        return true;
      case EMPTY:
        return top === NONE;
      case IDLE:
        return true;
      case OPEN_REMOVE:
      case REMOVE:
        this.popped = top;
        if (top !== NONE) this.#height--;
        return role[k] === OPEN_REMOVE || isGiven(top);
      default:
        return isGiven(top);
    }
  }
}
