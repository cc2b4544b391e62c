/**
 * `Atomics` behind a gate. Every access is performed once the scheduler grants it. Only waiting is simulated: a waiting thread
 * continues when the scheduler reports that it was woken.
 */
import { ATOMIC_KINDS, NOTIFY, WAIT } from '../../execution/memory/access.js';
import { AT_LAST, LIMITED } from './channel.js';
import type { Access, Gate, Spot, View } from './gate.js';

type AnyAtomic = (view: View, index: number, ...args: unknown[]) => number | bigint;
type Woken = 'ok' | 'timed-out';

/** The functions of `Atomics` before they are replaced. */
const real = Object.fromEntries(
  Object.getOwnPropertyNames(Atomics).map((name) => [name, Reflect.get(Atomics, name) as AnyAtomic]),
);

/** More waiters than there can be. */
const ALL = 2 ** 30;

/** A wait by `Atomics.waitAsync`. */
export interface AsyncWaiter {
  readonly timeout: number;
  readonly wake: (how: Woken) => void;
}

export class GatedAtomics {
  /** Waits that do not block the thread, in the order of their start. */
  readonly waiters: AsyncWaiter[] = [];
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Replaces the functions of `Atomics`, before the scenario is loaded. */
  install(): void {
    for (const name of Object.keys(ATOMIC_KINDS))
      Reflect.set(Atomics, name, (view: View, index: number, ...args: unknown[]) =>
        this.#access(name, view, index, args),
      );
    Object.assign(Atomics, {
      wait: (view: View, index: number, value: number, timeout?: number) =>
        this.#wait(view, index, value, limitOf(timeout)),
      waitAsync: (view: View, index: number, value: number, timeout?: number) =>
        this.#waitAsync(view, index, value, limitOf(timeout)),
      notify: (view: View, index: number, count?: number) => this.#notify(view, index, count),
    });
  }

  #access(name: string, view: View, index: number, args: readonly unknown[]): number | bigint {
    const spot = this.#gate.spotOf(view, index);
    if (spot === undefined) return real[name](view, index, ...args);
    const request = `${name} ${spot.join()} ${args.join()}`;
    const access: Access = { kind: ATOMIC_KINDS[name], request, spot, view, index, stores: args[0] };
    this.#gate.come(access);
    const before = real.load(view, index);
    const result = real[name](view, index, ...args);
    const after = real.load(view, index);
    this.#gate.did(access, result, after !== before, () => real.load(view, index) === after);
    return result;
  }

  #wait(view: View, index: number, value: number, limit: number): string {
    const spot = this.#gate.spotOf(view, index);
    if (spot === undefined) return this.#waitAlone(view, index, value, limit);
    if (!this.#isQueued(spot, view, index, value)) return 'not-equal';
    const limited = limit < Number.POSITIVE_INFINITY ? LIMITED : 0;
    return this.#gate.sleep(AT_LAST | limited) < 0 ? 'timed-out' : 'ok';
  }

  /** Waits on private memory, which no other thread can notify: a limited wait times out at once, any other blocks forever. */
  #waitAlone(view: View, index: number, value: number, limit: number): string {
    if (!this.#gate.isClosed) return real.wait(view, index, value, limit) as never;
    if (real.load(view, index) !== value) return 'not-equal';
    return limit < Number.POSITIVE_INFINITY ? 'timed-out' : this.#gate.sleepForever();
  }

  #waitAsync(view: View, index: number, value: number, timeout: number): object {
    const spot = this.#gate.spotOf(view, index);
    if (spot === undefined) return real.waitAsync(view, index, value, timeout) as never;
    if (!this.#isQueued(spot, view, index, value)) return { async: false, value: 'not-equal' };
    const promise = new Promise<Woken>((wake) => {
      this.waiters.push({ timeout, wake });
    });
    return { async: true, value: promise };
  }

  /** Joins the wait queue if memory holds the value. */
  #isQueued(spot: Spot, view: View, index: number, value: number | bigint): boolean {
    const access: Access = { kind: WAIT, request: `wait ${spot.join()} ${value}`, spot, view, index };
    this.#gate.come(access);
    const held = real.load(view, index);
    const isEqual = held === (typeof held === 'bigint' ? value : Number(value) | 0);
    this.#gate.did(access, isEqual, isEqual, () => real.load(view, index) === held);
    if (isEqual) this.#gate.queue();
    return isEqual;
  }

  #notify(view: View, index: number, count?: number): number {
    const spot = this.#gate.spotOf(view, index);
    if (spot === undefined) return real.notify(view, index, count) as number;
    const most = count === undefined ? ALL : Math.max(0, Math.min(Math.trunc(Number(count)) || 0, ALL));
    const access: Access = { kind: NOTIFY, request: `notify ${spot.join()} ${most}`, spot, view, index };
    const woken = this.#gate.come(access, most);
    this.#gate.did(access, woken, woken > 0, () => true);
    return woken;
  }
}

/** The timeout in milliseconds; infinite if it is missing or not a number. */
const limitOf = (timeout: number | undefined): number =>
  timeout === undefined || Number.isNaN(Number(timeout)) ? Number.POSITIVE_INFINITY : Number(timeout);
