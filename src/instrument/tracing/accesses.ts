/** Accesses to members and variables, and chains of them (`a?.b.c`): what recorded code says of each before it goes on. */
import { type AnyFunction, Effects } from './effects.js';
import { accessorOf, isObject, WHOLE, wholeOf } from './locations.js';
import { getterEffect } from './natives.js';

export class Accesses extends Effects {
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
    if (whole) {
      this.listener!.read(whole, WHOLE);
      return;
    }
    this.listener!.read(object, key);
    if (typeof key === 'string' && key.startsWith('#')) return;
    const getter = accessorOf(object, key)?.get as AnyFunction | undefined;
    if (getter && !this.isKnown(getter)) this.effect(getterEffect(getter), object, `${String(key)}`);
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
