/**
 * The code of a thread. In each execution it creates its object over the shared memory, makes the calls that the scheduler
 * requests, and reports their outcomes.
 */

import { inspect } from 'node:util';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { AnyFunction } from '../../base/any-function.js';
import { isReadableError, thrownText } from '../../base/errors.js';
import { control } from '../../event-loop/control.js';
import { EventLoop, withLoop } from '../../event-loop/event-loop.js';
import { callerAt } from '../../execution/callers.js';
import { ATOMIC_KINDS, NOTIFY, WAIT } from '../../execution/memory/access.js';
import { noMethod } from '../../execution/program.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import type { Scenario } from '../scenario/scenario.js';
import {
  AT_LAST,
  ATTACH,
  CALL,
  Channel,
  GONE,
  LIMITED,
  OVERRAN,
  READY,
  REFUSED,
  RETURNED,
  STAYS,
  THREAD,
  THREW,
} from './channel.js';
import { Elements } from './elements.js';
import { Abandoned, type Access, Gate, type Spot, type View } from './gate.js';

/**
 * The result of a call. If it is a promise, the event loop of the thread runs until it settles. A thread that waits by
 * `Atomics.waitAsync` sleeps; if a timer is pending, the timer may fire first.
 */
function settled(result: unknown, loop: EventLoop, gate: Gate, waiters: AsyncWaiter[]): unknown {
  if (!(result instanceof Promise)) return result;
  let settle: (() => unknown) | undefined;
  result.then(
    (value) => {
      settle = () => value as unknown;
    },
    (error: unknown) => {
      settle = () => {
        throw error as Error;
      };
    },
  );
  for (loop.drain(); settle === undefined; loop.drain()) runNextEvent(loop, gate, waiters);
  return settle();
}

/** No microtask is left: runs the next macrotask, or sleeps until another thread notifies this one. */
function runNextEvent(loop: EventLoop, gate: Gate, waiters: AsyncWaiter[]): void {
  if (gate.isAbandoned) throw new Abandoned();
  const [task] = loop.enabled();
  const [waiter] = waiters;
  if (waiter === undefined) {
    if (task === undefined) gate.sleepForever();
    loop.fire(task);
    return;
  }
  const isLimited = waiter.timeout < Number.POSITIVE_INFINITY;
  const woken = gate.sleep(task ? LIMITED | STAYS : isLimited ? LIMITED : 0);
  if (woken < 0 && task) loop.fire(task);
  else {
    const [gone] = waiters.splice(Math.max(0, woken), 1);
    gone.wake(woken < 0 ? 'timed-out' : 'ok');
  }
}

/** The data with which a thread starts. */
export interface ThreadData {
  readonly module: string;
  readonly words: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** The data of an execution. */
export interface Beginning {
  readonly shared: unknown;
  /** All shared memory in `shared`; accesses name a buffer by its index. */
  readonly buffers: readonly SharedArrayBuffer[];
  readonly calls: readonly PlainCall[];
  /** Does the thread send the source position of each access? */
  readonly isTraced: boolean;
}

/** The outcome of a call, or the reason why the thread cannot continue. */
export type Ended =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly message: string; readonly code?: unknown } };

/** Inputs of an event loop that read the time. */
const CLOCKS = ['Date', 'Date.now', 'new Date', 'performance.now', 'process.hrtime'] as const;

/** `load` imports the scenario. It is called after all functions that the scenario may save have been replaced. */
export async function serveCalls({ words, port }: ThreadData, load: () => Promise<Scenario>): Promise<void> {
  const channel = new Channel(THREAD, words);
  const gate = new Gate(channel, port);
  control();
  const elements = new Elements(gate);
  const atomics = new GatedAtomics(gate, elements);
  atomics.install();
  elements.install();
  elements.installViews();
  try {
    const scenario = await load();
    // microtasks can be drained only in a macrotask of its own
    setImmediate(() => {
      process.on('exit', () => {
        channel.says(GONE);
        channel.pass();
      });
      new Server(scenario, channel, port, gate, atomics.waiters).run();
    });
  } catch (error) {
    port.postMessage({ error: describeError(error) } satisfies Ended);
    channel.says(REFUSED);
    channel.pass();
  }
}

class Server {
  readonly #scenario: Scenario;
  readonly #channel: Channel;
  readonly #port: MessagePort;
  readonly #gate: Gate;
  readonly #waiters: AsyncWaiter[];
  #loop = new EventLoop();
  #object: object = {};
  #calls: readonly PlainCall[] = [];

  constructor(scenario: Scenario, channel: Channel, port: MessagePort, gate: Gate, waiters: AsyncWaiter[]) {
    this.#scenario = scenario;
    this.#channel = channel;
    this.#port = port;
    this.#gate = gate;
    this.#waiters = waiters;
  }

