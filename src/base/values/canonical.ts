/**
 * Canonical keys: two values have the same key exactly if they are equal.
 *
 * Numbers are compared by `Object.is`, except that 0 equals -0. Plain data, Map, Set, typed arrays,
 * Date, RegExp and class instances are compared by content: same class, equal fields and members,
 * with Set members and Map entries in any order. Values with `equals` and `hashCode` (immutable.js)
 * compare themselves. Functions, symbols and opaque objects (promises, weak maps, classes with
 * #private members) are equal only to themselves.
 *
 * Each part of a key states its length or end, so that different values never have the same key.
 * Cost: O(size of the value).
 */
import { InputError } from '../errors.js';

const MAX_DEPTH = 1000;

export interface SelfComparing {
  equals(other: unknown): boolean;
  hashCode(): number;
}

export class Canonical {
  /** Values that compare themselves, by hash code. */
  readonly #selfComparing = new Map<number, { value: SelfComparing; name: number }[]>();
  /** Values that are equal only to themselves; objects are held weakly. */
  readonly #symbols = new Map<symbol, number>();
  readonly #opaque = new WeakMap<object, number>();
  #names = 0;

  key(value: unknown): string {
    return this.#key(value, 0);
  }

  #key(value: unknown, depth: number): string {
    switch (typeof value) {
      case 'number':
        return `${value};`;
      case 'string':
        return `"${value.length}:${value}`;
      case 'boolean':
        return value ? 't' : 'f';
      case 'undefined':
        return 'u';
      case 'bigint':
        return `n${value};`;
      case 'object':
        if (value === null) return '_';
        if (depth === MAX_DEPTH)
          throw new InputError(`a value is nested deeper than ${MAX_DEPTH} levels, or is cyclic`);
        return this.#objectKey(value, depth + 1);
      default:
        return this.#name(value);
    }
  }

  #objectKey(value: object, depth: number): string {
    const prototype: object | null = Object.getPrototypeOf(value);
    if (prototype === Array.prototype) return this.#listKey('[', value as unknown[], depth);
    if (isSelfComparing(value)) return this.#selfComparingKey(value);
    if (prototype === Map.prototype || prototype === Set.prototype) return this.#contentKey(value, depth);
    if (prototype === Object.prototype && !Array.isArray(value)) return this.#fieldsKey(value, depth);
    if (isOpaque(value)) return this.#name(value);
    const content = this.#contentKey(value, depth);
    if (isPlain(prototype) || (content !== '' && isBuiltIn(prototype)))
      return content || this.#fieldsKey(value, depth);
    // a class instance: the class, its content, and its fields
    return `C${this.#name(prototype)}${content}${ArrayBuffer.isView(value) ? '' : this.#fieldsKey(value, depth)}`;
  }

  /** The content that a built-in object keeps outside its fields; empty for other objects. */
  #contentKey(value: object, depth: number): string {
    if (Array.isArray(value)) return this.#listKey('[', value, depth);
    if (value instanceof Map) {
      const entries: string[] = [];
      for (const [k, v] of value) entries.push(this.#key(k, depth) + this.#key(v, depth));
      return `M${entries.length}:${entries.length === 1 ? entries[0] : entries.sort().join('')}`;
    }
    if (value instanceof Set)
      return `S${value.size}:${Array.from(value, (member) => this.#key(member, depth))
        .sort()
        .join('')}`;
    if (ArrayBuffer.isView(value))
      return this.#listKey(`${value.constructor.name}[`, value as unknown as ArrayLike<unknown>, depth);
    if (value instanceof Date) return `D${value.getTime()};`;
    if (value instanceof RegExp) return `R${this.#key(String(value), depth)}`;
    if (isBoxed(value)) return `B${this.#key(value.valueOf(), depth)}`;
    return '';
  }

  #listKey(opening: string, list: ArrayLike<unknown>, depth: number): string {
    let key = `${opening}${list.length}:`;
    for (let i = 0; i < list.length; i++) key += this.#key(list[i], depth);
    return key;
  }

  #fieldsKey(value: object, depth: number): string {
    const fields = value as Record<string | symbol, unknown>;
    const names = Object.keys(fields);
    if (names.length > 1) names.sort();
    const symbols = Object.getOwnPropertySymbols(fields);
    const named = symbols.length === 0 ? symbols : this.#symbolKeys(fields, symbols, depth);
    let key = `{${names.length + named.length}:`;
    for (const name of names) key += `${name.length}:${name}${this.#key(fields[name], depth)}`;
    return key + named.join('');
  }

  #symbolKeys(
    fields: Readonly<Record<symbol, unknown>>,
    symbols: readonly symbol[],
    depth: number,
  ): readonly string[] {
    return symbols
      .filter((symbol) => Object.prototype.propertyIsEnumerable.call(fields, symbol))
      .map((symbol) => this.#name(symbol) + this.#key(fields[symbol], depth))
      .sort();
  }

  #selfComparingKey(value: SelfComparing): string {
    const hash = value.hashCode();
    const bucket = this.#selfComparing.get(hash) ?? [];
    let entry = bucket.find((other) => value.equals(other.value));
    if (!entry) {
      entry = { value, name: this.#names++ };
      this.#selfComparing.set(hash, [...bucket, entry]);
    }
    return `=${entry.name};`;
  }

  #name(value: unknown): string {
    return typeof value === 'symbol'
      ? this.#nameIn(this.#symbols, value)
      : this.#nameIn(this.#opaque, value as object);
  }

  #nameIn<K>(
    names: { get(key: K): number | undefined; set(key: K, name: number): unknown },
    value: K,
  ): string {
    let name = names.get(value);
    if (name === undefined) {
      name = this.#names++;
      names.set(value, name);
    }
    return `@${name};`;
  }
}

