/**
 * Built-in functions that access members by name, call by list, or convert their arguments, as coroutines: `Reflect`, `Object`, `apply`.
 *
 * All other functions of the platform that can reach something shared run on copies. The copies are read part by part, in the order of
 * keys and entries, each part announced. Parts that the function changed are written back, one by one. So such a function is not
 * atomic, and it sees and does what the same code in JavaScript would.
 */
import { types } from 'node:util';
import { READ, UPDATE } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { accessorCoroutine } from '../model/coroutine-versions.js';
import { type Host, invoke, look, readMember, writeMember } from '../model/host.js';
import { WHOLE } from '../model/sharing.js';
import { assign, elementsOf, hasOwn } from './argument-readers.js';
import { isPrimitive, toPrimitive } from './conversions.js';
import { runAs } from './higher-order.js';
import { fieldOf, ownKeys } from './iteration.js';

/** `f.apply(self, list)`, `Reflect.apply(f, self, list)`: the list is read first. */
export function* apply(host: Host, called: unknown, self: unknown, list: unknown, site: number): Coroutine {
  const args = Array.from((yield* elementsOf(host, list, site)) as ArrayLike<unknown>);
  return yield* invoke(host, called, self, args, site);
}

runAs(String.raw, function* (host, _, [template, ...values], site) {
  const texts = (yield* elementsOf(
    host,
    yield* readMember(host, template, 'raw', site),
    site,
  )) as ArrayLike<unknown>;
  const raw: unknown[] = [];
  const given: unknown[] = [];
  for (let i = 0; i < texts.length; i++) {
    raw.push(yield* toPrimitive(host, texts[i], 'string', site));
    if (i < Math.min(values.length, texts.length - 1))
      given.push(yield* toPrimitive(host, values[i], 'string', site));
  }
  return String.raw({ raw: raw as string[] }, ...given);
});
runAs(Object.assign, (host, _, args, site) => assign(host, args, site));
runAs(Object.hasOwn, (host, _, [object, key], site) =>
  hasOwn(host, object as object, key as PropertyKey, site),
);
runAs(Object.prototype.hasOwnProperty, (host, self: object, [key], site) =>
  hasOwn(host, self, key as PropertyKey, site),
);
runAs(Object.prototype.toString, function* (host, self: unknown, _, site) {
  const name = isPrimitive(self) ? undefined : yield* readMember(host, self, Symbol.toStringTag, site);
  return typeof name === 'string' ? `[object ${name}]` : Object.prototype.toString.call(self);
});
runAs(Reflect.get, function* (host, _, args, site) {
  const [object, key, receiver = object] = args;
  const getter =
    receiver === object ? undefined : accessorCoroutine(object as object, key as PropertyKey, 'get');
  // a field is read from the object, a getter runs on the receiver
  return getter === undefined
    ? yield* readMember(host, object, key as PropertyKey, site)
    : yield* host.into(getter.call(receiver), site);
});
runAs(Reflect.set, function* (host, _, args, site) {
  const [object, key, value, receiver = object] = args;
  if (receiver !== object) return yield* setOn(host, args, site);
  yield* writeMember(host, object as object, key as PropertyKey, value, site);
  return true;
});
/** `Reflect.set(object, key, value, receiver)`: the object says whether there is a setter, and the receiver gets the value. */
function* setOn(host: Host, args: readonly unknown[], site: number): Coroutine {
  const [object, key, value, receiver] = args as [object, PropertyKey, unknown, unknown];
  const setter = accessorCoroutine(object, key, 'set');
  if (setter !== undefined) {
    yield* host.into(setter.call(receiver, value), site);
    return true;
  }
  if (host.has(object, key, site)) yield host.p;
  if (host.assign(receiver, key, value, site)) {
    yield host.p;
    host.widen(receiver as object, key);
  }
  return Reflect.apply(Reflect.set, Reflect, args) as unknown;
}

runAs(Reflect.has, function* (host, _, [object, key], site) {
  if (host.has(object, key as PropertyKey, site)) yield host.p;
  return host.memory ? host.observeResult(Reflect.has(object as object, key as PropertyKey)) : undefined;
});
runAs(Reflect.deleteProperty, function* (host, _, [object, key], site) {
  if (host.remove(object, key as PropertyKey, site)) {
    yield host.p;
    host.widen(object as object, key as PropertyKey);
  }
  return Reflect.deleteProperty(object as object, key as PropertyKey);
});
const isShared = (host: Host, object: unknown): object is object =>
  host.memory !== undefined && host.sharing.tagOf(object) !== undefined;

