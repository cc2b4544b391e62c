/** What of an object others can see: which of its members are locations, and which methods use it without a word. */
import type { AnyFunction } from '../../base/any-function.js';
import type { HasContents } from '../../execution/memory/heap-walk.js';
import { coroutineOf, type VariableReader } from './coroutine-versions.js';
import { effectOf } from './effects.js';
import { readAll } from './reach.js';
import type { Tag } from './sharing.js';

/** The variables of a scope that functions share. */
export class SharedScope implements HasContents {
  readonly #read: VariableReader;

  constructor(read: VariableReader) {
    this.#read = read;
  }

  contents$(visit: (value: unknown) => void): void {
    readAll(this.#read, visit);
  }
}

/** Is what is read a location at all: not a method that a prototype has, nor an object that announces by itself? */
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

/** Is an element of a list, its length, or what a method that only looks tells, all that is asked for? */
export function isReadOnlyMember(object: object, name: string): boolean {
  if (!(Array.isArray(object) || object instanceof Map || object instanceof Set)) return false;
  const member = (object as unknown as Record<string, unknown>)[name];
  return typeof member !== 'function' || effectOf(member as AnyFunction) === 'reads';
}

/** Is it a method that would look at, or change, its object without being asked to announce that? */
export function isUnannouncedMethod(object: object, { kind }: Tag, name: string): boolean {
  if (kind === 'fields' || object instanceof SharedScope) return false;
  const method = (object as Record<string, unknown>)[name];
  return typeof method === 'function' && (kind === 'itself' || coroutineOf(method) === undefined);
}
