/**
 * The tracer: traced code (tracing-rewrite/) calls it by short names, and it reports each access to its listener, if it has one.
 *
 * Three classes, one on top of the other: accesses to members, variables and chains; calls; iteration and destructuring.
 */

import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import { getterEffectOf, isSafeClass, tracingEffectOf } from '../model/effects.js';
import {
  accessorOf,
  EffectReports,
  type Getters,
  isObject,
  isPlatformPrototype,
  prototypesFor,
  TRACER,
  WHOLE,
  wholeOf,
} from './locations.js';

/** Accesses to members and variables, and chains (`a?.b.c`). Each is reported before it is done. */

class Accesses extends EffectReports {
  /** A computed key, between the note of the access and the access. */
  key: PropertyKey = '';
  /** The chain that has ended early. */
  protected cut = 0;
  readonly #variables: object[] = [];

  // ── members ──

  r<T>(object: T, key: PropertyKey): T {
    if (this.listener !== undefined && isObject(object)) this.read(object, key);
    return object;
  }

  w<T>(object: T, key: PropertyKey): T {
    if (this.listener === undefined || !isObject(object)) return object;
    const whole = wholeOf(object);
    if (whole) this.listener.written(whole, WHOLE);
    else this.listener.written(object, key);
    const setter = accessorOf(object, key)?.set;
    if (isPlatformPrototype(object)) this.unknown(`a write of ${String(key)} in a built-in prototype`);
    if (setter && !this.isKnown(setter as AnyFunction)) this.unknown(`the setter of ${String(key)}`);
    return object;
  }

  /** It is written later. */
  i<T>(object: T): T {
    return object;
  }

  late<T>(value: T, object: unknown, key: PropertyKey): T {
    this.w(object, key);
    return value;
  }

  protected read(object: object, key: PropertyKey): void {
    const whole = wholeOf(object);
    this.listener!.read(whole ?? object, whole ? WHOLE : key);
    if (typeof key === 'string' && key.startsWith('#')) return;
    for (const prototype of prototypesFor(object, key)) this.listener!.read(prototype, key);
    if (whole) return;
    const getter = accessorOf(object, key)?.get as AnyFunction | undefined;
    if (getter && !this.isKnown(getter)) this.effect(getterEffectOf(getter), object, `${String(key)}`);
  }

  // ── variables ──

  vr<T>(value: T, number: number): T {
    this.listener?.read(this.#variable(number), WHOLE);
    return value;
  }

  vw<T>(value: T, number: number): T {
    this.listener?.written(this.#variable(number), WHOLE);
    return value;
  }

  #variable(number: number): object {
    this.#variables[number] ??= {};
    return this.#variables[number];
  }

  // ── chains ──

  q<T>(value: T, chain: number): T {
    if (value === undefined || value === null) this.cut = chain;
    else if (this.cut === chain) this.cut = 0;
    return value;
  }

  k<T>(value: T, chain: number): T {
    if ((value === undefined || value === null) && this.cut !== chain)
      throw new TypeError(`Cannot read properties of ${String(value)}`);
    return value;
  }
}

/** Calls, their arguments, and `new`. The called function determines the effects. */

type Resolver = (value: unknown) => void;

class Calls extends Accesses {
  /** A method is called. `isTaking`: it may read its arguments, and those reads are reported. */
  m<T>(object: T, key: PropertyKey, isTaking = 0, chain = 0): T {
    if (this.listener === undefined) return object;
    if (isObject(object)) this.read(object, key);
    const method = (object as Record<PropertyKey, unknown> | undefined | null)?.[key];
    if (method === undefined || method === null) this.cut = chain;
    else if (typeof method === 'function') this.called(method as AnyFunction, object, isTaking === 1);
    return object;
  }

  lateCall<T>(value: T, object: unknown, key: PropertyKey, isTaking = 0): T {
    this.m(object, key, isTaking);
    return value;
  }

  /** What a private field holds is called. */
  p<T>(object: T, called: unknown): T {
    if (typeof called === 'function') this.f(called as AnyFunction);
    else if (called !== undefined && called !== null) this.no();
    return object;
  }

  super(method: unknown, self: unknown): void {
    if (this.listener !== undefined && typeof method === 'function')
      this.called(method as AnyFunction, self, false);
  }

  f<T>(called: T, isTaking = 0): T {
    if (this.listener !== undefined && typeof called === 'function')
      this.called(called as unknown as AnyFunction, undefined, isTaking === 1);
    return called;
  }

  protected called(called: AnyFunction, self: unknown, isTaking: boolean): void {
    if (this.isKnown(called)) return;
    // call, apply and bind of a built-in function: which object it is applied to is not reported
    if (typeof self === 'function' && tracingEffectOf(called) === 'applies') {
      const applied = self as AnyFunction;
      if (!this.isKnown(applied) && tracingEffectOf(applied) !== 'none') this.unknown(applied.name);
      return;
    }
    const effect = tracingEffectOf(called, self);
    this.effect(effect === 'reads arguments' && !isTaking ? undefined : effect, self, called.name);
  }

