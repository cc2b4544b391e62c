/**
 * `Atomics`, on real shared memory. Each element of an integer array is a location, named by its offset in the buffer, whichever view
 * it is accessed through.
 *
 * A wait with a timeout may end at any moment, because the duration of code is unknown.
 */
import type { AnyFunction } from '../../base/any-function.js';
import { ATOMIC_KINDS, access, NOTIFY, READ, UPDATE, WAIT } from '../../execution/memory/access.js';
import { WaitQueues } from '../../execution/memory/wait-queues.js';
import type { Coroutine } from '../../execution/program.js';
import type { Host } from '../model/host.js';

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

/** `Atomics` as coroutines, and the threads that wait. */
export class Waiters extends WaitQueues {
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
    return host.observe(result);
  }

  *#wait(host: Host, args: unknown[], location: number, site: number): Coroutine<string> {
    const [view, index, value, timeout = Infinity] = args as [Integers, number, unknown, number?];
    if (location < 0) host.fail(site, 'Atomics.wait on memory that no other thread can see waits for ever');
    const memory = host.memory!;
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
