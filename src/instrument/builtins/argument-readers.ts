/**
 * Built-in functions that read their arguments: `Object.keys`, `Array.from`, `JSON.stringify`, `Object.assign` and the like. Shared
 * arguments are copied first, each part announced, and the function gets the copies.
 *
 * Methods of shared typed arrays are here too. Each element is a location, so a method reads every element that it needs and writes
 * every element that it changes: none of them is atomic.
 */
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import { READ } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { effectOf } from '../model/effects.js';
import { type Host, invoke, look, readMember, writeMember } from '../model/host.js';
import { isPrimitive, toPrimitive } from './conversions.js';
import { type HigherOrder, higherOrder, runAs } from './higher-order.js';
import { all, fieldOf, fields, isOwn, iterate, LiveIterator, ownKeys, step } from './iteration.js';

/** Calls a function with copies of the arguments, as far as it reads them. */
function copying(called: AnyFunction, copy: (host: Host, arg: unknown, site: number) => Coroutine): void {
  runAs(called, function* (host, self, args, site) {
    const copies: unknown[] = [];
    for (const arg of args) copies.push(yield* copy(host, arg, site));
    return Reflect.apply(called, yield* copyOf(host, self, site), copies);
  });
}

copying(JSON.stringify, (host, arg, site) => jsonOf(host, '', arg, site));
copying(Object.fromEntries, (host, arg, site) => entriesOf(host, arg, site, true));
// all that is no list is kept as it is
copying(Array.prototype.concat, function* (host, arg, site) {
  return (yield* isSpread(host, arg, site)) ? yield* copyOf(host, arg, site) : arg;
});
// they list the fields of their argument, whatever else it holds
for (const called of [Object.keys, Object.values, Object.entries]) copying(called, ownFields);
runAs(Array.from, function* (host, self: unknown, args, site) {
  if (typeof args[1] === 'function') return yield* mapped(host, args, site);
  const [list, ...others] = args;
  return Reflect.apply(Array.from, self, [yield* elementsOf(host, list, site), ...others]) as unknown;
});

function* isSpread(host: Host, arg: unknown, site: number): Coroutine<boolean> {
  if (isPrimitive(arg)) return false;
  const says = yield* readMember(host, arg, Symbol.isConcatSpreadable, site);
  return says === undefined ? Array.isArray(arg) : Boolean(says);
}

/** `Array.from(list, callback)`: the callback runs before the next element is asked for. */
function* mapped(host: Host, [list, callback, that]: unknown[], site: number): Coroutine<unknown[]> {
  const answers: unknown[] = [];
  const isList = typeof (list as Iterable<unknown> | undefined)?.[Symbol.iterator] === 'function';
  const elements = isList ? list : Array.from((yield* elementsOf(host, list, site)) as ArrayLike<unknown>);
  const at = yield* iterate(host, elements, site);
  while (yield* step(host, at, site))
    answers.push(yield* invoke(host, callback, that, [at.value, answers.length], site));
  return answers;
}

/** What goes over a value would find, as an array; what is the coroutine's own as it is. */
export function* listOf(host: Host, value: unknown, site: number): Coroutine {
  const isIterable = value !== null && typeof value === 'object' && Symbol.iterator in value;
  return isIterable && !isOwn(host, value) ? yield* all(host, value, site) : value;
}

/** The same for a list of entries, whose keys and values are read. */
export function* entriesOf(host: Host, value: unknown, site: number, hasTexts = false): Coroutine {
  const list = yield* listOf(host, value, site);
  if (isPrimitive(list) || !(Symbol.iterator in (list as object))) return list;
  const entries: unknown[] = [];
  for (const entry of list as Iterable<unknown>) {
    entries.push(entry);
    // the function throws, and asks for no more
    if (isPrimitive(entry)) break;
    const key = yield* readMember(host, entry, 0, site);
    const held = yield* readMember(host, entry, 1, site);
    entries[entries.length - 1] = [hasTexts ? yield* toPrimitive(host, key, 'string', site) : key, held];
  }
  return entries;
}

