/**
 * What can be got at from an object: whoever sees the object sees this too.
 *
 * Elements, entries, fields, private fields (their class has left a function that can
 * look), the variables that functions hold on to, the memory under typed
 * arrays. Getters are not asked. The order depends on nothing but the object.
 */
import { hiddenField } from '../../base/collections/hidden-field.js';
import { type HasContents, setFunctionContents } from '../../execution/memory/heap-walk.js';
import { closureOf, isInstrumentedClass, type VariableReader } from './coroutine-versions.js';

type Visit = (value: unknown) => void;
/** Visits each private field, with a function that assigns it. */
type Look = (object: object, visit: (value: unknown, assign: Visit) => void) => void;

/** What a class or an instance of it hides, by prototype and by constructor. */
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

/** What an object says itself of its contents. One that throws at whoever reads what it does not have, as `expect` of vitest, says nothing. */
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

/** Own fields, hidden ones, and what functions hold. */
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

/** What a reader answers after its last variable. */
export const NO_MORE: object = Object.freeze({ toString: () => 'nothing' });

/** Visits variables. One that is not initialized yet holds nothing. */
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

// functions that were transformed can be told from others, and hold what can be reached from them
setFunctionContents((called, visit) => {
  const holding = closureOf(called);
  if (holding === undefined && !lookers.get(called) && !isClass(called)) return false;
  visit(holding?.site);
  visit((called as { readonly name: string }).name);
  reachFields(called, visit);
  return true;
});

/** Of a transformed class, static fields are all that it holds beside what it hides. */
function isClass(called: object): boolean {
  const { prototype } = called as { readonly prototype?: object };
  return prototype !== undefined && isInstrumentedClass(prototype);
}

/** What a class that hides something tells whoever compares states (execution/memory/heap-walk.ts). */
function contents(this: object, visit: Visit): void {
  reach(this, visit);
}
