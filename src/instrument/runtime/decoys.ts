/**
 * Decoys: while a step runs, all that is shared and that the step has not announced holds other values.
 *
 * A step that reads one of them does something else than without decoys, and a step that writes one of them leaves its trace. So a
 * step that does the same as without decoys, and has left all of them in their places, accesses nothing but what it has announced.
 *
 * There are two kinds of decoys. Similar values have the type of what they replace, but are false where it is true. Symbols equal no
 * value that a program can write, and most built-in functions throw on them.
 *
 * Fields, members that other objects have, elements, entries, private fields, bytes, times and sizes have decoys. These have none: variables, which only code in their
 * scope can access; whether a Map or a Set has an entry; fields that no file assigns, which are read without announcement; functions that no file assigns; the global
 * object; opaque objects, whose every access counts as not observed; and primitives of ours.
 */
import { types } from 'node:util';
import type { Memory } from '../../execution/memory/memory.js';
import { isOpaqueObject, visitPrivateFields } from '../model/reach.js';
import { KEYS, ownerOf, type Sharing, type Tag, WHOLE } from '../model/sharing.js';
import type { Sites } from '../model/sites.js';
import type { ModuleState } from './module-state.js';

/** Another value at a place of an object. */
interface Decoy {
  place(): void;
  /** Gives the place back. False if something else is there, which stays then. */
  remove(): boolean;
}

/** Adds a decoy for a part of an object. `beside`: for another part too. */
type Add = (key: PropertyKey, decoy: Decoy, beside?: PropertyKey) => void;

export type DecoyKind = 'similar' | 'symbol';

/** Of a long list, only the first elements have decoys. */
const MOST_ELEMENTS = 256;

export class Decoys {
  readonly #sharing: Sharing;
  readonly #sites: Sites;
  readonly #moduleState: ModuleState;
  /** Those in place, and those of what the step has announced, which it has not read yet; each with its location. */
  #placed: (readonly [location: number, decoy: Decoy])[] = [];
  #kept: (readonly [location: number, decoy: Decoy])[] = [];
  /** Keys of objects so far: another one may get them. */
  readonly #known = new Set<PropertyKey>();
  #kind: DecoyKind = 'similar';
  /** How many keys each object had. */
  #keys: { readonly object: object; readonly keys: number; readonly location: number }[] = [];

  constructor(sharing: Sharing, sites: Sites, moduleState: ModuleState) {
    this.#sharing = sharing;
    this.#sites = sites;
    this.#moduleState = moduleState;
  }

  /** Of which kind are the decoys from now on? */
  use(kind: DecoyKind): void {
    this.#kind = kind;
  }