const BOXES = [Number, String, Boolean, BigInt, Symbol];

/** True for a boxed primitive. */
export const isBoxed = (value: object): boolean => BOXES.some((box) => value instanceof box);

const isPlain = (prototype: object | null): boolean =>
  prototype === null || Object.getPrototypeOf(prototype) === null;

const builtIns = new WeakMap<object, boolean>();

/** True if a prototype belongs to the language, not to a class that extends it. */
function isBuiltIn(prototype: object | null): boolean {
  if (prototype === null) return false;
  let known = builtIns.get(prototype);
  if (known === undefined) {
    known =
      Object.hasOwn(prototype, 'constructor') && String(prototype.constructor).includes('[native code]');
    builtIns.set(prototype, known);
  }
  return known;
}

export function isSelfComparing(value: object): value is SelfComparing {
  const { equals, hashCode } = value as Partial<SelfComparing>;
  return typeof equals === 'function' && typeof hashCode === 'function';
}

/** True if the content of an object cannot be inspected. */
function isOpaque(value: object): boolean {
  return (
    value instanceof Promise ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof WeakRef ||
    value instanceof ArrayBuffer ||
    // absent in pages that are opened as files
    (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer) ||
    value instanceof DataView ||
    value instanceof Error ||
    hasPrivateFields(value)
  );
}

/** Prototype to whether its class, or a superclass, declares `#private` members. */
const privateFields = new WeakMap<object, boolean>();

export function hasPrivateFields(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return false;
  let found = privateFields.get(prototype);
  if (found === undefined) {
    const source = typeof prototype.constructor === 'function' ? String(prototype.constructor) : '';
    found = /^\s*class\b[\s\S]*[\s{;.]#[\p{ID_Start}$_]/u.test(source) || hasPrivateFields(prototype);
    privateFields.set(prototype, found);
  }
  return found;
}

/**
 * Copies values so that copy and original are equal in the sense of `canonical`.
 *
 * Plain data, Map, Set, typed arrays and class instances are copied deeply, each with its class.
 * Values that are equal only to themselves are not copied, nor are values that are never mutated:
 * regular expressions, boxed primitives, immutable.js values.
 */
export function copyOf(value: unknown): unknown {
  return copyDeep(value, new Map());
}

/** `copies` maps originals to copies, so that shared and cyclic references are preserved. */
function copyDeep(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (isPrimitive(value) || typeof value === 'function') return value;
  if (copies.has(value)) return copies.get(value);
  const original = value as object;
  if (isSelfComparing(original) || isOpaque(original)) return original;
  const copy = emptyCopy(original);
  copies.set(original, copy);
  if (copy === original || ArrayBuffer.isView(copy)) return copy;

  const prototype: object | null = Object.getPrototypeOf(original);
  if (Object.getPrototypeOf(copy) !== prototype) Object.setPrototypeOf(copy, prototype);
  for (const name of Reflect.ownKeys(original)) {
    const field = Object.getOwnPropertyDescriptor(original, name);
    if (!field?.enumerable) continue;
    const inside = copyDeep((original as Record<string | symbol, unknown>)[name], copies);
    Object.defineProperty(copy, name, { ...PLAIN_FIELD, value: inside });
  }
  if (original instanceof Map)
    for (const [k, v] of original) Map.prototype.set.call(copy, copyDeep(k, copies), copyDeep(v, copies));
  if (original instanceof Set)
    for (const member of original) Set.prototype.add.call(copy, copyDeep(member, copies));
  return copy;
}

const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true };

/** A new object of the same kind, without fields and members. */
function emptyCopy(original: object): object {
  if (Array.isArray(original)) return new Array(original.length);
  if (original instanceof Map) return new Map();
  if (original instanceof Set) return new Set();
  if (original instanceof Date) return new Date(original);
  // not `original.slice`, which for a Buffer shares memory
  if (ArrayBuffer.isView(original)) return Uint8Array.prototype.slice.call(original as Uint8Array);
  return original instanceof RegExp || isBoxed(original) ? original : {};
}

export function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}
