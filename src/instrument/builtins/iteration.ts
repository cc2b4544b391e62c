/**
 * Iteration, spread and destructuring of objects that may be shared.
 *
 * Each element, entry or field is read by itself, and other threads may run in between. The result is an array or an object that only
 * this thread has. The order of calls to the iterator, and when it is closed, follow ECMA-262.
 */
import { READ } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { coroutineOf } from '../model/coroutine-versions.js';
import { type Host, invoke, look, readMember } from '../model/host.js';
import { isIntrinsic } from '../model/reach.js';
import { KEYS, WHOLE } from '../model/sharing.js';

export interface Iteration {
  /** The object that each step reads, if it is shared. */
  readonly over: object | undefined;
  /** The value of this round. */
  value: unknown;
  /** Nothing is left to be closed: it has come to its end, or its iterator has thrown. */
  isDone: boolean;
  readonly iterator: Iterator<unknown>;
  /** What the iterator is asked with, in every round. */
  readonly next: Iterator<unknown>['next'];
  /** The number of steps so far: of a typed array, each reads an element. */
  steps: number;
  /** A coroutine that takes a step, where the iterator is code of the user's. */
  readonly stepCoroutine?: () => Coroutine;
}

export function startIteration(iterator: Iterator<unknown>, over?: object): Iteration {
  if (Object(iterator) !== iterator)
    throw new TypeError('Result of the Symbol.iterator method is not an object');
  return { over, value: undefined, isDone: false, iterator, next: iterator.next, steps: 0 };
}

export function iteratorOf(value: Iterable<unknown>): Iterator<unknown> {
  if (typeof value?.[Symbol.iterator] !== 'function') throw new TypeError(`${String(value)} is not iterable`);
  return value[Symbol.iterator]();
}

/** Of a typed array, each step reads an element; of all else, the whole. */
const elementOf = (over: object, step: number): PropertyKey => (ArrayBuffer.isView(over) ? step : WHOLE);

/** Takes a step without an announcement; false at the end. */
export function stepNow(at: Iteration): boolean {
  // an iterator that throws is not closed
  at.isDone = true;
  return advance(at, Reflect.apply(at.next, at.iterator, []));
}

/** Takes an answer of the iterator; false at the end. */
function advance(at: Iteration, result: IteratorResult<unknown>): boolean {
  at.isDone = true;
  if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
  if (result.done) return false;
  at.value = result.value;
  at.isDone = false;
  return true;
}

/** The `return` of an iterator that has to be called because its loop ends early, if it has one. */
export function pendingReturn(at: Iteration | undefined): unknown {
  if (at === undefined || at.isDone) return undefined;
  at.isDone = true;
  return at.iterator.return;
}

/** An iterator over a shared container: each step reads it. */
export class LiveIterator implements IterableIterator<unknown> {
  readonly container: object;
  readonly #iterator: Iterator<unknown>;
  #steps = 0;

  constructor(container: object, iterator: Iterator<unknown>) {
    this.container = container;
    this.#iterator = iterator;
  }

  next(): IteratorResult<unknown> {
    this.#steps++;
    return this.#iterator.next();
  }