  run(): never {
    for (let says = READY; ; says = this.#obey()) {
      this.#channel.says(says);
      this.#channel.pass();
      this.#channel.await();
      this.#channel.flags = 0;
      this.#channel.spins = 0;
    }
  }

  #obey(): number {
    if (this.#channel.command === ATTACH) return this.#attach();
    return this.#channel.command === CALL ? this.#call(this.#calls[this.#channel.given]) : READY;
  }

  #attach(): number {
    const { shared, buffers, calls, isTraced } = receiveMessageOnPort(this.#port)!.message as Beginning;
    this.#gate.reset(buffers, isTraced);
    this.#waiters.length = 0;
    const loop = new EventLoop();
    this.#loop = loop;
    this.#gate.repeats.isTimed = () => CLOCKS.some((clock) => loop.usedInputs.has(clock));
    this.#calls = calls;
    try {
      const attach = (this.#scenario.attach ?? ((given: never) => given)) as (given: unknown) => object;
      this.#object = withLoop(this.#loop, () => attach(shared));
      return READY;
    } catch (error) {
      this.#port.postMessage({ error: describeError(error) } satisfies Ended);
      return THREW;
    }
  }

  #call([method, ...args]: PlainCall): number {
    const gate = this.#gate;
    const called = this.#functionOf(method, args);
    if (called === undefined)
      return this.#refuse(`the object that \`attach\` makes ${noMethod(this.#object, method)}`);
    gate.repeats.begin(`${method}(${inspect(args)})`);
    gate.isClosed = true;
    let ended: Ended;
    try {
      ended = {
        value: withLoop(this.#loop, () => settled(called(), this.#loop, gate, this.#waiters)),
      };
    } catch (error) {
      ended = { error: describeError(error) };
    }
    // pending microtasks of an abandoned call must not run in the next execution
    if (gate.isAbandoned) withLoop(this.#loop, () => this.#loop.drain());
    gate.isClosed = false;
    if (gate.isAbandoned) return READY;
    if (gate.repeats.hasOverrun()) return OVERRAN;
    try {
      this.#port.postMessage(ended);
    } catch {
      return this.#refuse(
        `${method} returns a value that cannot be sent to another thread; let it return plain values in \`methods\``,
      );
    }
    return 'value' in ended ? RETURNED : THREW;
  }

  #refuse(message: string): number {
    this.#port.postMessage({ error: { name: 'Error', message } } satisfies Ended);
    return REFUSED;
  }

  #functionOf(method: string, args: unknown[]): (() => unknown) | undefined {
    const { methods } = this.#scenario;
    if (Object.hasOwn(methods, method)) return () => (methods[method] as AnyFunction)(this.#object, ...args);
    const object = this.#object as Record<string, unknown>;
    return typeof object[method] === 'function' ? () => (object[method] as AnyFunction)(...args) : undefined;
  }
}

function describeError(error: unknown): Extract<Ended, { error: object }>['error'] {
  if (!isReadableError(error)) return { name: thrownText(error), message: '' };
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  return { name, message, ...((typeof code === 'string' || typeof code === 'number') && { code }) };
}

// `Atomics` behind a gate. Every access is performed once the scheduler grants it. Only waiting is simulated: a waiting thread
// continues when the scheduler reports that it was woken.

type AnyAtomic = (view: View, index: number, ...args: unknown[]) => number | bigint;
type Woken = 'ok' | 'timed-out';

/** The functions of `Atomics` before they are replaced. */
const real = Object.fromEntries(
  Object.getOwnPropertyNames(Atomics).map((name) => [name, Reflect.get(Atomics, name) as AnyAtomic]),
);

/** More waiters than there can be. */
const ALL = 2 ** 30;

/** A wait by `Atomics.waitAsync`. */
interface AsyncWaiter {
  readonly timeout: number;
  readonly wake: (how: Woken) => void;
}

class GatedAtomics {
  /** Waits that do not block the thread, in the order of their start. */
  readonly waiters: AsyncWaiter[] = [];
  readonly #gate: Gate;
  readonly #elements: Elements;

  constructor(gate: Gate, elements: Elements) {
    this.#gate = gate;
    this.#elements = elements;
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
    const at = this.#elements.numbered(callerAt(true));
    const access: Access = { kind: ATOMIC_KINDS[name], request, spot, view, index, stores: args[0], at };
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
    const at = this.#elements.numbered(callerAt(true));
    const access: Access = { kind: WAIT, request: `wait ${spot.join()} ${value}`, spot, view, index, at };
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
