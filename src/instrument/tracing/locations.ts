/**
 * What traced code can access: locations, and what its functions hold.
 *
 * An array, Map or Set is one location; typed arrays are one with their buffer. Of other objects each field is a location.
 * Functions hold the variables that they use, and objects have private fields. The rewriter lists both
 * (tracing-rewrite/live-variables.ts), a stateful search reads them (explore/async/heap-state.ts).
 *
 * And what a called function does to them, reported to the listener: known are traced functions, and built-in functions in the table
 * of effects (model/effects.ts); all others are reported as unknown.
 */
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import type { TracingEffect } from '../model/effects.js';

/** The global name of the tracer. A function whose text contains it is traced. */
export const TRACER = '$straightedge$r';

/** The key for all fields of an object. The same in all copies of this module. */
export const WHOLE: unique symbol = Symbol.for('straightedge.whole') as never;

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The location that a whole object is; undefined if each field is one. */
export function wholeOf(object: object): object | undefined {
  if (Array.isArray(object) || types.isMap(object) || types.isSet(object)) return object;
  if (ArrayBuffer.isView(object)) return object.buffer;
  return types.isAnyArrayBuffer(object) ? object : undefined;
}

/** The getter or setter that a member is. */
export function accessorOf(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    // its traps are code of the user's
    if (types.isProxy(at)) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return 'value' in descriptor ? undefined : descriptor;
  }
  return undefined;
}

/** Prototypes of the platform that most objects have. A write of one counts as unknown, so reads need not be reported. */
const PLATFORM: ReadonlySet<object> = new Set(
  [Object, Function, Array, Map, Set, Promise].map(({ prototype }) => prototype as object),
);
export const isPlatformPrototype = (object: object): boolean => PLATFORM.has(object);

/** The prototypes in which a field is looked up, because the object does not have it; without a field, all prototypes. */
export function* prototypesFor(object: object, key?: PropertyKey): Generator<object> {
  let at: object | null = object;
  // the traps of a proxy are code of the user's
  while (!types.isProxy(at) && (key === undefined || !Object.hasOwn(at, key))) {
    at = Object.getPrototypeOf(at) as object | null;
    if (at === null || PLATFORM.has(at)) return;
    yield at;
  }
}

/** Read variables. A variable that is not initialised yet makes its getter throw. */
export type Getters = readonly (() => unknown)[];

/** A function, or one that is suspended: its place in the source, and what it holds. */
export interface Code {
  readonly code: number | string;
  readonly held: Getters;
}

/** Observes promises of an execution. */
export interface PromiseListener {
  /** The promise that was made last, not by a reaction. */
  readonly lastMade: unknown;
  /** A function waits for a value, next. */
  waitsFor(value: unknown, code: Code): void;
}

class LiveValues {
  promises: PromiseListener | undefined;
  readonly #codes = new WeakMap<object, Code>();
  /** Functions that the current execution makes: many, and a weak map is slow to fill. */
  readonly #made = new Map<object, Code>();
  /** Does an execution run? Without an observer of its promises, the functions that it makes are not needed. */
  protected isRunning = false;
  readonly #fields = new WeakMap<object, readonly ((object: unknown) => unknown)[]>();

  /** Of a function; undefined if it is not known what it holds. */
  codeOf(called: object): Code | undefined {
    return this.#made.get(called) ?? this.#codes.get(called);
  }

  /** Runs an execution. */
  running<T>(run: () => T): T {
    this.isRunning = true;
    try {
      return run();
    } finally {
      this.isRunning = false;
    }
  }

  /** Forgets objects of an earlier execution. */
  reset(): void {
    this.#made.clear();
  }

  /** Getters of the private fields that objects with this prototype may have. */
  privateFieldsOf(prototype: object): readonly ((object: unknown) => unknown)[] {
    return this.#fields.get(prototype) ?? [];
  }

  /** A function is made. `name`: what it would be called without the code around it. */
  c<T extends object>(called: T, code: number | string, held: Getters, name?: string): T {
    if (this.promises) this.#made.set(called, { code, held });
    else if (!this.isRunning) this.#codes.set(called, { code, held });
    if (name !== undefined) Object.defineProperty(called, 'name', { value: name, configurable: true });
    return called;
  }

