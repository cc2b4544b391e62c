/**
 * Functions and the coroutines that do the same step by step: their twins.
 *
 * A function is looked up by itself, not by its name: whatever was assigned,
 * inherited or handed over, the twin of what is called is what runs. The twin gets the
 * same `this` and arguments. With a function goes what it holds on to, the
 * variables of the functions around it, for the day when it is shared.
 */
import type { AnyFunction } from '../../base/any-function.js';
import { hiddenField } from '../../base/collections/hidden-field.js';
import type { Coroutine } from '../../execution/program.js';

export type Twin = (this: unknown, ...args: unknown[]) => Coroutine;
/** Gives a variable by its number, and after the last one `NO` (reach.ts). */
export type Reader = (i: number) => unknown;

interface Known {
  readonly twin: Twin;
  readonly holding: Holding;
}

/** What tells a closure from others of the same name: where it stands in the source, and what it holds. */
export interface Holding {
  readonly site: number;
  readonly held?: Reader | undefined;
}

/** Where functions stand that no file has. */
export const NOWHERE = -1;

const known = hiddenField<Known>();
/** Names of accessors that have twins: most reads need not look for one. */
const accessors = new Set<PropertyKey>();
/** Prototypes of classes that were transformed. */
const prototypes = new WeakSet<object>();

export function twinOf(called: unknown): Twin | undefined {
  return typeof called === 'function' ? known.get(called)?.twin : undefined;
}

/** What a function holds on to, if it is a transformed one. */
export function holdingOf(called: object): Holding | undefined {
  return known.get(called)?.holding;
}

export function pair(called: AnyFunction, twin: Twin, holding: Holding): void {
  known.set(called, { twin, holding });
  Object.defineProperty(called, 'length', { value: twin.length, configurable: true });
}

let isAsking = false;
let asked: Coroutine | undefined;

/** From now on, the first accessor that is used does not run: its coroutine is handed over. */
export function ask(): void {
  isAsking = true;
  asked = undefined;
}

/** What came of it; undefined if no accessor was used. */
export function answer(): Coroutine | undefined {
  isAsking = false;
  return asked;
}

type Finish = (coroutine: Coroutine) => unknown;

/** The function of a twin. */
export function functionOf(
  twin: Twin,
  finish: Finish,
  holding: Holding,
  name: string = twin.name,
): AnyFunction {
  return named(
    function (this: unknown, ...args: unknown[]): unknown {
      return finish(twin.apply(this, args));
    },
    twin,
    holding,
    name,
  );
}

/** The same as a method, of which no object can be made. */
export function methodOf(
  twin: Twin,
  finish: Finish,
  holding: Holding,
  name: string = twin.name,
): AnyFunction {
  const { called } = {
    called(this: unknown, ...args: unknown[]): unknown {
      const coroutine = twin.apply(this, args);
      if (!isAsking) return finish(coroutine);
      isAsking = false;
      asked = coroutine;
    },
  };
  return named(called, twin, holding, name);
}

/** An arrow function: its twin knows its object. */
export function arrowOf(bound: Twin, finish: Finish, holding: Holding, name: string): AnyFunction {
  return named((...args: unknown[]): unknown => finish(bound(...args)), bound, holding, name);
}

function named(called: AnyFunction, twin: Twin, holding: Holding, name: string): AnyFunction {
  pair(called, twin, holding);
  Object.defineProperty(called, 'name', { value: name, configurable: true });
  return called;
}

/** Which members of an object are generators still; those of accessors stand under a name of their own, beside accessors that do nothing. */
export interface MemberNames {
  readonly methods: readonly PropertyKey[];
  readonly getters: readonly (readonly [name: string, twin: string])[];
  readonly setters: readonly (readonly [name: string, twin: string])[];
}

/** Makes functions and accessors of the generators that stand in an object or a prototype, unless something else has taken their place. */
export function makeMembers(
  object: object,
  { methods, getters, setters }: MemberNames,
  finish: Finish,
  holding: Holding,
): void {
  for (const name of methods) {
    const twin = Object.getOwnPropertyDescriptor(object, name)?.value as unknown;
    if (isGenerator(twin)) Object.defineProperty(object, name, { value: methodOf(twin, finish, holding) });
  }
  const fields = object as Record<string, Twin>;
  const makeAccessor = (kind: 'get' | 'set', [name, stands]: readonly [string, string]): void => {
    const twin = fields[stands];
    delete fields[stands];
    const empty = Object.getOwnPropertyDescriptor(object, name)?.[kind];
    if (twin === undefined || empty === undefined || twinOf(empty) !== undefined) return;
    Object.defineProperty(object, name, { [kind]: methodOf(twin, finish, holding, `${kind} ${name}`) });
    accessors.add(name);
  };
  for (const getter of getters) makeAccessor('get', getter);
  for (const setter of setters) makeAccessor('set', setter);
}

const GENERATOR = Object.getPrototypeOf(function* () {}) as object;

function isGenerator(value: unknown): value is Twin {
  return typeof value === 'function' && Object.getPrototypeOf(value) === GENERATOR;
}

export function isTransformed(prototype: object): boolean {
  return prototypes.has(prototype);
}

export function setTransformed(prototype: object): void {
  prototypes.add(prototype);
}

/** The twin of the getter or setter by which a member is reached, if it is one. */
export function accessorTwin(object: object, key: PropertyKey, kind: 'get' | 'set'): Twin | undefined {
  if (!accessors.has(key)) return undefined;
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return twinOf(descriptor[kind]);
  }
  return undefined;
}

/** Some object may have an accessor of this name. */
export function mayBeAccessor(name: string): void {
  accessors.add(name);
}

export function isAccessor(key: PropertyKey): boolean {
  return accessors.has(key);
}
