/**
 * Built-in functions that look into their arguments: `Object.keys`, `Array.from`,
 * `JSON.stringify`, `Object.assign` and the like. What is shared is copied first,
 * each part announced, and the function gets the copies.
 */
import { READ } from '../../access.js';
import type { Coroutine } from '../../program.js';
import { type Host, invoke, look, readMember, writeMember } from './host.js';
import { all, fields, isOwn } from './iteration.js';
import { LiveIterator } from './rounds.js';
import type { AnyFunction } from './twins.js';

/** Calls a function with copies of what it would look into. */
export function* take(
  host: Host,
  called: AnyFunction,
  self: unknown,
  args: unknown[],
  site: number,
): Coroutine {
  const copies: unknown[] = [];
  for (const arg of args) {
    if (called === (JSON.stringify as AnyFunction)) copies.push(yield* deepCopy(host, arg, site, new Map()));
    else if (LISTS.has(called)) copies.push(yield* listOf(host, arg, site));
    else copies.push(yield* copyOf(host, arg, site));
  }
  if (called === (Array.from as AnyFunction) && typeof args[1] === 'function') {
    const mapped: unknown[] = [];
    for (const [i, value] of Array.from(copies[0] as Iterable<unknown>).entries())
      mapped.push(yield* invoke(host, args[1], args[2], [value, i], site));
    return mapped;
  }
  return Reflect.apply(called, yield* copyOf(host, self, site), copies);
}

/** Functions that go over their argument. */
const LISTS = new Set<AnyFunction>([Array.from, Object.fromEntries]);

/** What goes over a value would find, as an array; what is the coroutine's own as it is. */
export function* listOf(host: Host, value: unknown, site: number): Coroutine {
  const isIterable = value !== null && typeof value === 'object' && Symbol.iterator in value;
  return isIterable && !isOwn(host, value) ? yield* all(host, value, site) : value;
}

/** A copy of what is shared, one level deep; all else as it is. */
function* copyOf(host: Host, value: unknown, site: number): Coroutine {
  if (value instanceof LiveIterator) return yield* all(host, value, site);
  if (host.sharing.tagOf(value) === undefined || typeof value === 'function') return value;
  if (Array.isArray(value)) return yield* look(host, READ, value, site, () => value.slice());
  if (value instanceof Map) return yield* look(host, READ, value, site, () => new Map(value));
  if (value instanceof Set) return yield* look(host, READ, value, site, () => new Set(value));
  return yield* fields(host, value, site);
}

function* deepCopy(host: Host, value: unknown, site: number, known: Map<unknown, unknown>): Coroutine {
  if (value === null || typeof value !== 'object') return value;
  if (known.has(value)) return known.get(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return yield* invoke(host, toJSON, value, [], site);
  const shallow = yield* copyOf(host, value, site);
  if (shallow === null || typeof shallow !== 'object' || shallow instanceof Map || shallow instanceof Set)
    return shallow;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(shallow) ? [] : {};
  known.set(value, copy);
  for (const [key, part] of Object.entries(shallow))
    (copy as Record<string, unknown>)[key] = yield* deepCopy(host, part, site, known);
  return copy;
}

/** `Object.assign(target, ...sources)`: a write for each field. */
export function* assign(host: Host, [target, ...sources]: unknown[], site: number): Coroutine {
  for (const source of sources) {
    const copy = (yield* copyOf(host, source, site)) as Record<PropertyKey, unknown> | null | undefined;
    if (copy === null || copy === undefined) continue;
    for (const key of Reflect.ownKeys(Object(copy)))
      if (Object.prototype.propertyIsEnumerable.call(copy, key))
        yield* writeMember(host, target as object, key, copy[key], site);
  }
  return target;
}

/** `Object.hasOwn(object, key)`. */
export function* hasOwn(host: Host, object: object, key: PropertyKey, site: number): Coroutine<boolean> {
  yield* readMember(host, object, key, site);
  return Object.hasOwn(object, key);
}
