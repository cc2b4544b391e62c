/**
 * Functions and their coroutine versions, which do the same step by step.
 *
 * A version is looked up by the function itself, not by its name, so it does not matter how a function was assigned, inherited or
 * passed. It gets the same `this` and arguments. With each function is kept what its closure captures, for when it is shared.
 */
import type { AnyFunction } from '../../base/any-function.js';
import type { Coroutine } from '../../execution/program.js';

/**
 * A field on any object that is invisible to other code: not in its keys, copies or proxy traps.
 *
 * A base class whose constructor returns the given object adds a private name to it. This costs as
 * much as a field, whereas a WeakMap needs a hash table and burdens the garbage collector.
 * Non-extensible objects are kept in a WeakMap.
 */
export interface HiddenField<T> {
  get(object: object): T | undefined;
  set(object: object, value: T): void;
}

export function hiddenField<T>(): HiddenField<T> {
  const others = new WeakMap<object, T>();

  class FieldOwner extends ReturnsArgument {
    #value: T;

    constructor(object: object, value: T) {
      super(object);
      this.#value = value;
    }

    static get(object: object): T | undefined {
      if (#value in object) return object.#value;
      return Object.isExtensible(object) ? undefined : others.get(object);
    }

    static set(object: object, value: T): void {
      if (#value in object) object.#value = value;
      else if (Object.isExtensible(object)) new FieldOwner(object, value);
      else others.set(object, value);
    }
  }
  return FieldOwner;
}

/** A class whose constructor returns its argument. */
class ReturnsArgument {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a constructor that returns an object lends it private names
    return object;
  }
}

export type CoroutineFunction = (this: unknown, ...args: unknown[]) => Coroutine;
/** Returns the value of a variable by its number, and after the last one `NO_MORE` (reach.ts). */
export type VariableReader = (i: number) => unknown;

interface Known {
  readonly coroutine: CoroutineFunction;
  readonly closure: Closure;
}

/** A closure: its position in the source, and the variables that it captures. */
export interface Closure {
  readonly site: number;
  readonly captured?: VariableReader | undefined;
}

/** The site of functions that are in no file. */
export const NOWHERE = -1;

const known = hiddenField<Known>();
/** Names of accessors with coroutine versions, so that most reads need not search for one. */
const accessors = new Set<PropertyKey>();
/** Class to the function that runs its constructor on a bare object. */
const constructors = new WeakMap<object, ConstructorVersion>();
/** Prototypes of instrumented classes. */
const prototypes = new WeakSet<object>();

export function coroutineOf(called: unknown): CoroutineFunction | undefined {
  return typeof called === 'function' ? known.get(called)?.coroutine : undefined;
}

/** What an instrumented function captures; undefined for others. */
export function closureOf(called: object): Closure | undefined {
  return known.get(called)?.closure;
}

export function pair(called: AnyFunction, coroutine: CoroutineFunction, closure: Closure): void {
  known.set(called, { coroutine, closure });
  Object.defineProperty(called, 'length', { value: coroutine.length, configurable: true });
}

/** Makes the object of a subclass, given the arguments of `super`: at once, or step by step. */
export type BaseMaker = ((...args: unknown[]) => unknown) | { run(args: unknown[]): Coroutine<object> };

/** Runs a constructor on a bare object; that of a subclass, with the function that makes its object. */
export type ConstructorVersion =
  | { readonly on: (object: object, args: readonly unknown[]) => Coroutine }
  | { readonly derived: (make: BaseMaker) => (...args: readonly unknown[]) => Coroutine };

/** The coroutine version of a constructor. `length` is that of the class. */
export function pairConstructor(owner: object, version: ConstructorVersion, length: number): void {
  constructors.set(owner, version);
  Object.defineProperty(owner, 'length', { value: length, configurable: true });
}

export function constructorVersion(owner: object): ConstructorVersion | undefined {
  return constructors.get(owner);
}

let isIntercepting = false;
let intercepted: Coroutine | undefined;

/** The next accessor that is used does not run; its coroutine is kept for `interceptedCoroutine`. */
export function interceptAccessor(): void {
  isIntercepting = true;
  intercepted = undefined;
}

/** The coroutine of the accessor that was used since `interceptAccessor`, if any. */
export function interceptedCoroutine(): Coroutine | undefined {
  isIntercepting = false;
  return intercepted;
}

type Finish = (coroutine: Coroutine) => unknown;

/** A function that runs a coroutine to its end. */
export function functionOf(
  coroutine: CoroutineFunction,
  finish: Finish,
  closure: Closure,
  name: string = coroutine.name,
): AnyFunction {
  return named(
    function (this: unknown, ...args: unknown[]): unknown {
      return finish(coroutine.apply(this, args));
    },
    coroutine,
    closure,
    name,
  );
}

/** The same as a method, which is no constructor. */
export function methodOf(
  coroutine: CoroutineFunction,
  finish: Finish,
  closure: Closure,
  name: string = coroutine.name,
): AnyFunction {
  const { called } = {
    called(this: unknown, ...args: unknown[]): unknown {
      const started = coroutine.apply(this, args);
      if (!isIntercepting) return finish(started);
      isIntercepting = false;
      intercepted = started;
    },
  };
  return named(called, coroutine, closure, name);
}

/** The same as an arrow function: `bound` has its `this` already. */
export function arrowOf(
  bound: CoroutineFunction,
  finish: Finish,
  closure: Closure,
  name: string,
): AnyFunction {
  return named((...args: unknown[]): unknown => finish(bound(...args)), bound, closure, name);
}

function named(
  called: AnyFunction,
  coroutine: CoroutineFunction,
  closure: Closure,
  name: string,
): AnyFunction {
  pair(called, coroutine, closure);
  Object.defineProperty(called, 'name', { value: name, configurable: true });
  return called;
}

/** Which members of an object are generators still; those of accessors stand under a name of their own, beside accessors that do nothing. */
export interface MemberNames {
  readonly methods: readonly PropertyKey[];
  readonly getters: readonly (readonly [name: PropertyKey, coroutine: PropertyKey])[];
  readonly setters: readonly (readonly [name: PropertyKey, coroutine: PropertyKey])[];
}

/** Makes functions and accessors of the generators that stand in an object or a prototype, unless something else has taken their place. */
export function makeMembers(
  object: object,
  { methods, getters, setters }: MemberNames,
  finish: Finish,
  closure: Closure,
): void {
  for (const name of methods) {
    const coroutine = Object.getOwnPropertyDescriptor(object, name)?.value as unknown;
    if (isGenerator(coroutine))
      Object.defineProperty(object, name, { value: methodOf(coroutine, finish, closure) });
  }
  const fields = object as Record<PropertyKey, CoroutineFunction>;
  const makeAccessor = (kind: 'get' | 'set', [name, stands]: readonly [PropertyKey, PropertyKey]): void => {
    const coroutine = fields[stands];
    delete fields[stands];
    const empty = Object.getOwnPropertyDescriptor(object, name)?.[kind];
    if (coroutine === undefined || empty === undefined || coroutineOf(empty) !== undefined) return;
    Object.defineProperty(object, name, {
      [kind]: methodOf(coroutine, finish, closure, `${kind} ${nameText(name)}`),
    });
    accessors.add(name);
  };
  for (const getter of getters) makeAccessor('get', getter);
  for (const setter of setters) makeAccessor('set', setter);
}

const nameText = (name: PropertyKey): string =>
  typeof name === 'symbol' ? `[${name.description ?? ''}]` : String(name);

const GENERATOR = Object.getPrototypeOf(function* () {}) as object;

function isGenerator(value: unknown): value is CoroutineFunction {
  return typeof value === 'function' && Object.getPrototypeOf(value) === GENERATOR;
}

export function isInstrumentedClass(prototype: object): boolean {
  return prototypes.has(prototype);
}

export function markInstrumentedClass(prototype: object): void {
  prototypes.add(prototype);
}

/** The coroutine version of the getter or setter for a member, if it has one. */
export function accessorCoroutine(
  object: object,
  key: PropertyKey,
  kind: 'get' | 'set',
): CoroutineFunction | undefined {
  if (!accessors.has(key)) return undefined;
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return coroutineOf(descriptor[kind]);
  }
  return undefined;
}

/** From now on, members of this name may be accessors. */
export function addAccessorName(name: PropertyKey): void {
  accessors.add(name);
}

export function isAccessor(key: PropertyKey): boolean {
  return accessors.has(key);
}
