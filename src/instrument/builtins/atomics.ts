/**
 * Built-in functions that are one step: `Atomics` on real shared memory, and methods of arrays, Maps and Sets.
 *
 * Of `Atomics`, each element of an integer array is a location, named by its offset in the buffer, whichever view it is accessed
 * through. A wait with a timeout may end at any moment, because the duration of code is unknown.
 *
 * Of a container, a method accesses a part, if that is known, or all of it; and it may turn out to change nothing.
 */
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import {
  ATOMIC_DATA,
  ATOMIC_KINDS,
  access,
  NOTIFY,
  READ,
  UPDATE,
  WAIT,
} from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import type { Coroutine } from '../../execution/program.js';
import type { Host } from '../model/host.js';
import { WHOLE } from '../model/sharing.js';

type Integers = Int32Array | BigInt64Array;

const kinds = new Map<AnyFunction, number>(
  Object.entries(ATOMIC_KINDS).map(([name, kind]) => [
    (Atomics as unknown as Record<string, AnyFunction>)[name],
    kind,
  ]),
);

export function isAtomic(called: AnyFunction): boolean {
  return (
    kinds.has(called) ||
    called === (Atomics.wait as AnyFunction) ||
    called === (Atomics.notify as AnyFunction)
  );
}

export interface Waiter {
  readonly thread: number;
}

/**
 * Threads that wait in `Atomics.wait`, by location. They are woken in the order in which they started to wait (ECMA-262, 25.4).
 *
 * A thread with a timeout is in the queue too, but stays enabled: its timeout may expire at any moment.
 */
export class WaitQueues {
  readonly #queues = new Map<number, Waiter[]>();

  reset(): void {
    if (this.#queues.size > 0) this.#queues.clear();
  }

  /** Visits the location at which a thread waits, and its position in the queue. */
  visitPlaces(thread: number, visit: (value: number) => void): void {
    for (const [location, queue] of this.#queues)
      for (let place = 0; place < queue.length; place++)
        if (queue[place].thread === thread) {
          visit(location);
          visit(place);
        }
  }

  add(location: number, thread: number): Waiter {
    const waiter = { thread };
    this.#at(location).push(waiter);
    return waiter;
  }

  /** Is a waiter still in the queue? */
  has(location: number, waiter: Waiter): boolean {
    return this.#at(location).includes(waiter);
  }

  /** Removes a waiter. Returns false if it was woken before. */
  leave(location: number, waiter: Waiter): boolean {
    const queue = this.#at(location);
    const place = queue.indexOf(waiter);
    if (place >= 0) queue.splice(place, 1);
    return place >= 0;
  }

  /** Wakes up to `most` waiters. Returns their number. */
  wake(memory: Memory, location: number, most: number): number {
    const woken = this.#at(location).splice(0, Math.max(0, most));
    for (const { thread } of woken) memory.wakeThread(thread, location);
    return woken.length;
  }

  #at(location: number): Waiter[] {
    const known = this.#queues.get(location);
    if (known !== undefined) return known;
    const queue: Waiter[] = [];
    this.#queues.set(location, queue);
    return queue;
  }
}

/** `Atomics` as coroutines, and the threads that wait. */
export class Waiters extends WaitQueues {
  *atomic(host: Host, called: AnyFunction, given: unknown[], site: number): Coroutine {
    const args = withIndex(given);
    const [view, index] = args as [Integers, number];
    const location = host.sharing.tagOf(view) === undefined ? -1 : locationOf(host, view, index);
    if (called === (Atomics.wait as AnyFunction)) return yield* this.#wait(host, args, location, site);
    if (called === (Atomics.notify as AnyFunction)) return yield* this.#notify(host, args, location, site);
    if (location < 0) return Reflect.apply(called, Atomics, args);
    host.memory!.data = ATOMIC_DATA;
    yield announced(host, kinds.get(called)!, location, site);
    const before = view[index];
    const result: unknown = Reflect.apply(called, Atomics, args);
    if (view[index] === before) host.memory!.unchanged(location);
    return host.observe(result);
  }

  *#wait(host: Host, args: unknown[], location: number, site: number): Coroutine<string> {
    const [view, index, value, timeout = Infinity] = args as [Integers, number, unknown, number?];
    if (location < 0)
      host.fail(site, 'Atomics.wait on memory that no other thread can see is blocked forever');
    const memory = host.memory!;
    memory.data = ATOMIC_DATA;
    yield announced(host, WAIT, location, site);
    if (view[index] !== value) {
      memory.unchanged(location);
      return host.observe('not-equal');
    }
    host.observe('equal');
    const isLimited = timeout !== Infinity;
    const waiter = this.add(location, memory.current);
    if (!isLimited) memory.sleep(location);
    yield announced(host, isLimited ? UPDATE : READ, location, site);
    return host.observe(this.leave(location, waiter) ? 'timed-out' : 'ok');
  }