  /** Learns the keys that objects have now. */
  learnKeys(): void {
    for (const object of this.#shared())
      if (object !== globalThis && !types.isProxy(object) && !ArrayBuffer.isView(object))
        for (const key of Reflect.ownKeys(object)) if (!isIndex(key)) this.#known.add(key);
  }

  #shared(): Iterable<object> {
    return [...this.#moduleState.changing, ...(this.#sharing.published ?? [])];
  }

  /** Puts decoys everywhere but at the locations that overlap with the one that is announced; -1: none is. */
  place(memory: Memory, announced: number): void {
    for (const object of this.#shared()) {
      const tag = this.#sharing.tagOf(object);
      if (tag === undefined || tag.isOpaque || tag.kind === 'itself' || object === globalThis) continue;
      if (types.isProxy(object) || ArrayBuffer.isView(object)) continue;
      const add: Add = (key, decoy, beside = key) => {
        const [location, other] = types.isAnyArrayBuffer(object)
          ? [Number(key), -1]
          : [this.#locationOf(object, tag, key), this.#locationOf(object, tag, beside)];
        const isKept = memory.overlap(location, announced) || memory.overlap(other, announced);
        (isKept ? this.#kept : this.#placed).push([location, decoy]);
      };
      this.#slotsOf(object, tag, add);
      this.#fieldsOf(object, add);
      this.#keys.push({
        object,
        keys: Reflect.ownKeys(object).length,
        location: this.#locationOf(object, tag, KEYS),
      });
    }
    for (const [, decoy] of this.#placed) decoy.place();
  }

  /** The step has read what it announced: from now on, that has decoys too. */
  placeKept(): void {
    for (const [, decoy] of this.#kept) decoy.place();
    this.#placed.push(...this.#kept);
    this.#kept = [];
  }

  /** Gives all places back. False if the step has written to one that does not overlap with what it may write. */
  remove(memory: Memory, written: readonly number[]): boolean {
    let isUntouched = true;
    const isWritten = (location: number): boolean => written.some((one) => memory.overlap(location, one));
    for (const [location, decoy] of this.#placed.reverse())
      if (!decoy.remove() && !isWritten(location)) isUntouched = false;
    for (const { object, keys, location } of this.#keys)
      if (keys !== Reflect.ownKeys(object).length && !isWritten(location)) isUntouched = false;
    this.#placed = [];
    this.#kept = [];
    this.#keys = [];
    return isUntouched;
  }

  #locationOf(object: object, tag: Tag, key: PropertyKey): number {
    const owner = tag.kind === 'fields' && key !== WHOLE && key !== KEYS ? ownerOf(object, key) : object;
    const tagOfOwner = owner && this.#sharing.tagOf(owner);
    return tagOfOwner
      ? this.#sharing.locationOf(owner, tagOfOwner, key)
      : this.#sharing.locationOf(object, tag, key);
  }

  #fieldsOf(object: object, add: Add): void {
    let elements = 0;
    for (const key of Reflect.ownKeys(object)) {
      const isElement = Array.isArray(object) && isIndex(key);
      if (isElement && ++elements > MOST_ELEMENTS) continue;
      const property = Object.getOwnPropertyDescriptor(object, key)!;
      if (!('value' in property) || !(property.writable || property.configurable)) continue;
      if (!isElement && !this.#isMutable(key, property.value)) continue;
      const other = this.#otherThan(property.value);
      const define = (value: unknown): boolean => Reflect.defineProperty(object, key, { ...property, value });
      add(key, {
        place: () => define(other),
        remove: () =>
          Object.is(Object.getOwnPropertyDescriptor(object, key)?.value, other) && define(property.value),
      });
    }
    if (Object.isExtensible(object) && !types.isAnyArrayBuffer(object)) this.#absentOf(object, add);
    visitPrivateFields(object, (value, assign, name) => {
      if (!this.#isMutable(name, value)) return;
      const other = this.#otherThan(value);
      const remove = (): boolean => {
        let isInPlace = false;
        visitPrivateFields(object, (now, _, own) => {
          isInPlace ||= own === name && Object.is(now, other);
        });
        if (isInPlace) assign(value);
        return isInPlace;
      };
      add(name, { place: () => assign(other), remove });
    });
  }

  /** A member that the object does not have, of each name that another object has; and one more key. */
  #absentOf(object: object, add: Add): void {
    const addKey = (key: PropertyKey, location: PropertyKey): void => {
      if (key in object && !inheritsData(object, key)) return;
      const value = this.#otherThan(undefined);
      add(
        location,
        {
          place: () => Object.defineProperty(object, key, { value, ...OPEN }),
          remove: () =>
            Object.getOwnPropertyDescriptor(object, key)?.value === value &&
            Reflect.deleteProperty(object, key),
        },
        KEYS,
      );
    };
    for (const key of this.#known) if (this.#sites.isWritten(key)) addKey(key, key);
    addKey(EXTRA, KEYS);
  }

  #otherThan(value: unknown): unknown {
    return this.#kind === 'symbol' ? Symbol('decoy') : similarTo(value);
  }

  /** Fields that are read without announcement, and methods, are no state. */
  #isMutable(key: PropertyKey, value: unknown): boolean {
    if (key === 'length' || key === 'prototype' || key === 'stack') return false;
    if (this.#sites.isWritten(key) || key === 'lastIndex') return true;
    return typeof value !== 'function' && !this.#sites.isReadAsImmutable(key);
  }

  #slotsOf(object: object, tag: Tag, add: Add): void {
    if (types.isMap(object)) addEntries(object, add, (value) => this.#otherThan(value));
    else if (types.isSet(object)) {
      const { add: put, delete: drop } = Set.prototype;
      const extra = {};
      const { size } = object;
      add(KEYS, {
        place: () => put.call(object, extra),
        remove: () => drop.call(object, extra) && object.size === size,
      });
    } else if (types.isDate(object)) {
      const { getTime, setTime } = Date.prototype;
      const time = getTime.call(object);
      const other = Number.isNaN(time) ? 1 : time + 86_400_001;
      add(WHOLE, {
        place: () => setTime.call(object, other),
        remove: () => {
          const isInPlace = Object.is(getTime.call(object), other);
          if (isInPlace) setTime.call(object, time);
          return isInPlace;
        },
      });
    } else if (types.isAnyArrayBuffer(object)) this.#bytesOf(object, tag, add);
    else if (Array.isArray(object)) addLength(object, add, this.#kind === 'similar' ? 1 : MANY);
  }

  /** Here a key is a location: the elements of a buffer are those of its views. */
  #bytesOf(buffer: ArrayBuffer | SharedArrayBuffer, tag: Tag, add: Add): void {
    const width = tag.width || 1;
    const count = Math.min(MOST_ELEMENTS, Math.floor(buffer.byteLength / width));
    for (let i = 0; i < count; i++) {
      const bytes = new Uint8Array(buffer, i * width, width);
      const before = bytes.slice();
      const others = before.map((byte) => byte ^ 1);
      add(this.#sharing.locationOf(bytes, { ...tag, width: 1 }, 0), {
        place: () => bytes.set(others),
        remove: () => {
          const isInPlace = others.every((byte, at) => bytes[at] === byte);
          if (isInPlace) bytes.set(before);
          return isInPlace;
        },
      });
    }
  }
}

const OPEN = { writable: true, enumerable: true, configurable: true } as const;
const EXTRA = 'decoy';
const MANY = 7;

const isIndex = (key: PropertyKey): boolean => typeof key === 'string' && /^\d+$/.test(key);

/** Does an object inherit a field, not a method or an accessor? */
function inheritsData(object: object, key: PropertyKey): boolean {
  if (Object.hasOwn(object, key)) return false;
  let at: object | null = object;
  while (at !== null && !Object.hasOwn(at, key)) at = Object.getPrototypeOf(at) as object | null;
  const property = at === null ? undefined : Object.getOwnPropertyDescriptor(at, key);
  return property !== undefined && 'value' in property && typeof property.value !== 'function';
}

/** Entries of a Map keep their places, because there may be iterators; one more entry changes the size. */
function addEntries(map: Map<unknown, unknown>, add: Add, otherThan: (value: unknown) => unknown): void {
  const { get, set, has, delete: drop } = Map.prototype;
  for (const [key, value] of [...Map.prototype.entries.call(map)]) {
    const other = otherThan(value);
    add(Object(key) === key ? WHOLE : typeof key === 'symbol' ? key : String(key), {
      place: () => set.call(map, key, other),
      remove: () => {
        const isInPlace = has.call(map, key) && Object.is(get.call(map, key), other);
        if (isInPlace) set.call(map, key, value);
        return isInPlace;
      },
    });
  }
  const extra = {};
  const { size } = map;
  add(KEYS, {
    place: () => set.call(map, extra, 1),
    remove: () => drop.call(map, extra) && map.size === size,
  });
}

/** More elements change the length of an array. */
function addLength(array: unknown[], add: Add, count: number): void {
  const { length } = array;
  const { writable } = Object.getOwnPropertyDescriptor(array, 'length')!;
  if (!writable || !Object.isExtensible(array)) return;
  const extra = length > 0 ? similarTo(array[length - 1]) : 0;
  add(
    KEYS,
    {
      place: () => array.push(...Array<unknown>(count).fill(extra)),
      remove: () => {
        const isInPlace = array.length === length + count && Object.is(array[length], extra);
        if (isInPlace) array.length = length;
        return isInPlace;
      },
    },
    String(length),
  );
}

/** Another value of the same type. */
function similarTo(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return value === 0 ? 1 : 0;
    case 'bigint':
      return value === 0n ? 1n : 0n;
    case 'string':
      return value === '' ? '0' : '';
    case 'boolean':
      return !value;
    case 'symbol':
      return Symbol(value.description);
    case 'function':
      return () => {};
    case 'undefined':
      return 1;
    case 'object':
      return value === null ? 1 : objectLike(value);
  }
}

/** An empty object of the same class; the same one if its state cannot be read. */
function objectLike(object: object): object {
  if (Array.isArray(object)) return Object.setPrototypeOf([], Object.getPrototypeOf(object)) as object;
  if (isOpaqueObject(object) || ArrayBuffer.isView(object) || types.isAnyArrayBuffer(object)) return object;
  if (types.isMap(object)) return new Map();
  if (types.isSet(object)) return new Set();
  if (types.isDate(object)) return new Date(1);
  if (types.isRegExp(object)) return /decoy/;
  return Object.create(Object.getPrototypeOf(object) as object | null) as object;
}
