/**
 * Which objects are shared, and how are they named?
 *
 * An object without a tag in this execution belongs to the thread that created it; its accesses are not announced. It gets a tag, with
 * all that can be reached from it, when it is stored where other threads can reach it (`publish`). A tag is named after the publishing
 * thread and the number of objects that it had published, so names are equal in all schedules in which that thread got equally far.
 *
 *   fields   an object of an instrumented class, a plain one, or a container: each field, element or entry is a location, and so are
 *            its keys (or `length`, `size`), and it as a whole (execution/memory/locations.ts)
 *   whole    any other object, such as one of a class that is not instrumented: one location
 *   itself   a primitive of ours, which announces its accesses itself
 *
 * A typed array is tagged through its buffer; each element is a location, by its offset.
 *
 * Module state, the objects in variables of files, is shared from the start, in every execution.
 */
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import type { HasContents } from '../../execution/memory/heap-walk.js';
import type { Memory } from '../../execution/memory/memory.js';
import { ProgramError } from '../../execution/memory/program-error.js';
import { coroutineOf, hiddenField, isInstrumentedClass, type VariableReader } from './coroutine-versions.js';
import { effectOf } from './effects.js';
import {
  isInstrumentedPrototype,
  isIntrinsic,
  isOpaqueObject,
  ownContentsOf,
  reach,
  readAll,
} from './reach.js';
import type { Sites } from './sites.js';

export type Kind = 'fields' | 'whole' | 'itself';

export interface Tag {
  readonly kind: Kind;
  /** The execution in which the object is shared; MODULE_STATE for all. */
  execution: number;
  /** Its name in that execution. */
  name: number;
  /** May accesses through it be unknown: is it a Proxy, or of a class that is not instrumented? */
  readonly isOpaque: boolean;
  /** Of a buffer: how many bytes the elements of its views have, 0 before one was used. */
  width: number;
}

/** Stands for a whole object in the place of a key; for its keys, its `length` or its `size`; and for an entry of a Map. */
export const WHOLE: unique symbol = Symbol('whole');
export const KEYS: unique symbol = Symbol('keys');

export const MODULE_STATE = -1;
/** The first name of module state: more than any thread publishes. */
const FIRST_LASTING = 1 << 20;

export class Sharing {
  readonly #tags = hiddenField<Tag>();
  readonly #sites: Sites;
  readonly #moduleObjects: object[] = [];
  /** The objects that were published, if they are listed. */
  published: object[] | undefined;
  /** Prototype to what its instances are. */
  readonly #kinds = new WeakMap<object, Kind>();
  memory: Memory | undefined;

