/** Going over something, step by step: an array by its indices, anything else by its iterator. */
import type { Coroutine } from '../../program.js';

export interface Rounds {
  /** What is shared and looked at with each step, if anything is. */
  readonly over: object | undefined;
  /** The value of this round. */
  value: unknown;
  isDone: boolean;
  readonly iterator: Iterator<unknown>;
  /** A coroutine that takes a step, where the iterator is code of the user's. */
  readonly takes?: () => Coroutine;
}

export function rounds(iterator: Iterator<unknown>, over?: object): Rounds {
  return { over, value: undefined, isDone: false, iterator };
}

/** Takes the next step; false at the end. */
export function advance(at: Rounds, { done, value }: IteratorResult<unknown>): boolean {
  at.isDone = done === true;
  at.value = value;
  return !at.isDone;
}

/** What has to be called because a loop is left before its end, if anything has. */
export function closer(at: Rounds | undefined): unknown {
  if (at === undefined || at.isDone) return undefined;
  at.isDone = true;
  return at.iterator.return;
}

/** An iterator over a container that others can see: each step is a look at it. */
export class LiveIterator implements IterableIterator<unknown> {
  readonly container: object;
  readonly #iterator: Iterator<unknown>;

  constructor(container: object, iterator: Iterator<unknown>) {
    this.container = container;
    this.#iterator = iterator;
  }

  next(): IteratorResult<unknown> {
    return this.#iterator.next();
  }

  [Symbol.iterator](): this {
    return this;
  }
}
