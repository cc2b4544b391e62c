/**
 * Stands before `Atomics` in a thread: whoever calls it announces the access, waits to be let through, and then really does it.
 * Only waiting is not real: whoever waits is let through when the scheduler says that it was woken.
 *
 * Memory that the scenario has not shared is the thread's own, and all goes through.
 */
import type { MessagePort } from 'node:worker_threads';
import { NOTIFY, READ, UPDATE, WAIT, WRITE } from '../access.js';
import { callerAt } from '../async/place.js';
import { CHANGED, type Channel, FOR_EVER, GO, LIMITED, OVERRAN, QUEUED, SLEEPS } from './channel.js';
import { Repeats } from './repeats.js';

type AnyAtomic = (view: View, index: number, ...args: unknown[]) => number | bigint;
type View = Int32Array | BigInt64Array;
type Woken = 'ok' | 'timed-out';

/** What `Atomics` does, before anybody stands before it. */
const real = Object.fromEntries(
  Object.getOwnPropertyNames(Atomics).map((name) => [name, Reflect.get(Atomics, name) as AnyAtomic]),
);

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

/** Thrown where a call is given up: another execution begins. */
export class Abandoned extends Error {}

/** Where an access stands in the source, and what it accesses, for people. */
export interface Sight {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly stores: unknown;
}

/** Who waits by `Atomics.waitAsync`. */
export interface AsyncWaiter {
  readonly place: readonly [buffer: number, byte: number, width: number];
  readonly timeout: number;
  readonly wake: (how: Woken) => void;
}

export class Gate {
  readonly repeats: Repeats = new Repeats();
  /** Is a call under way? */
  isClosed = false;
  isAbandoned = false;
  /** Those who wait without stopping the thread, in their order. */
  readonly waiters: AsyncWaiter[] = [];
  readonly #channel: Channel;
  readonly #port: MessagePort;
  #buffers: readonly SharedArrayBuffer[] = [];
  #isTraced = false;

  constructor(channel: Channel, port: MessagePort) {
    this.#channel = channel;
    this.#port = port;
  }

  /** Another execution begins, over this memory. */
  reset(buffers: readonly SharedArrayBuffer[], isTraced: boolean): void {
    this.#buffers = buffers;
    this.#isTraced = isTraced;
    this.isAbandoned = false;
    this.waiters.length = 0;
    this.repeats.reset();
  }

  /** Puts itself before `Atomics`, for all that is loaded from now on. */
  close(): void {
    for (const name of Object.keys(KINDS))
      Reflect.set(Atomics, name, (view: View, index: number, ...args: unknown[]) =>
        this.#access(name, view, index, args),
      );
    Object.assign(Atomics, {
      wait: (view: View, index: number, value: number, timeout?: number) =>
        this.#wait(view, index, value, timeout),
      waitAsync: (view: View, index: number, value: number, timeout?: number) =>
        this.#waitAsync(view, index, value, timeout),
      notify: (view: View, index: number, count?: number) => this.#notify(view, index, count),
    });
  }

  /** Says something, and goes on when it is told to; with what it is given. */
  say(kind: number): number {
    this.#channel.says(kind);
    this.#channel.pass();
    this.#channel.await();
    this.#channel.flags = 0;
    this.#channel.spins = 0;
    if (this.#channel.command === GO) return this.#channel.given;
    this.isAbandoned = true;
    throw new Abandoned();
  }

  /** Sleeps until it is woken; or, if it is limited, at most until then. Has it been woken? */
  sleep(place: AsyncWaiter['place'], flags: number): boolean {
    this.#channel.flags |= flags;
    this.#channel.saysWhere(...place);
    return this.say(SLEEPS) === 0;
  }

  sleepForEver(): never {
    this.#channel.flags |= FOR_EVER;
    this.say(SLEEPS);
    throw new Abandoned();
  }

  #access(name: string, view: View, index: number, args: readonly unknown[]): number | bigint {
    const place = this.#placeOf(view, index);
    if (place === undefined) return real[name](view, index, ...args);
    const request = `${name} ${place.join()} ${args.join()}`;
    this.#come(KINDS[name], request, place, view, index, args[0]);
    const before = real.load(view, index);
    const result = real[name](view, index, ...args);
    const after = real.load(view, index);
    this.#did(request, result, after !== before, () => real.load(view, index) === after);
    this.#channel.value = result;
    return result;
  }

