/**
 * What recorded code calls by short names (rewrite.ts): each access goes to whoever listens, while somebody does.
 *
 * An array, a map or a set is one location, whatever is done with it; typed arrays are one with their memory. Of other objects each field is
 * one. Functions are known if they are recorded, or come with JavaScript and are listed (natives.ts); what
 * any other does is not known.
 */
import { types } from 'node:util';
import { RECORDING } from './mark.js';
import { getterEffect, isSafeClass, nativeEffect } from './natives.js';

type AnyFunction = (...args: unknown[]) => unknown;
type Resolver = (value: unknown) => void;

/** All fields at once; the same to whoever loads this. */
export const WHOLE: unique symbol = Symbol.for('straightedge.whole') as never;

export interface Listener {
  read(object: object, key: PropertyKey): void;
  written(object: object, key: PropertyKey): void;
  /** Something may have been done that is not told. `what` it was, for people. */
  unknown(what: string): void;
}

export class Recording {
  listener: Listener | undefined;
  /** A computed key, between the note of the access and the access. */
  key: PropertyKey = '';
  /** The chain that has ended early. */
  #cut = 0;
  readonly #known = new WeakMap<AnyFunction, boolean>();
  readonly #variables: object[] = [];
  /** Arrays, maps and sets of which somebody may hold an iterator. */
  #iterated: object[] = [];

  /** Objects of an earlier execution are of no interest any more. */
  reset(): void {
    this.#iterated = [];
  }

  // ── members ──

  r<T>(object: T, key: PropertyKey): T {
    if (this.listener !== undefined && isObject(object)) this.#read(object, key);
    return object;
  }

  w<T>(object: T, key: PropertyKey): T {
    if (this.listener === undefined || !isObject(object)) return object;
    const whole = wholeOf(object);
    if (whole) this.listener.written(whole, WHOLE);
    else this.listener.written(object, key);
    const setter = accessorOf(object, key)?.set;
    if (setter && !this.isKnown(setter as AnyFunction)) this.#unknown(`the setter of ${String(key)}`);
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

  #read(object: object, key: PropertyKey): void {
    const whole = wholeOf(object);
    if (whole) {
      this.listener!.read(whole, WHOLE);
      return;
    }
    this.listener!.read(object, key);
    if (typeof key === 'string' && key.startsWith('#')) return;
    const getter = accessorOf(object, key)?.get as AnyFunction | undefined;
    if (getter && !this.isKnown(getter)) this.#effect(getterEffect(getter), object, `${String(key)}`);
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

  // ── calls ──

  /** A method is called. `isTaking`: its arguments are looked into. */
  m<T>(object: T, key: PropertyKey, isTaking = 0, chain = 0): T {
    if (this.listener === undefined) return object;
    if (isObject(object)) this.#read(object, key);
    const method = (object as Record<PropertyKey, unknown> | undefined | null)?.[key];
    if (method === undefined || method === null) this.#cut = chain;
    else if (typeof method === 'function') this.#called(method as AnyFunction, object, isTaking === 1);
    return object;
  }

  lateCall<T>(value: T, object: unknown, key: PropertyKey, isTaking = 0): T {
    this.m(object, key, isTaking);
    return value;
  }

  p<T>(object: T, called: unknown): T {
    if (typeof called === 'function') this.f(called as AnyFunction);
    else if (called !== undefined && called !== null) this.no();
    return object;
  }

  super(method: unknown, self: unknown): void {
    if (this.listener !== undefined && typeof method === 'function')
      this.#called(method as AnyFunction, self, false);
  }

  f<T>(called: T, isTaking = 0): T {
    if (this.listener !== undefined && typeof called === 'function')
      this.#called(called as unknown as AnyFunction, undefined, isTaking === 1);
    return called;
  }

  #called(called: AnyFunction, self: unknown, isTaking: boolean): void {
    if (this.isKnown(called)) return;
    // Function.prototype.call, apply, bind
    if (typeof self === 'function' && nativeEffect(called) === 'applies') {
      this.#called(self as AnyFunction, undefined, false);
      return;
    }
    const effect = nativeEffect(called, self);
    this.#effect(effect === 'takes' && !isTaking ? undefined : effect, self, called.name);
  }

