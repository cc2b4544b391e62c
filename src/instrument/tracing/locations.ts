/**
 * What traced code can access: locations, and what its functions hold.
 *
 * An array, Map or Set is one location; typed arrays are one with their buffer. Of other objects each field is a location.
 * Functions hold the variables that they use, and objects have private fields. The rewriter lists both
 * (tracing-rewrite/live-variables.ts), a stateful search reads them (explore/async/heap-state.ts).
 */
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';

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

export class LiveValues {
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