  #wait(view: View, index: number, value: number, timeout?: number): string {
    const limit = limitOf(timeout);
    const place = this.#placeOf(view, index);
    if (place === undefined) return this.#waitAlone(view, index, value, limit);
    if (!this.#isQueued(place, view, index, value)) return 'not-equal';
    return this.sleep(place, limit < Number.POSITIVE_INFINITY ? LIMITED : 0) ? 'ok' : 'timed-out';
  }

  /** Nobody else can see that memory. Whoever waits there for some time only wants to pass it. */
  #waitAlone(view: View, index: number, value: number, limit: number): string {
    if (!this.isClosed) return real.wait(view, index, value, limit) as never;
    if (real.load(view, index) !== value) return 'not-equal';
    return limit < Number.POSITIVE_INFINITY ? 'timed-out' : this.sleepForEver();
  }

  #waitAsync(view: View, index: number, value: number, timeout?: number): object {
    const place = this.#placeOf(view, index);
    if (place === undefined) return real.waitAsync(view, index, value, timeout) as never;
    if (!this.#isQueued(place, view, index, value)) return { async: false, value: 'not-equal' };
    const promise = new Promise<Woken>((wake) => {
      this.waiters.push({ place, timeout: limitOf(timeout), wake });
    });
    return { async: true, value: promise };
  }

  /** Does memory hold that value? Then the thread waits there from now on. */
  #isQueued(place: AsyncWaiter['place'], view: View, index: number, value: number | bigint): boolean {
    const request = `wait ${place.join()} ${value}`;
    this.#come(WAIT, request, place, view, index);
    const held = real.load(view, index);
    const expected = typeof held === 'bigint' ? value : Number(value) | 0;
    const isEqual = held === expected;
    this.#did(request, isEqual, isEqual, () => real.load(view, index) === held);
    if (isEqual) this.#channel.flags |= QUEUED;
    return isEqual;
  }

  #notify(view: View, index: number, count?: number): number {
    const place = this.#placeOf(view, index);
    if (place === undefined) return real.notify(view, index, count) as number;
    const most = count === undefined ? -1 : Math.max(0, Math.min(Math.trunc(Number(count)) || 0, 2 ** 30));
    this.#channel.most = most;
    const request = `notify ${place.join()} ${most}`;
    const woken = this.#come(NOTIFY, request, place, view, index);
    this.#did(request, woken, woken > 0, () => true);
    return woken;
  }

  /** Undefined where nobody else can see it, where nothing is under way, and where `Atomics` will refuse it. */
  #placeOf(view: View, index: number): AsyncWaiter['place'] | undefined {
    if (!this.isClosed || !ArrayBuffer.isView(view) || !(index >= 0 && index < view.length)) return undefined;
    const buffer = this.#buffers.indexOf(view.buffer as SharedArrayBuffer);
    if (buffer < 0) return undefined;
    const width = view.BYTES_PER_ELEMENT;
    return [buffer, view.byteOffset + index * width, width];
  }

  /** Announces an access, and waits to be let through. */
  #come(
    kind: number,
    request: string,
    place: AsyncWaiter['place'],
    view: View,
    index: number,
    stores?: unknown,
  ): number {
    if (this.isAbandoned) throw new Abandoned();
    const course = this.repeats.comesTo(request);
    if (course === 'go on') return 0;
    if (course === 'overran') return this.say(OVERRAN);
    this.#channel.spins = this.repeats.spins;
    this.#channel.saysWhere(...place);
    if (this.#isTraced) {
      const of = this.#buffers.length > 1 ? ` of buffer ${place[0] + 1}` : '';
      const sight: Sight = { ...callerAt(), name: `${view.constructor.name}[${index}]${of}`, stores };
      this.#port.postMessage(sight);
    }
    return this.say(kind);
  }

  #did(request: string, result: unknown, hasChanged: boolean, isCurrent: () => boolean): void {
    if (hasChanged) this.#channel.flags |= CHANGED;
    this.repeats.did({ request, result, isCurrent }, hasChanged);
  }
}

/** Milliseconds; no number means for ever. */
const limitOf = (timeout: number | undefined): number =>
  timeout === undefined || Number.isNaN(Number(timeout)) ? Number.POSITIVE_INFINITY : Number(timeout);