/** The same, also for an object that is like an array: it is not iterated, but has `length` and elements. */
export function* elementsOf(host: Host, value: unknown, site: number): Coroutine {
  if (isPrimitive(value) || Symbol.iterator in (value as object) || types.isAnyArrayBuffer(value))
    return yield* listOf(host, value, site);
  const parents: object[] = [];
  for (let at = value as object | null; at !== null; at = Object.getPrototypeOf(at) as object | null)
    parents.push(at);
  if (!parents.some((object) => host.sharing.tagOf(object) !== undefined)) return value;
  const length = yield* readMember(host, value, 'length', site);
  const elements = Array.from({ length: Number(yield* toPrimitive(host, length, 'number', site)) });
  for (let i = 0; i < elements.length; i++) elements[i] = yield* readMember(host, value, i, site);
  return elements;
}

/** The elements that a typed array gets from a list: objects become numbers or bigints, one by one. */
export function* numbersOf(host: Host, value: unknown, site: number): Coroutine {
  const list = yield* elementsOf(host, value, site);
  if (isPrimitive(list) || ArrayBuffer.isView(list) || types.isAnyArrayBuffer(list)) return list;
  const numbers = Array.from(list as ArrayLike<unknown>);
  for (let i = 0; i < numbers.length; i++) numbers[i] = yield* toPrimitive(host, numbers[i], 'number', site);
  return numbers;
}

/** The fields of an object that is shared, also of a function or a container; all else as it is. */
function* ownFields(host: Host, value: unknown, site: number): Coroutine {
  return host.sharing.tagOf(value) === undefined ? value : yield* fields(host, value, site);
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

/** What `JSON.stringify` reads of a value, in its order. `above`: the objects that the value is in, and their copies. */
function* jsonOf(
  host: Host,
  key: string,
  given: unknown,
  site: number,
  above: ReadonlyMap<unknown, object> = new Map(),
): Coroutine {
  if (isPrimitive(given) || typeof given === 'function') return given;
  const toJSON = yield* readMember(host, given, 'toJSON', site);
  const value = typeof toJSON === 'function' ? yield* invoke(host, toJSON, given, [key], site) : given;
  if (isPrimitive(value) || typeof value === 'function') return value;
  if (types.isNumberObject(value)) return Number(yield* toPrimitive(host, value, 'number', site));
  if (types.isStringObject(value)) return String(yield* toPrimitive(host, value, 'string', site));
  if (types.isBoxedPrimitive(value)) return value.valueOf();
  const known = above.get(value);
  if (known !== undefined) return known;
  // the error that names a circle says of which class its objects are
  const copy = (Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))) as object;
  const define = (name: string, part: unknown, enumerable = true): unknown =>
    Object.defineProperty(copy, name, { value: part, enumerable, configurable: true, writable: true });
  define('toJSON', undefined, false);
  const around = new Map([...above, [value, copy]]);
  if (Array.isArray(value)) {
    const length = (yield* readMember(host, value, 'length', site)) as number;
    for (let i = 0; i < length; i++) {
      const element = yield* readMember(host, value, i, site);
      define(String(i), yield* jsonOf(host, String(i), element, site, around));
    }
  } else if (value instanceof Map || value instanceof Set) {
    for (const [name, part] of Object.entries(yield* fields(host, value, site)))
      define(name, yield* jsonOf(host, name, part, site, around));
  } else
    for (const name of yield* ownKeys(host, value as object, site))
      if (typeof name === 'string') {
        const part = yield* readMember(host, value, name, site);
        // functions are left out
        if (typeof part !== 'function' || name !== 'toJSON')
          define(name, yield* jsonOf(host, name, part, site, around));
      }
  return copy;
}

