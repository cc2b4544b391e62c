/** Calls, what is given to them, and what is made: which function it is tells what it does. */
import { Accesses } from './accesses.js';
import type { AnyFunction } from './effects.js';
import { isObject, WHOLE } from './locations.js';
import { isSafeClass, nativeEffect } from './natives.js';

type Resolver = (value: unknown) => void;

export class Calls extends Accesses {
  /** A method is called. `isTaking`: its arguments are looked into. */
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
    // Function.prototype.call, apply, bind
    if (typeof self === 'function' && nativeEffect(called) === 'applies') {
      this.called(self as AnyFunction, undefined, false);
      return;
    }
    const effect = nativeEffect(called, self);
    this.effect(effect === 'takes' && !isTaking ? undefined : effect, self, called.name);
  }

  /** An argument: functions that are given away are called by whoever gets them. */
  g<T>(value: T): T {
    if (this.listener !== undefined && typeof value === 'function' && !this.#isHarmless(value as never))
      this.unknown((value as unknown as AnyFunction).name);
    return value;
  }

  #isHarmless(called: AnyFunction): boolean {
    return this.isKnown(called) || nativeEffect(called) === 'none' || isSafeClass(called);
  }

  /** Of a function it is known what it does: another one that is known. */
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

  /** What is given to a new promise: who settles it is told, also where it is settled already. */
  x<T>(executor: T): T {
    if (typeof executor !== 'function' || this.listener === undefined) return executor;
    const once = {};
    const watched = (settle: Resolver): Resolver => {
      const told = (value: unknown): void => {
        this.listener?.written(once, WHOLE);
        settle(value);
      };
      this.setKnown(told as AnyFunction);
      return told;
    };
    return ((resolve: Resolver, reject: Resolver) =>
      (executor as unknown as AnyFunction)(watched(resolve), watched(reject))) as T;
  }

  /** What is awaited. */
  a<T>(value: T): T {
    if (this.listener !== undefined && isObject(value)) {
      const { then } = value as { then?: unknown };
      if (typeof then === 'function') this.called(then as AnyFunction, value, false);
    }
    return value;
  }
}
