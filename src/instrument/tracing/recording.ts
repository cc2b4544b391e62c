/**
 * What recorded code calls by short names (rewrite/): each access goes to whoever listens, while somebody does.
 *
 * Accesses and calls are in the classes that this one extends; here is what goes over objects and takes them apart.
 */
import { types } from 'node:util';
import { Calls } from './calls.js';
import type { AnyFunction } from './effects.js';
import { accessorOf, isObject, WHOLE, wholeOf } from './locations.js';
import { RECORDING } from './mark.js';

export class Recording extends Calls {
  /** All of an object, at once. */
  look<T>(value: T): T {
    if (this.listener === undefined || !isObject(value)) return this.g(value);
    this.listener.read(wholeOf(value) ?? value, WHOLE);
    if (isNativeIterator(value)) this.goesOn();
    else if (types.isProxy(value)) this.no();
    else if (!wholeOf(value)) {
      const iterate = (value as { [Symbol.iterator]?: unknown })[Symbol.iterator];
      if (typeof iterate === 'function' && !types.isGeneratorObject(value))
        this.called(iterate as AnyFunction, value, false);
    }
    return value;
  }

  change<T>(value: T): T {
    if (this.listener !== undefined && isObject(value)) this.listener.written(wholeOf(value) ?? value, WHOLE);
    return this.g(value);
  }

  deep<T>(value: T): T {
    return this.d(value, Number.POSITIVE_INFINITY);
  }

  /** So many levels of an object. */
  d<T>(value: T, depth: number, seen: Set<unknown> = new Set()): T {
    this.look(value);
    if (this.listener === undefined || depth <= 1 || !isObject(value) || seen.has(value)) return value;
    seen.add(value);
    for (const name of Object.keys(value))
      if (!accessorOf(value, name)) this.d((value as Record<string, unknown>)[name], depth - 1, seen);
    return value;
  }

  /** Gone over bit by bit. */
  of<T>(value: T, depth = 0): T {
    this.look(value);
    if (!isObject(value) || !(wholeOf(value) || isNativeIterator(value))) return value;
    const iterable = value as unknown as Iterable<unknown>;
    const steps = (): Iterator<unknown> => {
      const iterator = iterable[Symbol.iterator]();
      const next = () => {
        this.look(value);
        const step = iterator.next();
        if (depth > 0 && !step.done) this.d(step.value, depth);
        return step;
      };
      return { next, return: (given) => iterator.return?.(given) ?? { done: true, value: given } };
    };
    return { [Symbol.iterator]: steps } as T;
  }

  /** Gone over with `for await`. */
  every<T>(value: T): T {
    if (this.listener === undefined || !isObject(value)) return value;
    const iterate = (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator];
    // of a generator that others may go on with as well, the queue can not be seen
    if (typeof iterate !== 'function' || types.isGeneratorObject(value)) this.no();
    else this.called(iterate as AnyFunction, value, false);
    return value;
  }
}

const ARRAY_ITERATOR: object = Object.getPrototypeOf([][Symbol.iterator]()) as object;
const isNativeIterator = (object: object): boolean =>
  types.isMapIterator(object) ||
  types.isSetIterator(object) ||
  Object.getPrototypeOf(object) === ARRAY_ITERATOR;

export const recording: Recording = install();

/** There is one in a process, whoever loads it. */
function install(): Recording {
  const home = globalThis as unknown as Record<string, Recording | undefined>;
  const made = home[RECORDING] ?? new Recording();
  Object.defineProperty(home, RECORDING, { value: made, configurable: true });
  return made;
}
