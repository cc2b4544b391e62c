/**
 * What can be reached from an object: a thread that has the object can get this too.
 *
 * Elements, entries, fields, private fields (through a function that their class registers), captured variables, the buffer of a typed
 * array. Getters are not called. The order of the visit depends only on the object.
 */
import { hiddenField } from '../../base/collections/hidden-field.js';
import { type HasContents, setFunctionContents } from '../../execution/memory/heap-walk.js';
import { closureOf, isInstrumentedClass, type VariableReader } from './coroutine-versions.js';

type Visit = (value: unknown) => void;
/** Visits each private field, with a function that assigns it. */
type Look = (object: object, visit: (value: unknown, assign: Visit) => void) => void;

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

export function reach(object: object, visit: Visit): void {
  const tell = ownContentsOf(object);
  if (tell !== undefined) tell.call(object, visit);
  else if (Array.isArray(object)) for (let i = 0; i < object.length; i++) visit(object[i]);
  else if (object instanceof Map)
    for (const [key, value] of object) {
      visit(key);
      visit(value);
    }
  else if (object instanceof Set) for (const value of object) visit(value);
  else if (ArrayBuffer.isView(object)) visit(object.buffer);
  else reachFields(object, visit);
}

/** Own fields, private fields, and captured variables. */
function reachFields(object: object, visit: Visit): void {
  for (const key of Object.keys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined && 'value' in descriptor) visit(descriptor.value);
  }
  if (typeof object === 'function') readAll(closureOf(object)?.captured, visit);
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const looker = lookers.get(at);
    if (looker === undefined) continue;
    looker.look(object, visit);
    readAll(looker.held, visit);
  }
}

/** The private fields of an object, and how to assign them. */
export function visitPrivateFields(object: object, visit: (value: unknown, assign: Visit) => void): void {
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

// instrumented functions are distinguished by site and name, and hold what can be reached from them
setFunctionContents((called, visit) => {
  const holding = closureOf(called);
  if (holding === undefined && !lookers.get(called) && !isClass(called)) return false;
  visit(holding?.site);
  visit((called as { readonly name: string }).name);
  reachFields(called, visit);
  return true;
});

/** An instrumented class holds only its static fields, beside private ones. */
function isClass(called: object): boolean {
  const { prototype } = called as { readonly prototype?: object };
  return prototype !== undefined && isInstrumentedClass(prototype);
}

/** The `contents$` of classes with private fields, for fingerprints of states (execution/memory/heap-walk.ts). */
function contents(this: object, visit: Visit): void {
  reach(this, visit);
}