/** Is an accessor defined or replaced? To call an accessor is no access of its property. */
function isAccessorOf(object: object, key: PropertyKey, property: unknown): boolean {
  const given = (property ?? {}) as PropertyDescriptor;
  const before = Object.getOwnPropertyDescriptor(object, key);
  return [given.get, given.set, before?.get, before?.set].some((accessor) => accessor !== undefined);
}

for (const called of [Object.defineProperty, Reflect.defineProperty])
  runAs(called, function* (host, _, [object, key, property], site) {
    const value = (property as PropertyDescriptor | undefined)?.value as unknown;
    if (isShared(host, object) && isAccessorOf(object, key as PropertyKey, property))
      host.unobserved(object, key as PropertyKey, site);
    if (host.assign(object, key as PropertyKey, value, site)) {
      yield host.p;
      host.widen(object as object, key as PropertyKey);
    }
    return Reflect.apply(called, Object, [object, key, property]) as unknown;
  });
for (const called of [Object.getOwnPropertyDescriptor, Reflect.getOwnPropertyDescriptor])
  runAs(called, function* (host, _, [object, key], site) {
    if (host.has(object, key as PropertyKey, site)) yield host.p;
    return host.observeResult(Reflect.apply(called, Object, [object, key]) as unknown);
  });
for (const called of [Reflect.ownKeys, Object.getOwnPropertyNames, Object.getOwnPropertySymbols])
  runAs(called, function* (host, _, [object], site) {
    const list = (): PropertyKey[] => Reflect.apply(called, Object, [object]) as PropertyKey[];
    return Object(object) === object ? yield* ownKeys(host, object as object, site, list) : list();
  });

for (const [called, kind] of [
  [Object.freeze, UPDATE],
  [Object.seal, UPDATE],
  [Object.preventExtensions, UPDATE],
  [Object.setPrototypeOf, UPDATE],
  [Reflect.setPrototypeOf, UPDATE],
  [Object.isFrozen, READ],
  [Object.isSealed, READ],
  [Object.isExtensible, READ],
  [Object.getPrototypeOf, READ],
] as const)
  runAs(called, function* (host, _, args, site) {
    const [object, prototype] = args;
    if (isPrimitive(object) || ArrayBuffer.isView(object))
      return Reflect.apply(called, Object, args) as unknown;
    if (kind === UPDATE) {
      // members are looked up in prototypes without an access
      if (called.name === 'setPrototypeOf' && isShared(host, object))
        host.unobserved(object, '__proto__', site);
      host.write(object, WHOLE, prototype, site);
      return yield* look(
        host,
        UPDATE,
        object as object,
        site,
        () => Reflect.apply(called, Object, args) as unknown,
      );
    }
    return yield* look(
      host,
      READ,
      object as object,
      site,
      () => Reflect.apply(called, Object, args) as unknown,
    );
  });

/** Calls with copies of everything shared that the values reach, the first of which is `this`. */
export function* onCopies(
  host: Host,
  call: (self: unknown, args: unknown[]) => unknown,
  values: readonly unknown[],
  site: number,
): Coroutine {
  const copies = new Map<object, object>();
  const given: unknown[] = [];
  for (const value of values) given.push(yield* copyOf(host, value, copies, site));
  const before = new Map(Array.from(copies.values(), (copy) => [copy, partsOf(copy)]));
  let result: unknown;
  let failed: { readonly error: unknown } | undefined;
  try {
    result = call(given[0], given.slice(1));
  } catch (error) {
    // what it has changed before stays changed
    failed = { error };
  }
  const originals = new Map(Array.from(copies, ([original, copy]) => [copy, original]));
  const originalOf = (value: unknown): unknown => originals.get(value as object) ?? value;
  for (const [original, copy] of copies)
    yield* writeBack(host, original, copy, before.get(copy)!, originalOf, site);
  if (failed !== undefined) throw failed.error;
  return withOriginals(result, originalOf);
}

