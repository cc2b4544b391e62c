/**
 * The contents of an object: one description for fingerprints of states, for sharing, and for loops that change nothing.
 *
 * The description covers everything that can change what the object does: internal slots (elements, entries, time, boxed value, bytes),
 * all own keys, symbols and non-enumerable ones included, accessors as their functions, attributes, and whether it can be extended. The
 * order depends only on the object. Getters are not called. The prototype is left to the caller.
 *
 * An object with hidden state (`#private` fields, captured variables), or with properties that are no state (names of locations),
 * defines what it holds:
 *
 *     contents$(visit) { visit(this.#head); visit(this.#size); }
 *
 * Cost: O(own keys and slots).
 */
type Visit = (part: unknown) => void;

export interface HasContents {
  contents$(visit: Visit): void;
}

/** Prototypes of primitives for threads: their fields name locations, so only their contents say what they are. */
export const primitives: WeakSet<object> = new WeakSet<object>();

/** Visits the captured variables and the identity of a function. Returns false if they are unknown. */
type FunctionContents = (called: object, visit: Visit) => boolean;

let ofFunctions: FunctionContents = () => false;

/** Set by the instrumentation, which knows what functions capture. */
export function setFunctionContents(contents: FunctionContents): void {
  ofFunctions = contents;
}

export function visitFunction(called: object, visit: Visit): boolean {
  return ofFunctions(called, visit);
}

const HOLE = Symbol('hole');
const SEALED = Symbol('not extensible');
const ATTRIBUTES = Symbol('attributes');

/** Visits the slots and the own keys of an object that is no function and has no `contents$`. */
export function visitContents(object: object, visit: Visit): void {
  if (Array.isArray(object)) visitArray(object, visit);
  else {
    if (mayHaveSlots(object))
      try {
        visitSlots(object, visit);
      } catch {
        // the prototype of a class that extends a built-in one has no slots
      }
    visitKeys(object, visit);
  }
}

/** Prototype to whether it is, or inherits from, one of a built-in class with slots. */
const inheritsSlots = new WeakMap<object, boolean>();

/** May an object have internal slots? Most have none, and that is known by their prototype. */
function mayHaveSlots(object: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(object);
  if (prototype === null || prototype === Object.prototype) return ArrayBuffer.isView(object);
  let known = inheritsSlots.get(prototype);
  if (known === undefined) {
    known = WITH_SLOTS.some(
      (own) => prototype === own.prototype || Object.prototype.isPrototypeOf.call(own.prototype, prototype),
    );
    inheritsSlots.set(prototype, known);
  }
  return known || ArrayBuffer.isView(object);
}

/** Elements count as slots. The names of an array are its indices in order, `length`, and all others. */
function visitArray(array: readonly unknown[], visit: Visit): void {
  const { length } = array;
  const names = Object.getOwnPropertyNames(array);
  const isDense = names[length] === 'length';
  visit(length);
  let elements = 0;
  for (let i = 0; i < length; i++)
    if (isDense || Object.hasOwn(array, i)) {
      elements++;
      visit(valueAt(array, i, visit));
    } else visit(HOLE);
  for (let i = elements + 1; i < names.length; i++) visitKey(array, names[i], visit);
  visitSymbols(array, visit);
}

/** Internal slots of built-in objects. */
function visitSlots(object: object, visit: Visit): void {
  if (object instanceof Map)
    MAP_EACH.call(object, (value: unknown, key: unknown) => {
      visit(key);
      visit(value);
    });
  else if (object instanceof Set) SET_EACH.call(object, (value: unknown) => visit(value));
  else if (object instanceof Date) visit(Date.prototype.getTime.call(object));
  else if (object instanceof RegExp) visit(RegExp.prototype.toString.call(object));
  else if (ArrayBuffer.isView(object)) {
    visit(object.buffer);
    visit(object.byteOffset);
    visit(object.byteLength);
  } else if (object instanceof ArrayBuffer || object instanceof SharedArrayBuffer) {
    const bytes = new Uint8Array(object);
    for (let i = 0; i < bytes.length; i++) visit(bytes[i]);
  } else if (isBoxed(object)) visit(object.valueOf());
}

const WITH_SLOTS = [
  Map,
  Set,
  Date,
  RegExp,
  ArrayBuffer,
  SharedArrayBuffer,
  Number,
  String,
  Boolean,
  BigInt,
  Symbol,
] as const;

// subclasses may have methods of these names
const MAP_EACH = Map.prototype.forEach;
const SET_EACH = Set.prototype.forEach;

function isBoxed(object: object): boolean {
  return (
    object instanceof Number ||
    object instanceof String ||
    object instanceof Boolean ||
    object instanceof BigInt ||
    object instanceof Symbol
  );
}

/** Visits all own keys except elements, with their values. */
export function visitKeys(object: object, visit: Visit): void {
  const names = Object.getOwnPropertyNames(object);
  // the elements of a typed array are bytes of its buffer; their names come first
  const isTyped = ArrayBuffer.isView(object) && !(object instanceof DataView);
  for (let i = isTyped ? (object as Uint8Array).length : 0; i < names.length; i++)
    visitKey(object, names[i], visit);
  visitSymbols(object, visit);
}

function visitKey(object: object, key: string, visit: Visit): void {
  // the text of a stack depends on the run, and `message` has what matters
  if (key === 'stack' && object instanceof Error) return;
  visit(key);
  visit(valueAt(object, key, visit));
}

/** Visits symbol keys, and whether the object is extensible. */
function visitSymbols(object: object, visit: Visit): void {
  for (const key of Object.getOwnPropertySymbols(object)) {
    visit(key);
    visit(valueAt(object, key, visit));
  }
  if (!Object.isExtensible(object)) visit(SEALED);
}

/** The value of an own data property. Visits the getter of an accessor and returns its setter. Unusual attributes are visited first. */
function valueAt(object: object, key: PropertyKey, visit: Visit): unknown {
  let property: PropertyDescriptor | undefined;
  try {
    property = Object.getOwnPropertyDescriptor(object, key);
  } catch {
    // a variable of a module namespace that is not initialised
  }
  if (property === undefined) return undefined;
  // most properties are plain
  if (property.writable && property.enumerable && property.configurable) return property.value;
  const { value, get, set, writable = true, enumerable, configurable } = property;
  if (!(writable && enumerable && configurable)) {
    visit(ATTRIBUTES);
    visit((writable ? 1 : 0) + (enumerable ? 2 : 0) + (configurable ? 4 : 0));
  }
  if (get === undefined && set === undefined) return value;
  visit(get);
  return set;
}