  constructor(sites: Sites) {
    this.#sites = sites;
    // all threads can reach it; what it holds is the platform's, or becomes shared when it is read
    this.#tags.set(globalThis, {
      kind: 'fields',
      execution: MODULE_STATE,
      name: 0,
      width: 0,
      isOpaque: false,
    });
    this.#moduleObjects.push(globalThis);
  }

  /** The tag of a shared object; of a view, that of its buffer. Undefined if the object is not shared. */
  tagOf(value: unknown): Tag | undefined {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
    const tag = this.#tags.get(ArrayBuffer.isView(value) ? value.buffer : value);
    if (tag === undefined || (tag.execution !== MODULE_STATE && tag.execution !== this.memory?.execution))
      return undefined;
    return tag;
  }

  /**
   * Makes a value shared, with all that can be reached from it. `isOwn`: it was an object of the current thread. The thread may still
   * refer to such objects when others have moved them, so they are part of its local state.
   */
  publish(value: unknown, isOwn = true): void {
    const { memory } = this;
    if (memory === undefined) return;
    const shared = this.#spread(value, memory.execution, () => memory.object());
    this.published?.push(...shared);
    if (isOwn) for (const object of shared) memory.noteShared(object);
  }

  /** As `publish`, for all executions. Returns the objects that are newly tagged. */
  keep(value: unknown): readonly object[] {
    const from = this.#moduleObjects.length;
    this.#spread(value, MODULE_STATE, (object) => this.#moduleObjects.push(object) - 1);
    return this.#moduleObjects.slice(from);
  }

  /** Can a shared object be reached from one of these values? A proxy may reach anything, and its traps must not run. */
  isReachable(values: readonly unknown[]): boolean {
    const seen = new Set<object>();
    const visit = (reached: unknown): void => {
      if (reached !== null && (typeof reached === 'object' || typeof reached === 'function'))
        seen.add(reached);
    };
    for (const value of values) visit(value);
    for (const object of seen) {
      if (types.isProxy(object) || this.tagOf(object) !== undefined) return true;
      reach(object, visit);
    }
    return false;
  }

  /** Gives the objects that are newly tagged. */
  #spread(value: unknown, execution: number, nameFor: (object: object) => number): readonly object[] {
    const found: object[] = [];
    const visit = (reached: unknown): void => {
      if (reached === null || (typeof reached !== 'object' && typeof reached !== 'function')) return;
      if (isIntrinsic(reached)) return;
      const tag = this.#tags.get(reached);
      if (tag === undefined) this.#tags.set(reached, this.#tagFor(reached, execution, nameFor(reached)));
      else if (tag.execution === MODULE_STATE || tag.execution === execution) return;
      else {
        tag.execution = execution;
        tag.name = nameFor(reached);
      }
      found.push(reached);
    };
    visit(value);
    for (let i = 0; i < found.length; i++) reach(found[i], visit);
    return found;
  }

  #tagFor(object: object, execution: number, name: number): Tag {
    const kind = this.#kindOf(object);
    const isOpaque = typeof object !== 'function' && kind !== 'itself' && !isWeak(object);
    return { kind, execution, name, width: 0, isOpaque: isOpaque && isOpaqueObject(object) };
  }

  #kindOf(object: object): Kind {
    if (ownContentsOf(object) !== undefined) return 'itself';
    if (typeof object === 'function') return 'fields';
    const prototype = Object.getPrototypeOf(object);
    if (prototype === null || prototype === Object.prototype) return 'fields';
    if (isContainer(object)) return 'fields';
    let kind = this.#kinds.get(prototype);
    if (kind === undefined) {
      kind = isInstrumentedPrototype(prototype) ? 'fields' : 'whole';
      this.#kinds.set(prototype, kind);
    }
    return kind;
  }

  /** The location of a member by its name, or of the whole object; of an element of a typed array, by its index. */
  locationOf(object: object, tag: Tag, key: PropertyKey): number {
    const memory = this.memory!;
    const { kind, name, execution } = tag;
    const owner =
      execution === MODULE_STATE ? (FIRST_LASTING + name) * (memory.main + 1) + memory.main : name;
    if (ArrayBuffer.isView(object)) return memory.location(owner, byteOf(object, tag, key));
    if (kind === 'whole') return memory.location(owner);
    if (key === WHOLE) return memory.whole(owner);
    const isSize = (key === 'length' || key === 'size') && isContainer(object);
    return memory.part(owner, this.#sites.numberOf(isSize ? KEYS : key));
  }
}

/** Their methods are known, though their state cannot be listed. */
const isWeak = (object: object): boolean =>
  object instanceof WeakMap || object instanceof WeakSet || object instanceof WeakRef;

/** Is it an array, a Map or a Set, or an object of a class that extends one? */
function isContainer(object: unknown): object is unknown[] | Map<unknown, unknown> | Set<unknown> {
  return Array.isArray(object) || types.isMap(object) || types.isSet(object);
}

/** Elements of two widths would overlap without being one location. */
function byteOf(view: ArrayBufferView, tag: Tag, key: PropertyKey): number {
  const width = view instanceof DataView ? 0 : (view as Uint8Array).BYTES_PER_ELEMENT;
  if (tag.width === 0) tag.width = width;
  if (width === 0 || width !== tag.width)
    throw new ProgramError(
      'a shared buffer is accessed through elements of two widths, or a DataView; use typed arrays of one width',
    );
  return view.byteOffset + Number(key) * width;
}

// ── members ──

/** Stands for the tracked variables of a scope. Those of a file are its contents; all others are held by the functions that capture them. */
export class SharedScope implements HasContents {
  readonly #read: VariableReader | undefined;

  constructor(read?: VariableReader) {
    this.#read = read;
  }

  contents$(visit: (value: unknown) => void): void {
    readAll(this.#read, visit);
  }
}

/**
 * The object that a member belongs to: of those on the prototype chain that have it, the last one, so that all who inherit
 * a member share its location. If none has it: of a class, the last one, which may get it; else the object itself. Undefined for methods of built-in classes.
 */
export function ownerOf(object: object, key: PropertyKey): object | undefined {
  let owner: object | undefined;
  let last = object;
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    if (isIntrinsic(at)) {
      const property = owner === undefined && Object.getOwnPropertyDescriptor(at, key);
      if (property && (typeof property.value === 'function' || key === 'constructor')) return undefined;
    } else {
      if (typeof at === 'function') last = at;
      if (Object.hasOwn(at, key)) owner = at;
    }
  }
  return owner ?? last;
}

/**
 * Does an assignment or a removal change what other objects inherit, without an access of their own: is a prototype replaced, or does
 * the prototype of a class get or lose a member?
 */
export function changesHeirs(object: object, key: PropertyKey, isRemoved: boolean): boolean {
  if (key === '__proto__') return true;
  if (typeof object === 'function') return key === 'prototype' || key === Symbol.hasInstance;
  return isInstrumentedClass(object) && (isRemoved || !Object.hasOwn(object, key));
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