  /** An argument. A function may be called by the code that gets it. */
  g<T>(value: T): T {
    if (this.listener !== undefined && typeof value === 'function' && !this.#isHarmless(value as never))
      this.unknown((value as unknown as AnyFunction).name);
    return value;
  }

  #isHarmless(called: AnyFunction): boolean {
    return this.isKnown(called) || tracingEffectOf(called) === 'none' || isSafeClass(called);
  }

  /** The result of `bind`: its effects are those of the bound function, which was reported. */
  z<T>(bound: T): T {
    if (typeof bound === 'function') this.setKnown(bound as unknown as AnyFunction);
    return bound;
  }

  n<T>(made: T, isNamed: number): T {
    if (this.listener === undefined || typeof made !== 'function') return made;
    let base: unknown = made;
    while (typeof base === 'function' && this.isKnown(base as AnyFunction))
      base = Object.getPrototypeOf(base);
    if (base === Function.prototype || base === null) return made;
    const isWatched = base !== Promise || (made === base && isNamed === 1);
    if (!isSafeClass(base) || !isWatched) this.unknown(`new ${(base as AnyFunction).name}`);
    return made;
  }

  /** The executor of a promise: settling it is reported as a write, also if it is settled already. */
  x<T>(executor: T): T {
    if (typeof executor !== 'function' || this.listener === undefined) return executor;
    const once = { isUsed: false };
    let promise: unknown;
    const watched = (settle: Resolver, code: string): Resolver => {
      const settled = (value: unknown): void => {
        this.listener?.written(once, WHOLE);
        once.isUsed = true;
        settle(value);
      };
      this.setKnown(settled as AnyFunction);
      return this.c(settled, code, [() => promise, () => once.isUsed]);
    };
    return ((resolve: Resolver, reject: Resolver) => {
      promise = this.promises?.lastMade;
      return (executor as unknown as AnyFunction)(
        watched(resolve, 'resolve'),
        watched(reject, 'reject'),
      ) as unknown;
    }) as T;
  }

  /** An awaited value, the place of the `await`, and getters of the variables that are used after it. */
  a<T>(value: T, place?: number, held?: Getters): T {
    if (this.listener !== undefined && isObject(value)) {
      const { then } = value as { then?: unknown };
      if (typeof then === 'function') this.called(then as AnyFunction, value, false);
      // code of the user's may run before the function is suspended
      else if (then !== undefined) return value;
      if (typeof then === 'function' && !isPlainPromise(value)) return value;
    }
    if (place !== undefined) this.promises?.waitsFor(value, { code: place, held: held! });
    return value;
  }
}

class Tracer extends Calls {
  /** Reads a whole object. */
  look<T>(value: T): T {
    if (this.listener === undefined || !isObject(value)) return this.g(value);
    this.listener.read(wholeOf(value) ?? value, WHOLE);
    for (const prototype of prototypesFor(value)) this.listener.read(prototype, WHOLE);
    if (isNativeIterator(value)) this.continues();
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

  /** Reads `depth` levels of an object. */
  d<T>(value: T, depth: number, visited: Set<unknown> = new Set()): T {
    this.look(value);
    if (this.listener === undefined || depth <= 1 || !isObject(value) || visited.has(value)) return value;
    visited.add(value);
    for (const name of Object.keys(value))
      if (!accessorOf(value, name)) this.d((value as Record<string, unknown>)[name], depth - 1, visited);
    return value;
  }

  /** Iterated step by step. */
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

  /** Iterated with `for await`. */
  every<T>(value: T): T {
    if (this.listener === undefined || !isObject(value)) return value;
    const iterate = (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator];
    // other tasks may resume the same generator, and its queue cannot be read
    if (typeof iterate !== 'function' || types.isGeneratorObject(value)) this.no();
    else this.called(iterate as AnyFunction, value, false);
    return value;
  }
}

/** Nothing of the user's runs when a function starts to wait for it. */
const isPlainPromise = (value: unknown): boolean =>
  types.isPromise(value) &&
  Object.getPrototypeOf(value) === Promise.prototype &&
  !Object.hasOwn(value, 'constructor');

const ARRAY_ITERATOR: object = Object.getPrototypeOf([][Symbol.iterator]()) as object;
const isNativeIterator = (object: object): boolean =>
  types.isMapIterator(object) ||
  types.isSetIterator(object) ||
  Object.getPrototypeOf(object) === ARRAY_ITERATOR;

export const tracer: Tracer = install();

/** One for all copies of this module that a process may load. */
function install(): Tracer {
  const home = globalThis as unknown as Record<string, Tracer | undefined>;
  const made = home[TRACER] ?? new Tracer();
  Object.defineProperty(home, TRACER, { value: made, configurable: true });
  return made;
}