function* copyOf(host: Host, value: unknown, copies: Map<object, object>, site: number): Coroutine {
  if (isPrimitive(value) || typeof value === 'function' || !host.sharing.isReachable([value])) return value;
  const object = value as object;
  const known = copies.get(object);
  if (known !== undefined) return known;
  const copy = yield* emptyCopyOf(host, object, site);
  copies.set(object, copy);
  if (object instanceof Map) {
    const entries = yield* look(host, READ, object, site, () => [...Map.prototype.entries.call(object)]);
    for (const [key, held] of entries)
      Map.prototype.set.call(
        copy,
        yield* copyOf(host, key, copies, site),
        yield* copyOf(host, held, copies, site),
      );
  } else if (object instanceof Set) {
    const held = yield* look(host, READ, object, site, () => [...Set.prototype.values.call(object)]);
    for (const part of held) Set.prototype.add.call(copy, yield* copyOf(host, part, copies, site));
  }
  if (ArrayBuffer.isView(object)) return copy;
  // an array has the length that it had when its keys were read
  const keys = yield* ownKeys(host, object, site, () => {
    if (Array.isArray(object)) (copy as unknown[]).length = object.length;
    return Reflect.ownKeys(object);
  });
  for (const key of keys) {
    if (key === 'length' && Array.isArray(object)) continue;
    if (key === 'stack' && object instanceof Error) continue;
    const property = Object.getOwnPropertyDescriptor(object, key) ?? { value: undefined };
    if ('value' in property) {
      const found = yield* fieldOf(host, object, key, site);
      if (found === undefined) continue;
      property.value = yield* copyOf(host, found[0], copies, site);
    }
    Reflect.defineProperty(copy, key, property);
  }
  return copy;
}

/** A copy without entries and fields. */
function* emptyCopyOf(host: Host, object: object, site: number): Coroutine<object> {
  const prototype = Object.getPrototypeOf(object) as object | null;
  let copy: object;
  if (Array.isArray(object)) copy = [];
  else if (object instanceof Map) copy = new Map();
  else if (object instanceof Set) copy = new Set();
  else if (object instanceof Date)
    copy = yield* look(host, READ, object, site, () => new Date(object.getTime()));
  else if (object instanceof RegExp) copy = new RegExp(object.source, object.flags);
  else if (object instanceof Error) copy = new Error();
  else if (ArrayBuffer.isView(object) && !(object instanceof DataView)) {
    // `slice` of a Buffer does not copy
    const view = Int32Array.prototype.slice.call(object);
    for (let i = 0; i < view.length; i++) view[i] = (yield* readMember(host, object, i, site)) as number;
    return view;
  } else if (types.isNumberObject(object)) copy = Object(Number.prototype.valueOf.call(object)) as object;
  else if (types.isStringObject(object)) copy = Object(String.prototype.valueOf.call(object)) as object;
  else if (types.isBooleanObject(object)) copy = Object(Boolean.prototype.valueOf.call(object)) as object;
  else copy = {};
  return Object.setPrototypeOf(copy, prototype) as object;
}

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor>;

/** The own properties of a copy, to find what a function has changed. */
function partsOf(copy: object): Properties {
  return new Map(Reflect.ownKeys(copy).map((key) => [key, Object.getOwnPropertyDescriptor(copy, key)!]));
}

function* writeBack(
  host: Host,
  original: object,
  copy: object,
  before: Properties,
  originalOf: (value: unknown) => unknown,
  site: number,
): Coroutine<void> {
  const after = partsOf(copy);
  for (const key of before.keys())
    if (!after.has(key)) {
      if (host.remove(original, key, site)) {
        yield host.p;
        host.widen(original, key);
      }
      Reflect.deleteProperty(original, key);
    }
  for (const [key, property] of after) {
    if (areSame(before.get(key), property)) continue;
    const defined = 'value' in property ? { ...property, value: originalOf(property.value) } : property;
    if (host.assign(original, key, defined.value, site)) {
      yield host.p;
      host.widen(original, key);
    }
    Reflect.defineProperty(original, key, defined);
  }
  if (original instanceof Date && original.getTime() !== (copy as Date).getTime())
    yield* look(host, UPDATE, original, site, () => original.setTime((copy as Date).getTime()));
}

function areSame(one: PropertyDescriptor | undefined, other: PropertyDescriptor): boolean {
  const names = ['value', 'get', 'set', 'writable', 'enumerable', 'configurable'] as const;
  return one !== undefined && names.every((name) => Object.is(one[name], other[name]));
}

/** A result in which no copy is left. */
function withOriginals(result: unknown, originalOf: (value: unknown) => unknown): unknown {
  const original = originalOf(result);
  if (original !== result || isPrimitive(result)) return original;
  if (Array.isArray(result))
    for (let i = 0; i < result.length; i++) result[i] = withOriginals(result[i], originalOf);
  else if (Object.getPrototypeOf(result) === Object.prototype && !Object.isFrozen(result))
    for (const [key, value] of Object.entries(result as Record<string, unknown>))
      if (!isPrimitive(value)) (result as Record<string, unknown>)[key] = withOriginals(value, originalOf);
  return result;
}
