/** Going over something, step by step, as the standard tells: who is asked for what, how often, and when an iterator is closed. */
import { READ } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { type Host, look } from '../model/host.js';

export interface Rounds {
  /** What is shared and looked at with each step, if anything is. */
  readonly over: object | undefined;
  /** The value of this round. */
  value: unknown;
  /** Nothing is left to be closed: it has come to its end, or its iterator has thrown. */
  isDone: boolean;
  readonly iterator: Iterator<unknown>;
  /** What the iterator is asked with, in every round. */
  readonly next: Iterator<unknown>['next'];
  /** How many steps were taken: of a typed array, each looks at an element. */
  steps: number;
  /** A coroutine that takes a step, where the iterator is code of the user's. */
  readonly takes?: () => Coroutine;
}

export function rounds(iterator: Iterator<unknown>, over?: object): Rounds {
  if (Object(iterator) !== iterator)
    throw new TypeError('Result of the Symbol.iterator method is not an object');
  return { over, value: undefined, isDone: false, iterator, next: iterator.next, steps: 0 };
}

export function iteratorOf(value: Iterable<unknown>): Iterator<unknown> {
  if (typeof value?.[Symbol.iterator] !== 'function') throw new TypeError(`${String(value)} is not iterable`);
  return value[Symbol.iterator]();
}

/** Asks for the next value, where nobody else can look; false at the end. */
export function take(at: Rounds): boolean {
  // an iterator that throws is not closed
  at.isDone = true;
  return advance(at, Reflect.apply(at.next, at.iterator, []));
}

/** Takes an answer of the iterator; false at the end. */
export function advance(at: Rounds, result: IteratorResult<unknown>): boolean {
  at.isDone = true;
  if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
  if (result.done) return false;
  at.value = result.value;
  at.isDone = false;
  return true;
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
  #steps = 0;

  constructor(container: object, iterator: Iterator<unknown>) {
    this.container = container;
    this.#iterator = iterator;
  }

  next(): IteratorResult<unknown> {
    this.#steps++;
    return this.#iterator.next();
  }

  /** The next step, as a coroutine. */
  step(host: Host, site: number): Coroutine<IteratorResult<unknown>> {
    return look(host, READ, this.container, site, () => this.next(), this.#steps);
  }

  [Symbol.iterator](): this {
    return this;
  }

  get [Symbol.toStringTag](): string {
    return (this.#iterator as unknown as { readonly [Symbol.toStringTag]: string })[Symbol.toStringTag];
  }
}

// it has what all iterators have
const ITERATOR = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
Object.setPrototypeOf(LiveIterator.prototype, ITERATOR);