  /** The next step, as a coroutine. */
  step(host: Host, site: number): Coroutine<IteratorResult<unknown>> {
    return look(host, READ, this.container, site, () => this.next(), elementOf(this.container, this.#steps));
  }

  [Symbol.iterator](): this {
    return this;
  }

  get [Symbol.toStringTag](): string {
    return (this.#iterator as unknown as { readonly [Symbol.toStringTag]: string })[Symbol.toStringTag];
  }
}

// it has what all iterators have
const ITERATOR = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
Object.setPrototypeOf(LiveIterator.prototype, ITERATOR);

/** The elements or fields of a value that a pattern needs; 0 needs the value as it is. */
export type Shape =
  | 0
  | { readonly a: readonly Shape[]; readonly rest: boolean }
  | { readonly o: readonly (readonly [string, Shape])[]; readonly rest: boolean };

/** May a value be iterated and destructured without announcements: is it not shared, and its iterator not instrumented? */
export function isOwn(host: Host, value: unknown): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return true;
  if (host.memory === undefined) return true;
  // an iterator moves, and no variable shows it
  if (Object.prototype.isPrototypeOf.call(ITERATOR, value)) host.changed();
  if (host.sharing.tagOf(value) !== undefined || value instanceof LiveIterator) return false;
  return Array.isArray(value) || coroutineOf((value as Iterable<unknown>)[Symbol.iterator]) === undefined;
}

/** Starts an iteration of a value that is not the thread's own. */
export function* iterate(host: Host, value: unknown, site: number): Coroutine<Iteration> {
  if (value instanceof LiveIterator) return going(host, value, site);
  const iterable = value as Iterable<unknown> & object;
  const coroutine = coroutineOf(iterable[Symbol.iterator]);
  if (coroutine === undefined) return startIteration(iteratorOf(iterable), iterable);
  const iterator = (yield* coroutine.call(iterable)) as Iterator<unknown>;
  if (iterator instanceof LiveIterator) return going(host, iterator, site);
  const begun = startIteration(iterator);
  const { next } = begun;
  if (coroutineOf(next) !== undefined)
    return { ...begun, stepCoroutine: () => invoke(host, next, iterator, [], site) };
  return yield* isOwn(host, iterator) ? given(begun) : iterate(host, iterator, site);
}

function going(host: Host, live: LiveIterator, site: number): Iteration {
  return { ...startIteration(live), stepCoroutine: () => live.step(host, site) };
}

// biome-ignore lint/correctness/useYield: a coroutine that has its result already
function* given<T>(value: T): Coroutine<T> {
  return value;
}

/** Goes to the next round; false at the end. */
export function* step(host: Host, at: Iteration, site: number): Coroutine<boolean> {
  if (at.over !== undefined) {
    const isRound = yield* look(host, READ, at.over, site, () => stepNow(at), elementOf(at.over, at.steps++));
    if (isRound && host.memory !== undefined && host.sharing.tagOf(at.over) !== undefined)
      host.observeResult(at.value);
    return isRound;
  }
  if (at.stepCoroutine === undefined) return stepNow(at);
  // an iterator that throws is not closed
  at.isDone = true;
  return advance(at, (yield* at.stepCoroutine()) as IteratorResult<unknown>);
}

/** Closes an iterator. After an error, which is thrown on, nothing that goes wrong here matters. */
export function* close(
  host: Host,
  called: unknown,
  iterator: Iterator<unknown>,
  site: number,
  isAfterError: boolean,
): Coroutine<void> {
  try {
    const result = yield* invoke(host, called, iterator, [], site);
    if (Object(result) !== result) throw new TypeError(`Iterator result ${String(result)} is not an object`);
  } catch (error) {
    if (!isAfterError) throw error;
  }
}

/** All elements, or the first ones. A built-in container is copied in one read. */
export function* all(
  host: Host,
  value: unknown,
  site: number,
  most: number = Infinity,
): Coroutine<unknown[]> {
  if (value instanceof LiveIterator && !isSharedView(host, value.container))
    return yield* look(host, READ, value.container, site, () => first(value, most));
  const iterable = value as Iterable<unknown> & object;
  if (coroutineOf(iterable?.[Symbol.iterator]) === undefined && !isSharedView(host, value))
    return yield* look(host, READ, iterable, site, () => first(iterable, most));
  const elements: unknown[] = [];
  const at = yield* iterate(host, value, site);
  while (elements.length < most && (yield* step(host, at, site))) elements.push(at.value);
  const called = pendingReturn(at);
  if (called !== undefined && called !== null) yield* close(host, called, at.iterator, site, false);
  return elements;
}

/** Each element of a typed array is a location of its own. */
function isSharedView(host: Host, value: unknown): boolean {
  return ArrayBuffer.isView(value) && host.sharing.tagOf(value) !== undefined;
}

/** The first elements, or all. */
function first(iterable: Iterable<unknown>, most: number): unknown[] {
  if (most === Infinity) return [...iterable];
  const elements: unknown[] = [];
  const at = startIteration(iteratorOf(iterable));
  while (elements.length < most && stepNow(at)) elements.push(at.value);
  const called = pendingReturn(at);
  if (typeof called === 'function') Reflect.apply(called, at.iterator, []);
  return elements;
}

/** All own fields. */
export function* fields(host: Host, value: unknown, site: number): Coroutine<object> {
  const object = value as object;
  if (Array.isArray(object) || object instanceof Map || object instanceof Set)
    return yield* look(host, READ, object, site, () => ({ ...object }));
  return yield* copyFields(host, object, site, {});
}

/** Copies all own fields but those that are there already. */
export function* copyFields(
  host: Host,
  object: object,
  site: number,
  copy: Record<PropertyKey, unknown>,
): Coroutine<object> {
  for (const key of yield* ownKeys(host, object, site)) {
    const found = Object.hasOwn(copy, key) ? undefined : yield* fieldOf(host, object, key, site);
    if (found !== undefined) copy[key] = found[0];
  }
  return copy;
}

/** A field that was listed, or undefined if it is gone. */
export function* fieldOf(
  host: Host,
  object: object,
  key: PropertyKey,
  site: number,
): Coroutine<readonly [unknown] | undefined> {
  const action = host.read(object, key, site);
  if (action === 2) return [yield* host.g];
  const isAnnounced = action === 1 || (!Object.hasOwn(object, key) && host.has(object, key, site));
  if (isAnnounced) yield host.p;
  const isThere = Object.hasOwn(object, key);
  const value = (object as Record<PropertyKey, unknown>)[key];
  if (isAnnounced) host.observe(value);
  if (isAnnounced && value === undefined) host.observe(isThere);
  return isThere ? [value] : undefined;
}

/** The keys of the fields, or what else is listed: one read if the object is one location. */
export function* ownKeys(
  host: Host,
  object: object,
  site: number,
  list: () => PropertyKey[] = () =>
    Reflect.ownKeys(object).filter((key) => Object.prototype.propertyIsEnumerable.call(object, key)),
): Coroutine<PropertyKey[]> {
  // those of a typed array never change
  return ArrayBuffer.isView(object) ? list() : yield* look(host, READ, object, site, list, KEYS);
}

/** The names that `for … in` visits. */
export function keys(object: object): string[] {
  const names: string[] = [];
  for (const name in object) names.push(name);
  return names;
}

export function* keysOf(host: Host, object: object, site: number): Coroutine<string[]> {
  let names: string[] = [];
  for (
    let at: object | null = Object(object);
    at !== null && !isIntrinsic(at);
    at = Object.getPrototypeOf(at)
  )
    if (!ArrayBuffer.isView(at)) names = yield* look(host, READ, at, site, () => keys(object), KEYS);
  return names.length > 0 ? names : keys(object);
}

/** The parts of a value that a pattern needs. */
export function* pick(host: Host, value: unknown, shape: Shape, site: number): Coroutine {
  if (shape === 0 || value === null || value === undefined) return value;
  if ('a' in shape) {
    if (isOwn(host, value) && shape.a.every((part) => part === 0)) return value;
    const elements = isOwn(host, value)
      ? [...(value as Iterable<unknown>)]
      : yield* all(host, value, site, shape.rest ? Infinity : shape.a.length);
    for (let i = 0; i < shape.a.length; i++) elements[i] = yield* pick(host, elements[i], shape.a[i], site);
    return elements;
  }
  const picked: Record<PropertyKey, unknown> = {};
  for (const [key, part] of shape.o)
    picked[key] = yield* pick(host, yield* readMember(host, value, key, site), part, site);
  if (shape.rest) yield* copyFields(host, Object(value) as object, site, picked);
  return picked;
}
