/**
 * `Atomics`: real shared memory. Each element of an integer array is a location, called by
 * its place in the buffer, whichever view it is seen through.
 *
 * Who waits is woken in the order in which they began to wait (ECMA-262, 25.4). A
 * wait with a time limit may end at any moment, since nobody knows how long anything takes.
 */
import { access, NOTIFY, READ, UPDATE, WAIT, WRITE } from '../../access.js';
import type { Coroutine } from '../../program.js';
import type { Host } from './host.js';
import type { AnyFunction } from './twins.js';

interface Waiter {
  readonly thread: number;
  readonly isLimited: boolean;
}

type Integers = Int32Array | BigInt64Array;

/** Kinds of access by method. */
const KINDS: Readonly<Record<string, number>> = {
  load: READ,
  store: WRITE,
  add: UPDATE,
  sub: UPDATE,
  and: UPDATE,
  or: UPDATE,
  xor: UPDATE,
  exchange: UPDATE,
  compareExchange: UPDATE,
};

const kinds = new Map<AnyFunction, number>(
  Object.entries(KINDS).map(([name, kind]) => [
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

/** Who waits, by location, first come first; and whose time was limited and may end by itself. */
export class Waiters {
  readonly #queues = new Map<number, Waiter[]>();

  reset(): void {
    if (this.#queues.size > 0) this.#queues.clear();
  }

  /** All of them, for whoever compares states. */
  contents$(visit: (value: unknown) => void): void {
    for (const [location, queue] of [...this.#queues].sort(([a], [b]) => a - b)) {
      visit(location);
      for (const { thread, isLimited } of queue) {
        visit(thread);
        visit(isLimited);
      }
    }
  }

  *atomic(host: Host, called: AnyFunction, args: unknown[], site: number): Coroutine {
    const [view, index] = args as [Integers, number];
    const location = host.sharing.tagOf(view) === undefined ? -1 : locationOf(host, view, index);
    if (called === (Atomics.wait as AnyFunction)) return yield* this.#wait(host, args, location, site);
    if (called === (Atomics.notify as AnyFunction)) return yield* this.#notify(host, args, location, site);
    if (location < 0) return Reflect.apply(called, Atomics, args);
    yield announced(host, kinds.get(called)!, location, site);
    const before = view[index];
    const result: unknown = Reflect.apply(called, Atomics, args);
    if (view[index] === before) host.memory!.unchanged(location);
    return host.saw(result);
  }

  *#wait(host: Host, args: unknown[], location: number, site: number): Coroutine<string> {
    const [view, index, value, timeout = Infinity] = args as [Integers, number, unknown, number?];
    if (location < 0) host.fail(site, 'Atomics.wait on memory that no other thread can see waits for ever');
    const memory = host.memory!;
    yield announced(host, WAIT, location, site);
    if (view[index] !== value) {
      memory.unchanged(location);
      return host.saw('not-equal');
    }
    host.saw('equal');
    const waiter = { thread: memory.current, isLimited: timeout !== Infinity };
    const queue = this.#queueAt(location);
    queue.push(waiter);
    if (!waiter.isLimited) memory.sleep(location);
    yield announced(host, waiter.isLimited ? UPDATE : READ, location, site);
    const at = queue.indexOf(waiter);
    if (at >= 0) queue.splice(at, 1);
    return host.saw(at >= 0 ? 'timed-out' : 'ok');
  }

  *#notify(host: Host, args: unknown[], location: number, site: number): Coroutine<number> {
    const [, , most = Infinity] = args as [Integers, number, number?];
    if (location < 0) return 0;
    const memory = host.memory!;
    yield announced(host, NOTIFY, location, site);
    const woken = this.#queueAt(location).splice(0, Math.max(0, most));
    const asleep = [...woken, ...this.#queueAt(location)].filter(({ isLimited }) => !isLimited);
    // the memory knows sleepers by their number among those of the location
    for (const { thread, isLimited } of woken)
      if (!isLimited) {
        memory.wake(location, asleep.filter((other) => other.thread < thread).length);
        asleep.shift();
      }
    if (woken.length === 0) memory.unchanged(location);
    return host.saw(woken.length);
  }

  #queueAt(location: number): Waiter[] {
    const known = this.#queues.get(location);
    if (known !== undefined) return known;
    const queue: Waiter[] = [];
    this.#queues.set(location, queue);
    return queue;
  }
}

function locationOf({ sharing }: Host, view: Integers, index: number): number {
  return sharing.locationOf(view, sharing.tagOf(view)!, index);
}

function announced({ memory }: Host, kind: number, location: number, site: number): number {
  memory!.site = site;
  return access(kind, location);
}
