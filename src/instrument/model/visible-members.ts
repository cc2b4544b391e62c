/** Members of a shared object: which are locations, and which methods use the object without an announcement. */
import type { AnyFunction } from '../../base/any-function.js';
import type { HasContents } from '../../execution/memory/heap-walk.js';
import { coroutineOf, type VariableReader } from './coroutine-versions.js';
import { effectOf } from './effects.js';
import { isIntrinsic } from './opaque-objects.js';
import { readAll } from './reach.js';
import { isContainer, type Tag } from './sharing.js';

/** Stands for the tracked variables of a scope. */
export class SharedScope implements HasContents {
  readonly #read: VariableReader;

  constructor(read: VariableReader) {
    this.#read = read;
  }

  contents$(visit: (value: unknown) => void): void {
    readAll(this.#read, visit);
  }
}

/**
 * The object that a member belongs to: of those on the prototype chain that have it, the last one, so that all who inherit
 * a member share its location. The object itself, if none has it. Undefined for methods of built-in classes.
 */
export function ownerOf(object: object, key: PropertyKey): object | undefined {
  let owner: object | undefined;
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    if (isIntrinsic(at)) {
      const property = owner === undefined && Object.getOwnPropertyDescriptor(at, key);
      if (property && (typeof property.value === 'function' || key === 'constructor')) return undefined;
    } else if (Object.hasOwn(at, key)) owner = at;
  }
  return owner ?? object;
}

/** Is a member a location? Members of primitives, which announce themselves, are not. */
export function isLocation(object: object, { kind }: Tag, key: PropertyKey): boolean {
  if (kind === 'itself') return object instanceof SharedScope;
  if (ArrayBuffer.isView(object)) return typeof key === 'number' || /^\d+$/.test(String(key));
  return ownerOf(object, key) !== undefined;
}

/** Is a member of a container an element, its size, or a method that only reads? */
export function isReadOnlyMember(object: object, name: string): boolean {
  if (!(Array.isArray(object) || object instanceof Map || object instanceof Set)) return false;
  const member = (object as unknown as Record<string, unknown>)[name];
  return typeof member !== 'function' || effectOf(member as AnyFunction) === 'reads';
}

/** Would a method read or write its object without an announcement? */
export function isUnannouncedMethod(object: object, { kind }: Tag, name: string): boolean {
  if ((kind === 'fields' && !isContainer(object)) || object instanceof SharedScope) return false;
  const method = (object as Record<string, unknown>)[name];
  return typeof method === 'function' && (kind === 'itself' || coroutineOf(method) === undefined);
}
