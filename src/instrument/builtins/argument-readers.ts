/**
 * Built-in functions that look into their arguments: `Object.keys`, `Array.from`,
 * `JSON.stringify`, `Object.assign` and the like. What is shared is copied first,
 * each part announced, and the function gets the copies.
 */
import { READ } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { type Host, invoke, look, readMember, writeMember } from '../model/host.js';
import type { AnyFunction } from '../model/twins.js';
import { all, fields, isOwn, iterate, step } from './iteration.js';
import { LiveIterator } from './iteration-protocol.js';

/** Calls a function with copies of what it would look into. */
export function* take(
  host: Host,
  called: AnyFunction,
  self: unknown,
  args: unknown[],
  site: number,
): Coroutine {
  const copies: unknown[] = [];
  if (called === (Array.from as AnyFunction) && typeof args[1] === 'function')
    return yield* mapped(host, args, site);
  for (const arg of args) {
    if (called === (JSON.stringify as AnyFunction))
      copies.push(yield* deepCopy(host, '', arg, site, new Map()));
    else if (LISTS.has(called)) copies.push(yield* listOf(host, arg, site));
    else copies.push(yield* copyOf(host, arg, site));
  }
  return Reflect.apply(called, yield* copyOf(host, self, site), copies);
}

/** `Array.from(list, callback)`: the callback runs before the next element is asked for. */
function* mapped(host: Host, [list, callback, that]: unknown[], site: number): Coroutine<unknown[]> {
  const answers: unknown[] = [];
  const isList = typeof (list as Iterable<unknown> | undefined)?.[Symbol.iterator] === 'function';
  const at = yield* iterate(host, isList ? list : Array.from(list as ArrayLike<unknown>), site);
  while (yield* step(host, at, site))
    answers.push(yield* invoke(host, callback, that, [at.value, answers.length], site));
  return answers;
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

function* deepCopy(
  host: Host,
  name: string,
  value: unknown,
  site: number,
  known: Map<unknown, unknown>,
): Coroutine {
  if (value === null || typeof value !== 'object') return value;
  if (known.has(value)) return known.get(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return yield* invoke(host, toJSON, value, [name], site);
  const shallow = yield* copyOf(host, value, site);
  if (shallow === null || typeof shallow !== 'object' || shallow instanceof Map || shallow instanceof Set)
    return shallow;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(shallow) ? [] : {};
  known.set(value, copy);
  for (const [key, part] of Object.entries(shallow))
    (copy as Record<string, unknown>)[key] = yield* deepCopy(host, key, part, site, known);
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
