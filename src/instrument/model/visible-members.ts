/** Members of a shared object: which are locations, and which methods use the object without an announcement. */
import type { AnyFunction } from '../../base/any-function.js';
import type { HasContents } from '../../execution/memory/heap-walk.js';
import { coroutineOf, type VariableReader } from './coroutine-versions.js';
import { effectOf } from './effects.js';
import { readAll } from './reach.js';
import type { Tag } from './sharing.js';

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

/** Is a member a location? Methods of a prototype are not, nor are members of primitives, which announce themselves. */
export function isLocation(object: object, { kind }: Tag, key: PropertyKey): boolean {
  if (kind === 'itself') return object instanceof SharedScope;
  if (ArrayBuffer.isView(object)) return typeof key === 'number' || /^\d+$/.test(String(key));
  if (Object.hasOwn(object, key) || !(key in object)) return true;
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return kind === 'whole' && typeof descriptor.value !== 'function';
  }
  return true;
}

/** Is a member of a container an element, its size, or a method that only reads? */
export function isReadOnlyMember(object: object, name: string): boolean {
  if (!(Array.isArray(object) || object instanceof Map || object instanceof Set)) return false;
  const member = (object as unknown as Record<string, unknown>)[name];
  return typeof member !== 'function' || effectOf(member as AnyFunction) === 'reads';
}

/** Would a method read or write its object without an announcement? */
export function isUnannouncedMethod(object: object, { kind }: Tag, name: string): boolean {
  if (kind === 'fields' || object instanceof SharedScope) return false;
  const method = (object as Record<string, unknown>)[name];
  return typeof method === 'function' && (kind === 'itself' || coroutineOf(method) === undefined);
}