  *#notify(host: Host, args: unknown[], location: number, site: number): Coroutine<number> {
    const [, , most = Infinity] = args as [Integers, number, number?];
    if (location < 0) return 0;
    const memory = host.memory!;
    yield announced(host, NOTIFY, location, site);
    const woken = this.wake(memory, location, most);
    if (woken === 0) memory.unchanged(location);
    return host.observe(woken);
  }
}

function locationOf({ sharing }: Host, view: Integers, index: number): number {
  return sharing.locationOf(view, sharing.tagOf(view)!, index);
}

function announced({ memory }: Host, kind: number, location: number, site: number): number {
  memory!.site = site;
  return access(kind, location);
}

// ── containers ──

/** Does a call that may change a container, and compares the container before and after. */
export function change(
  called: AnyFunction,
  self: object,
  args: readonly unknown[],
): { result: unknown; hasChanged: boolean; hasGrown: boolean } {
  const before = glance(called, self, args);
  const result: unknown = Reflect.apply(called, self, args);
  const hasGrown = before !== undefined && before.length !== sizeOf(self);
  const hasChanged = before === undefined || hasGrown || !isSame(before, glance(called, self, args));
  return { result, hasChanged, hasGrown };
}

/** The part of a container that a method reads or changes, if it does not change the size; all of it where that is unknown. */
/** Arguments of `Atomics` with the index that is meant: `undefined` and texts are numbers to it. A symbol is refused by the function. */
function withIndex([view, index, ...others]: readonly unknown[]): unknown[] {
  const isNumber = typeof index === 'number' || typeof index === 'symbol' || typeof index === 'bigint';
  return [view, isNumber ? index : Math.trunc(Number(index)) || 0, ...others];
}

export function partOf(called: AnyFunction, self: object, [key]: readonly unknown[]): PropertyKey {
  if (called === (Array.prototype.at as AnyFunction))
    return Number.isInteger(key) && Number(key) >= 0 ? Number(key) : WHOLE;
  if (!ENTRIES.has(called) || Object(key) === key) return WHOLE;
  return types.isMap(self) || types.isSet(self) ? (typeof key === 'symbol' ? key : String(key)) : WHOLE;
}

const ENTRIES = new Set<AnyFunction>([
  Map.prototype.get,
  Map.prototype.has,
  Map.prototype.set,
  Map.prototype.delete,
  Set.prototype.has,
  Set.prototype.add,
  Set.prototype.delete,
]);

/** Does a method store arguments? Traces show them instead of its result, which is the container or its length. */
export const isStoring = (called: AnyFunction): boolean => STORING.has(called);

export const storedBy = (self: unknown, args: readonly unknown[]): unknown =>
  Array.isArray(self) && args.length > 1 ? args : args.at(-1);

const STORING = new Set<AnyFunction>([
  Map.prototype.set,
  Set.prototype.add,
  Array.prototype.push,
  Array.prototype.unshift,
]);

interface Glance {
  readonly length: number;
  readonly value: unknown;
}

/** What such a call can change in a container; undefined if that is unknown. */
function glance(called: AnyFunction, self: object, [key]: readonly unknown[]): Glance | undefined {
  const length = sizeOf(self);
  if (length < 0) return undefined;
  if (self instanceof Map && called === (Map.prototype.set as AnyFunction))
    return { length, value: Map.prototype.get.call(self, key) };
  const isShort = SHORT.has(called) || self instanceof Map || self instanceof Set;
  return isShort ? { length, value: undefined } : undefined;
}

/** Methods of an array that change it only if its length changes. */
const SHORT = new Set<AnyFunction>([
  Array.prototype.push,
  Array.prototype.pop,
  Array.prototype.shift,
  Array.prototype.unshift,
]);

function isSame(before: Glance, after: Glance | undefined): boolean {
  return after !== undefined && Object.is(before.value, after.value);
}

function sizeOf(container: object): number {
  if (Array.isArray(container)) return container.length;
  if (container instanceof Map) return sizeOfMap.call(container);
  return container instanceof Set ? sizeOfSet.call(container) : -1;
}

// classes that extend them may have their own ideas
const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get as (
  this: Map<unknown, unknown>,
) => number;
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, 'size')!.get as (
  this: Set<unknown>,
) => number;

/** Methods whose result is a new list of what their object holds. */
const COPYING = new Set<AnyFunction>(
  ['slice', 'splice', 'toReversed', 'toSpliced', 'with', 'concat']
    .flatMap((name) => [
      (Array.prototype as unknown as Record<string, AnyFunction>)[name],
      (Int8Array.prototype as unknown as Record<string, AnyFunction>)[name],
    ])
    .concat(RegExp.prototype.exec, String.prototype.match as AnyFunction),
);

export const isCopying = (called: AnyFunction): boolean => COPYING.has(called);
