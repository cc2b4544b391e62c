/**
 * What can be reached from an object: a thread that has the object can get this too.
 *
 * It is what the object holds (execution/memory/heap-walk.ts), private fields (through a function that their class registers), captured
 * variables, and the prototype.
 */
import {
  type HasContents,
  setFunctionContents,
  visitContents,
  visitKeys,
} from '../../execution/memory/heap-walk.js';
import { closureOf, hiddenField, isInstrumentedClass, type VariableReader } from './coroutine-versions.js';
import { isOpaqueObject } from './opaque-objects.js';

type Visit = (value: unknown) => void;
/** Gets a private field, a function that assigns it, and its name. */
type VisitPrivate = (value: unknown, assign: Visit, name: string) => void;
/** Visits each private field. */
type Look = (object: object, visit: VisitPrivate) => void;

/** Prototype and constructor to the functions that visit private fields and captured variables. */
const lookers = hiddenField<{ readonly look: Look; readonly held: VariableReader | undefined }>();

export function registerPrivateFields(
  owner: { readonly prototype: object },
  look: Look,
  held: VariableReader | undefined,
): void {
  Object.defineProperty(owner.prototype, 'contents$', { value: contents, configurable: true });
  lookers.set(owner.prototype, { look, held });
  lookers.set(owner, { look, held });
}

/** The `contents$` that an object defines itself. `in` is tested first, because some objects throw on reads of unknown members, such as `expect` of vitest. */
export function ownContentsOf(object: object): HasContents['contents$'] | undefined {
  if (!('contents$' in object)) return undefined;
  const { contents$ } = object as HasContents;
  return contents$ === contents ? undefined : contents$;
}

/** Visits what an object holds (execution/memory/heap-walk.ts), and its prototype. */
export function reach(object: object, visit: Visit): void {
  const tell = ownContentsOf(object);
  if (tell !== undefined) {
    tell.call(object, visit);
    return;
  }
  visit(Object.getPrototypeOf(object));
  if (typeof object === 'function') visitFunctionContents(object, visit);
  else visitAll(object, visit);
}

/** Slots, own keys and private fields. */
function visitAll(object: object, visit: Visit): void {
  visitContents(object, visit);
  visitHidden(object, visit);
}

/** Private fields, and the variables that their classes capture. */
function visitHidden(object: object, visit: Visit): void {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const looker = lookers.get(at);
    if (looker === undefined) continue;
    looker.look(object, visit);
    readAll(looker.held, visit);
  }
}

/** An instrumented function is distinguished by its site and name. False if nothing is known of the function. */
function visitFunctionContents(called: object, visit: Visit): boolean {
  const closure = closureOf(called);
  const isKnown = closure !== undefined || lookers.get(called) !== undefined || isClass(called);
  if (!isKnown) {
    // its properties can still be shared
    for (const key of Object.keys(called)) visit(Object.getOwnPropertyDescriptor(called, key)?.value);
    return false;
  }
  visit(closure?.site);
  visit((called as { readonly name: string }).name);
  visitKeys(called, (part) => {
    if (part !== 'length' && part !== 'name') visit(part);
  });
  readAll(closure?.captured, visit);
  visitHidden(called, visit);
  return true;
}

/** Can all that values reach be copied: no private fields, no opaque objects? Functions stay as they are. */
export function canBeCopied(values: readonly unknown[]): boolean {
  const seen = new Set<object>();
  const visit = (part: unknown): void => {
    if (part !== null && typeof part === 'object') seen.add(part);
  };
  for (const value of values) visit(value);
  for (const object of seen) {
    let hasPrivate = false;
    visitPrivateFields(object, () => {
      hasPrivate = true;
    });
    // the result of a function may share the memory of a buffer
    const isBuffer = object instanceof ArrayBuffer || object instanceof SharedArrayBuffer;
    if (hasPrivate || isBuffer || isOpaqueObject(object) || ownContentsOf(object) !== undefined) return false;
    visitContents(object, visit);
  }
  return true;
}

/** An object of one thread as it was. */
class Snapshot implements HasContents {
  readonly parts: unknown[] = [];

  contents$(visit: Visit): void {
    for (const part of this.parts) visit(part);
  }
}

/** A value as it is now. Shared objects stay themselves; of all others a snapshot is taken, with all that they hold. */
export function snapshotOf(value: unknown, isShared: (object: object) => boolean): unknown {
  const taken = new Map<object, unknown>();
  const take = (part: unknown): unknown => {
    if (part === null || (typeof part !== 'object' && typeof part !== 'function') || isShared(part))
      return part;
    const known = taken.get(part);
    if (known !== undefined) return known;
    const snapshot = new Snapshot();
    taken.set(part, snapshot);
    const visit = (held: unknown): void => {
      snapshot.parts.push(take(held));
    };
    // of a function that is not instrumented, and of an opaque object, nothing is known: it stands for itself
    if (typeof part === 'function' ? !visitFunctionContents(part, visit) : isOpaqueObject(part)) {
      taken.set(part, part);
      return part;
    }
    if (typeof part === 'object') reach(part, visit);
    return snapshot;
  };
  return take(value);
}

/** The private fields of an object, and how to assign them. */
export function visitPrivateFields(object: object, visit: VisitPrivate): void {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at))
    lookers.get(at)?.look(object, visit);
}

/** The result of a `VariableReader` after its last variable. */
export const NO_MORE: object = Object.freeze({ toString: () => 'nothing' });

/** Visits variables. One that is not initialised yet throws, and is skipped. */
export function readAll(reader: VariableReader | undefined, visit: Visit): void {
  if (reader === undefined) return;
  for (let i = 0; ; i++) {
    let value: unknown;
    try {
      value = reader(i);
    } catch {
      continue;
    }
    if (value === NO_MORE) return;
    visit(value);
  }
}

setFunctionContents(visitFunctionContents);

/** An instrumented class holds only its static fields, beside private ones. */
function isClass(called: object): boolean {
  // some objects throw on reads of unknown members
  const prototype: unknown = Object.getOwnPropertyDescriptor(called, 'prototype')?.value;
  return Object(prototype) === prototype && isInstrumentedClass(prototype as object);
}

/** The `contents$` of classes with private fields, for fingerprints of states (execution/memory/heap-walk.ts). */
function contents(this: object, visit: Visit): void {
  visitAll(this, visit);
}
