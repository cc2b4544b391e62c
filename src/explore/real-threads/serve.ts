/**
 * The code of a thread. In each execution it creates its object over the shared memory, makes the calls that the scheduler
 * requests, and reports their outcomes.
 */

import { inspect } from 'node:util';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { AnyFunction } from '../../base/any-function.js';
import { control } from '../../event-loop/control.js';
import { EventLoop, withLoop } from '../../event-loop/event-loop.js';
import { noMethod } from '../../execution/program.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import type { Scenario } from '../scenario/scenario.js';
import {
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
import { Abandoned, Gate } from './gate.js';
import { type AsyncWaiter, GatedAtomics } from './gated-atomics.js';

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
  const atomics = new GatedAtomics(gate);
  atomics.install();
  const elements = new Elements(gate);
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
  if (!(error instanceof Error)) return { name: String(error), message: '' };
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  return { name, message, ...((typeof code === 'string' || typeof code === 'number') && { code }) };
}