  /** An object with methods of these names is made. */
  o<T extends object>(object: T, code: number, held: Getters, names: readonly string[]): T {
    for (const name of names) this.#method(object, name, code, held);
    return object;
  }

  /** A class is made, with getters of its private fields. */
  cls(
    made: AnyFunction,
    code: number,
    held: Getters,
    fields: readonly ((object: unknown) => unknown)[],
  ): void {
    this.c(made, code, held);
    const prototype = made.prototype as object;
    for (const owner of [made, prototype]) {
      if (fields.length > 0) this.#fields.set(owner, fields);
      for (const key of Reflect.ownKeys(owner))
        if (key !== 'constructor') this.#method(owner, key, code, held);
    }
  }

  /** An asynchronous function starts: the promise that it returns. */
  e(): unknown {
    return this.promises?.lastMade;
  }

  #method(owner: object, key: PropertyKey, code: number, held: Getters): void {
    const { value, get, set } = Object.getOwnPropertyDescriptor(owner, key)!;
    const kind = typeof owner === 'function' ? 'static ' : '';
    for (const [i, method] of [value as unknown, get, set].entries())
      if (typeof method === 'function' && !this.codeOf(method))
        this.c(method, `${code} ${kind}${i} ${String(key)}`, held);
  }
}

// ── what a called function does ──

export interface Listener {
  read(object: object, key: PropertyKey): void;
  written(object: object, key: PropertyKey): void;
  /** Accesses may be missing. `what` names the code, for people. */
  unknown(what: string): void;
}

/** All signals and targets of events. */
const SIGNALS: object = {};

export class EffectReports extends LiveValues {
  listener: Listener | undefined;
  readonly #known = new WeakMap<AnyFunction, boolean>();
  /** The same for functions that were met in the current execution. */
  readonly #met = new Map<AnyFunction, boolean>();
  /** Arrays, maps and sets for which there may be an iterator. */
  #iterated: object[] = [];

  override reset(): void {
    super.reset();
    this.#met.clear();
    this.#iterated = [];
  }

  isKnown(called: AnyFunction): boolean {
    let isKnown = this.#met.get(called) ?? this.#known.get(called);
    if (isKnown === undefined) {
      isKnown = Function.prototype.toString.call(called).includes(TRACER);
      this.#setKnown(called, isKnown);
    }
    return isKnown;
  }

  /** Marks a function whose accesses are all reported. */
  protected setKnown(called: AnyFunction): void {
    this.#setKnown(called, true);
  }

  #setKnown(called: AnyFunction, isKnown: boolean): void {
    if (!this.isRunning) this.#known.set(called, isKnown);
    else if (this.listener) this.#met.set(called, isKnown);
  }

  no<T>(value?: T): T | undefined {
    this.unknown('code that cannot be traced');
    return value;
  }

  protected unknown(what: string): void {
    this.listener?.unknown(what || 'a function without a name');
  }

  /** `self` is what the function of this `name` was called on. */
  protected effect(effect: TracingEffect | undefined, self: unknown, name: string): void {
    const object = isObject(self) ? (wholeOf(self) ?? self) : undefined;
    switch (effect) {
      case 'none':
      case 'reads arguments':
        return;
      case 'iterates':
        if (object) this.#iterated.push(object);
        if (object) this.listener!.read(object, WHOLE);
        return;
      case 'reads':
        if (object) this.listener!.read(object, WHOLE);
        return;
      case 'writes':
        if (object) this.listener!.written(object, WHOLE);
        return;
      case 'advances':
        this.continues();
        return;
      case 'signals':
        this.listener!.written(SIGNALS, WHOLE);
        return;
      default:
        this.unknown(name);
    }
  }

  /** A step of a built-in iterator. Its container is unknown, so all candidates are reported. */
  protected continues(): void {
    for (const object of this.#iterated) this.listener!.read(object, WHOLE);
  }
}