  #effect(effect: ReturnType<typeof nativeEffect>, self: unknown, name: string): void {
    const object = isObject(self) ? (wholeOf(self) ?? self) : undefined;
    switch (effect) {
      case 'none':
      case 'takes':
        return;
      case 'live':
        if (object) this.#iterated.push(object);
        if (object) this.listener!.read(object, WHOLE);
        return;
      case 'looks':
        if (object) this.listener!.read(object, WHOLE);
        return;
      case 'changes':
        if (object) this.listener!.written(object, WHOLE);
        return;
      case 'goes on':
        this.#goesOn();
        return;
      case 'signals':
        this.listener!.written(SIGNALS, WHOLE);
        return;
      default:
        this.#unknown(name);
    }
  }

  /** An argument: functions that are given away are called by whoever gets them. */
  g<T>(value: T): T {
    if (this.listener !== undefined && typeof value === 'function' && !this.#isHarmless(value as never))
      this.#unknown((value as unknown as AnyFunction).name);
    return value;
  }

  #isHarmless(called: AnyFunction): boolean {
    return this.isKnown(called) || nativeEffect(called) === 'none' || isSafeClass(called);
  }

  /** Of a function it is known what it does: another one that is known. */
  z<T>(bound: T): T {
    if (typeof bound === 'function') this.#known.set(bound as unknown as AnyFunction, true);
    return bound;
  }

  n<T>(made: T, isNamed: number): T {
    if (this.listener === undefined || typeof made !== 'function') return made;
    let base: unknown = made;
    while (typeof base === 'function' && this.isKnown(base as AnyFunction))
      base = Object.getPrototypeOf(base);
    if (base === Function.prototype || base === null) return made;
    const isWatched = base !== Promise || (made === base && isNamed === 1);
    if (!isSafeClass(base) || !isWatched) this.#unknown(`new ${(base as AnyFunction).name}`);
    return made;
  }

  /** What is given to a new promise: who settles it is told, also where it is settled already. */
  x<T>(executor: T): T {
    if (typeof executor !== 'function' || this.listener === undefined) return executor;
    const once = {};
    const watched = (settle: Resolver): Resolver => {
      const told = (value: unknown): void => {
        this.listener?.written(once, WHOLE);
        settle(value);
      };
      this.#known.set(told as AnyFunction, true);
      return told;
    };
    return ((resolve: Resolver, reject: Resolver) =>
      (executor as unknown as AnyFunction)(watched(resolve), watched(reject))) as T;
  }

  // ── what is gone over or taken apart ──

  a<T>(value: T): T {
    if (this.listener !== undefined && isObject(value)) {
      const { then } = value as { then?: unknown };
      if (typeof then === 'function') this.#called(then as AnyFunction, value, false);
    }
    return value;
  }

  /** All of an object, at once. */
  look<T>(value: T): T {
    if (this.listener === undefined || !isObject(value)) return this.g(value);
    this.listener.read(wholeOf(value) ?? value, WHOLE);
    if (types.isMapIterator(value) || types.isSetIterator(value) || isArrayIterator(value)) this.#goesOn();
    else if (!wholeOf(value)) {
      const iterate = (value as { [Symbol.iterator]?: unknown })[Symbol.iterator];
      if (typeof iterate === 'function' && !types.isGeneratorObject(value))
        this.#called(iterate as AnyFunction, value, false);
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
    else this.#called(iterate as AnyFunction, value, false);
    return value;
  }

  /** An iterator that comes with JavaScript goes on; over what, is not known. */
  #goesOn(): void {
    for (const object of this.#iterated) this.listener!.read(object, WHOLE);
  }

  // ── chains: `a?.b.c` ──

  q<T>(value: T, chain: number): T {
    if (value === undefined || value === null) this.#cut = chain;
    else if (this.#cut === chain) this.#cut = 0;
    return value;
  }

  k<T>(value: T, chain: number): T {
    if ((value === undefined || value === null) && this.#cut !== chain)
      throw new TypeError(`Cannot read properties of ${String(value)}`);
    return value;
  }

  // ── what is not known ──

  no<T>(value?: T): T | undefined {
    this.#unknown('code that can not be recorded');
    return value;
  }

  #unknown(what: string): void {
    this.listener?.unknown(what || 'a function without a name');
  }

  isKnown(called: AnyFunction): boolean {
    let isKnown = this.#known.get(called);
    if (isKnown === undefined) {
      isKnown = Function.prototype.toString.call(called).includes(RECORDING);
      this.#known.set(called, isKnown);
    }
    return isKnown;
  }
}

/** All signals and targets of events. */
const SIGNALS: object = {};

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The one location that an object is, if it is one. */
function wholeOf(object: object): object | undefined {
  if (Array.isArray(object) || types.isMap(object) || types.isSet(object)) return object;
  if (ArrayBuffer.isView(object)) return object.buffer;
  return types.isAnyArrayBuffer(object) ? object : undefined;
}

const ARRAY_ITERATOR: object = Object.getPrototypeOf([][Symbol.iterator]()) as object;
const isArrayIterator = (object: object): boolean => Object.getPrototypeOf(object) === ARRAY_ITERATOR;
const isNativeIterator = (object: object): boolean =>
  types.isMapIterator(object) || types.isSetIterator(object) || isArrayIterator(object);

/** The getter or setter that a member is. */
function accessorOf(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return 'value' in descriptor ? undefined : descriptor;
  }
  return undefined;
}

export const recording: Recording = install();

/** There is one in a process, whoever loads it. */
function install(): Recording {
  const home = globalThis as unknown as Record<string, Recording | undefined>;
  const made = home[RECORDING] ?? new Recording();
  Object.defineProperty(home, RECORDING, { value: made, configurable: true });
  return made;
}
