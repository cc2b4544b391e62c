/**
 * A thread that makes calls, one execution after another: it builds its object over what is shared, makes the calls that it is
 * told to make, and says how each has ended.
 *
 * Where a method returns a promise the thread runs its own event loop until that settles, timers in their order; who has come
 * to wait by `Atomics.waitAsync`, and has nothing else to do, sleeps.
 */
import { inspect } from 'node:util';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { control } from '../async/control.js';
import { withLoop } from '../async/current-loop.js';
import { EventLoop } from '../async/event-loop.js';
import type { Scenario } from '../scenario.js';
import type { PlainCall } from '../transform/index.js';
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
import { Abandoned, Gate } from './gate.js';

/** What a thread is given when it begins. */
export interface ThreadData {
  readonly module: string;
  readonly words: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** What it is given for an execution. */
export interface Beginning {
  readonly shared: unknown;
  /** All memory in it that threads share, in some order. */
  readonly buffers: readonly SharedArrayBuffer[];
  readonly calls: readonly PlainCall[];
  /** Should it say where each access stands? */
  readonly isTraced: boolean;
}

/** How a call has ended, or why the thread can not go on. */
export type Ended =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly message: string } };

type AnyFunction = (...args: unknown[]) => unknown;

/** `load` fetches the scenario, once all that it may keep has been replaced. */
export async function serveCalls({ words, port }: ThreadData, load: () => Promise<Scenario>): Promise<void> {
  const channel = new Channel(THREAD, words);
  const gate = new Gate(channel, port);
  control();
  gate.close();
  try {
    const scenario = await load();
    // microtasks can be run at will only in a task of one's own
    setImmediate(() => {
      process.on('exit', () => {
        channel.says(GONE);
        channel.pass();
      });
      new Server(scenario, channel, port, gate).run();
    });
  } catch (error) {
    port.postMessage({ error: told(error) } satisfies Ended);
    channel.says(REFUSED);
    channel.pass();
  }
}

class Server {
  readonly #scenario: Scenario;
  readonly #channel: Channel;
  readonly #port: MessagePort;
  readonly #gate: Gate;
  #loop = new EventLoop();
  #object: object = {};
  #calls: readonly PlainCall[] = [];

  constructor(scenario: Scenario, channel: Channel, port: MessagePort, gate: Gate) {
    this.#scenario = scenario;
    this.#channel = channel;
    this.#port = port;
    this.#gate = gate;
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
    this.#loop = new EventLoop();
    this.#calls = calls;
    try {
      const attach = (this.#scenario.attach ?? ((given: never) => given)) as (given: unknown) => object;
      this.#object = withLoop(this.#loop, () => attach(shared));
      return READY;
    } catch (error) {
      this.#port.postMessage({ error: told(error) } satisfies Ended);
      return THREW;
    }
  }

  #call([method, ...args]: PlainCall): number {
    const gate = this.#gate;
    gate.repeats.begin(`${method}(${inspect(args)})`);
    gate.isClosed = true;
    let ended: Ended;
    try {
      ended = { value: withLoop(this.#loop, () => this.#settled(this.#run(method, args))) };
    } catch (error) {
      ended = { error: told(error) };
    }
    // what it has left to microtasks must not come into the next execution
    if (gate.isAbandoned) withLoop(this.#loop, () => this.#loop.drain());
    gate.isClosed = false;
    if (gate.isAbandoned) return READY;
    if (gate.repeats.hasOverrun()) return OVERRAN;
    try {
      this.#port.postMessage(ended);
    } catch {
      this.#port.postMessage({ error: unsent(method) } satisfies Ended);
      return REFUSED;
    }
    return 'value' in ended ? RETURNED : THREW;
  }

  #run(method: string, args: unknown[]): unknown {
    const { methods } = this.#scenario;
    if (Object.hasOwn(methods, method)) return (methods[method] as AnyFunction)(this.#object, ...args);
    return (this.#object as Record<string, AnyFunction>)[method](...args);
  }

  /** What a promise comes to, when it does. */
  #settled(result: unknown): unknown {
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
    for (this.#loop.drain(); settle === undefined; this.#loop.drain()) this.#pass();
    return settle();
  }

  /** Nothing goes on by itself: the next task, or somebody wakes the thread. */
  #pass(): void {
    const gate = this.#gate;
    if (gate.isAbandoned) throw new Abandoned();
    const [task] = this.#loop.enabled();
    const [waiter] = gate.waiters;
    if (waiter === undefined) {
      if (task === undefined) gate.sleepForEver();
      this.#loop.fire(task);
      return;
    }
    const isLimited = waiter.timeout < Number.POSITIVE_INFINITY;
    const isWoken = gate.sleep(waiter.place, task ? LIMITED | STAYS : isLimited ? LIMITED : 0);
    if (!isWoken && task) this.#loop.fire(task);
    else {
      gate.waiters.shift();
      waiter.wake(isWoken ? 'ok' : 'timed-out');
    }
  }
}

const told = (error: unknown): { name: string; message: string } =>
  error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: String(error), message: String(error) };

const unsent = (method: string) => ({
  name: 'DataCloneError',
  message: `${method} returns what can not be given to another thread; let it answer with plain values in \`methods\``,
});