/** `Object.assign(target, ...sources)`: each field is read and written before the next one. */
export function* assign(host: Host, [target, ...sources]: unknown[], site: number): Coroutine {
  for (const source of sources) {
    if (source === null || source === undefined) continue;
    const isWhole = Array.isArray(source) || source instanceof Map || source instanceof Set;
    const from = (isWhole ? yield* ownFields(host, source, site) : Object(source)) as object;
    for (const key of yield* ownKeys(host, from, site)) {
      const found = yield* fieldOf(host, from, key, site);
      if (found !== undefined) yield* writeMember(host, target as object, key, found[0], site);
    }
  }
  return target;
}

/** `Object.hasOwn(object, key)`. */
export function* hasOwn(host: Host, object: object, key: PropertyKey, site: number): Coroutine<boolean> {
  yield* readMember(host, object, key, site);
  return Object.hasOwn(object, key);
}

type View = Int32Array;

/** Undefined: a method that touches no element, or calls back, or is none of a typed array. */
export function elementwise(called: AnyFunction): HigherOrder | undefined {
  const effect = effectOf(called);
  if (higherOrder(called) !== undefined || (effect !== 'reads' && effect !== 'writes')) return undefined;
  return (host, self: View, args, site) => onCopy(host, called, self, args, site, effect === 'writes');
}

/** Reads all, does it to a copy, and writes what is different then. */
function* onCopy(
  host: Host,
  called: AnyFunction,
  view: View,
  args: readonly unknown[],
  site: number,
  isChange: boolean,
): Coroutine {
  // `slice` of a Buffer does not copy
  const copy = Int32Array.prototype.slice.call(view);
  const isFill = called === (copy.fill as AnyFunction) || called === (copy.set as AnyFunction);
  if (!isFill)
    for (let i = 0; i < view.length; i++) copy[i] = (yield* readMember(host, view, i, site)) as number;
  const given: unknown[] = [];
  for (const arg of args)
    given.push(
      yield* called === (copy.set as AnyFunction) ? numbersOf(host, arg, site) : listOf(host, arg, site),
    );
  if (!isChange) return Reflect.apply(called, copy, given);
  const touched = isFill ? marksOf(called, view, given) : undefined;
  const result: unknown = Reflect.apply(called, copy, given);
  for (let i = 0; i < view.length; i++)
    if (touched === undefined || touched[i]) yield* writeMember(host, view, i, copy[i], site);
  return result === copy ? view : result;
}

/** Which elements `fill` or `set` writes, whatever they hold. */
function marksOf(called: AnyFunction, view: View, args: readonly unknown[]): readonly boolean[] {
  const marks = new Array<boolean>(view.length).fill(false);
  if (called === (view.fill as AnyFunction)) return marks.fill(true, args[1] as number, args[2] as number);
  const from = Number(args[1] ?? 0);
  return marks.fill(true, from, from + (args[0] as ArrayLike<number>).length);
}

/** `list.join(separator)`: one read of the list, then each element becomes a string. */
export function* join(
  host: Host,
  list: readonly unknown[],
  separator: unknown,
  site: number,
): Coroutine<string> {
  const between = separator === undefined ? ',' : String(yield* toPrimitive(host, separator, 'string', site));
  const elements = yield* look(host, READ, list as unknown[], site, () => Array.from(list));
  const texts: string[] = [];
  for (const element of elements)
    texts.push(element == null ? '' : String(yield* toPrimitive(host, element, 'string', site)));
  return texts.join(between);
}

/** `join` and `toString` of lists with objects in them convert these one by one. */
export function joinOf(
  called: AnyFunction,
  self: unknown,
  args: readonly unknown[],
): readonly [unknown] | undefined {
  if (!Array.isArray(self) || self.every(isPrimitive)) return undefined;
  if (called === (Array.prototype.join as AnyFunction)) return [args[0]];
  return called === (Array.prototype.toString as AnyFunction) ? [undefined] : undefined;
}
