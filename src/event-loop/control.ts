/**
 * Replaces what Node offers to run code later, to read the clock and to draw random numbers. While an execution runs, these
 * functions belong to its virtual event loop; otherwise they are Node's own.
 *
 * A module may copy a function into a variable when it is loaded, so the replacement comes first. `foreignIn` finds
 * handles that it missed.
 */
import { createHook } from 'node:async_hooks';
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers';
import timerPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AnyFunction } from '../base/any-function.js';
import { callerPlace } from '../execution/callers.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { registerStandIn } from '../instrument/model/effects.js';
import { currentLoop, type EventLoop } from './event-loop.js';
import { beforeOwnTasks } from './own-task.js';
import { type Callback, clear, repeatEvery, Timer, waitFor, waitForImmediate } from './timers.js';

/** When executions begin, by their clock. */
const BEGINNING = Date.UTC(2000, 0, 1);

/** Puts one function where it belongs, unless it is there. Returns whether it was missing. */
type Installation = () => boolean;
const installations: Installation[] = [];

/** Other code may put Node's functions back. Vitest does so with `process.nextTick`, sometimes for good. */
export function control(): void {
  checkNotFaked();
  if (installations.length === 0) {
    controlTimers();
    controlPromises();
    controlClock();
    controlRandomness();
    controlAtomics();
    beforeOwnTasks(control);
  }
  if (installations.map((install) => install()).includes(true)) syncBuiltinESMExports();
}

function install(owner: object, name: string, made: unknown): void {
  installations.push(() => {
    if ((owner as Record<string, unknown>)[name] === made) return false;
    Object.defineProperty(owner, name, { value: made, writable: true, configurable: true, enumerable: true });
    return true;
  });
}

/** Fake timers of a test runner stand in front of the virtual event loop: its timers would never expire. */
function checkNotFaked(): void {
  const { nextTick, hrtime } = process;
  const times = [globalThis.Date, performance.now, hrtime, nextTick, queueMicrotask];
  const faked = [setTimeout, setInterval, setImmediate, ...times]
    .map((one) => one as unknown as Readonly<Record<string, unknown>>)
    .some(
      ({ clock, isFake, _isMockFunction, name }) =>
        (clock ?? isFake ?? _isMockFunction) || /^fake/.test(String(name)),
    );
  if (!faked) return;
  throw new ScenarioError(
    'fake timers are installed; exploration has its own virtual time. Call vi.useRealTimers() or jest.useRealTimers() before it',
  );
}

/** Replaces a function while an execution runs; `real` is the function of Node. */
function replace<T extends object, K extends keyof T & string>(
  owner: T,
  name: K,
  instead: (real: T[K]) => AnyFunction,
): void {
  const real = owner[name] as T[K];
  const made = instead((real as AnyFunction).bind(owner) as T[K]);
  Object.defineProperty(made, 'name', { value: name });
  registerStandIn(made, real as AnyFunction);
  install(owner, name, made);
}

function controlTimers(): void {
  for (const owner of [globalThis, nodeTimers]) {
    replace(owner, 'setTimeout', (real) => {
      const made = (callback: Callback, duration?: unknown, ...args: unknown[]) => {
        const loop = currentLoop();
        return loop
          ? new Timer(loop, callback, args, { kind: 'timer', duration })
          : real(callback, duration as number, ...args);
      };
      return Object.assign(made, { [promisify.custom]: waitFor(timerPromises.setTimeout as never) });
    });
    replace(owner, 'setInterval', (real) => (callback: Callback, duration?: unknown, ...args: unknown[]) => {
      const loop = currentLoop();
      return loop
        ? new Timer(loop, callback, args, { kind: 'timer', duration, isRepeated: true })
        : real(callback, duration as number, ...args);
    });
    replace(owner, 'setImmediate', (real) => {
      const made = (callback: Callback, ...args: unknown[]) => {
        const loop = currentLoop();
        return loop ? new Timer(loop, callback, args, { kind: 'immediate' }) : real(callback, ...args);
      };
      return Object.assign(made, {
        [promisify.custom]: waitForImmediate(timerPromises.setImmediate as never),
      });
    });
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'] as const)
      replace(owner, name, (real) => (timer: unknown) => {
        if (!clear(currentLoop(), timer)) (real as (timer: unknown) => void)(timer);
      });
  }
  replace(process, 'nextTick', (real) => (callback: Callback, ...args: unknown[]) => {
    const loop = currentLoop();
    if (loop) loop.ticks.push(() => callback(...args));
    else real(callback, ...args);
  });
  // it is real, but counted
  replace(globalThis, 'queueMicrotask', (real) => (callback: unknown) => {
    const loop = currentLoop();
    if (!loop || typeof callback !== 'function') return real(callback as () => void);
    real(() => {
      loop.microtasks++;
      (callback as () => void)();
    });
  });
}

function controlPromises(): void {
  const wait = waitFor(timerPromises.setTimeout as never);
  const waitImmediate = waitForImmediate(timerPromises.setImmediate as never);
  replace(timerPromises, 'setTimeout', () => wait);
  replace(timerPromises, 'setImmediate', () => waitImmediate);
  replace(timerPromises, 'setInterval', (real) => repeatEvery(real as never) as AnyFunction);
  replace(
    timerPromises.scheduler,
    'wait',
    () => (duration: number, options?: object) => wait(duration, undefined, options),
  );
  replace(timerPromises.scheduler, 'yield', () => () => waitImmediate());
  replace(AbortSignal, 'timeout', (real) => (duration: number) => {
    const loop = currentLoop();
    // Node refuses other durations
    if (!loop || !(Number.isInteger(duration) && duration >= 0 && duration < 2 ** 32)) return real(duration);
    const controller = new AbortController();
    const abort = () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    new Timer(loop, abort, [], { kind: 'timer', duration }).unref();
    return controller.signal;
  });
}

/** Milliseconds of the clock of the execution, for a function of this name. */
function clockOf(name: string): number | undefined {
  const loop = currentLoop();
  loop?.usedInputs.add(name);
  return loop?.now();
}

const RealDate = Date;

/** What `Date.now` returns, read by a function of this name. */
export function now(name: string): number {
  const time = clockOf(name);
  return time === undefined ? RealDate.now() : BEGINNING + Math.floor(time);
}

function controlClock(): void {
  // a module may copy it
  const virtualNow = () => now('Date.now');
  const isBare = (args: readonly unknown[]) => args.length === 0 && currentLoop() !== undefined;
  const VirtualDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, isBare(args) ? [now('new Date')] : args, newTarget) as object,
    apply: (target, self, args: unknown[]) =>
      isBare(args) ? new target(now('Date')).toString() : Reflect.apply(target, self, args as []),
    get: (target, name, self) => (name === 'now' ? virtualNow : (Reflect.get(target, name, self) as unknown)),
  });
  registerStandIn(virtualNow, RealDate.now);
  registerStandIn(VirtualDate as AnyFunction, RealDate as AnyFunction);
  install(globalThis, 'Date', VirtualDate);
  replace(performance, 'now', (real) => () => clockOf('performance.now') ?? real());
  const { bigint } = process.hrtime;
  replace(process, 'hrtime', (real) => {
    const made = (since?: [number, number]): [number, number] => {
      const time = clockOf('process.hrtime');
      if (time === undefined) return real(since);
      const nanoseconds = Math.floor(time * 1e6) - (since ? since[0] * 1e9 + since[1] : 0);
      return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
    };
    const madeBig = (): bigint => {
      const time = clockOf('process.hrtime');
      return time === undefined ? bigint() : BigInt(Math.floor(time * 1e6));
    };
    registerStandIn(madeBig, bigint);
    return Object.assign(made, { bigint: madeBig });
  });
}

function controlRandomness(): void {
  const randomFor = (name: string) => currentLoop()?.randomFor(name);
  replace(Math, 'random', (real) => () => {
    const random = randomFor('Math.random');
    return random ? random.below(2 ** 31) / 2 ** 31 : real();
  });
  for (const owner of [globalThis.crypto, nodeCrypto])
    replace(owner as typeof nodeCrypto, 'randomUUID', (real) => (options?: object) => {
      const random = randomFor('crypto.randomUUID');
      if (!random) return real(options);
      const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
      return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
    });
}

/*
 * `Atomics.waitAsync` and `Atomics.notify` of one thread. A notified waiter continues in a macrotask of its own, as in V8.
 * `Atomics.wait` would stop the thread that explores, so it is refused.
 */

type Ints = Int32Array | BigInt64Array;
type Woken = 'ok' | 'timed-out';

interface Waiter {
  readonly buffer: ArrayBufferLike;
  readonly offset: number;
  /** Continues, later. */
  readonly wake: (how: Woken) => void;
  timer: Timer | undefined;
}

/** Those who wait, first come first served. */
const waiters = new WeakMap<EventLoop, Waiter[]>();

const offsetOf = (ints: Ints, index: number): number => ints.byteOffset + index * ints.BYTES_PER_ELEMENT;

function controlAtomics(): void {
  const real = { wait: Atomics.wait, notify: Atomics.notify, waitAsync: realWaitAsync() };
  const notify = (ints: Ints, index: number, count = Number.POSITIVE_INFINITY): number => {
    const loop = currentLoop();
    if (!loop) return real.notify(ints as never, index, count);
    const waiting = waiters.get(loop) ?? [];
    const woken = waiting
      .filter(({ buffer, offset }) => buffer === ints.buffer && offset === offsetOf(ints, index))
      .slice(0, count);
    waiters.set(
      loop,
      waiting.filter((waiter) => !woken.includes(waiter)),
    );
    for (const { timer, wake } of woken) {
      timer?.close();
      loop.add({ kind: 'answer', does: 'Atomics.waitAsync is notified', run: () => wake('ok') });
    }
    return woken.length;
  };
  const waitAsync = (ints: Ints, index: number, value: number | bigint, timeout?: number): object => {
    const loop = currentLoop();
    if (!loop) return real.waitAsync(ints, index, value, timeout);
    if (Atomics.load(ints as Int32Array, index) !== value) return { async: false, value: 'not-equal' };
    if (timeout !== undefined && timeout <= 0) return { async: false, value: 'timed-out' };
    return { async: true, value: waiting(loop, ints, index, timeout) };
  };
  const wait = (ints: Ints, ...args: [number, number, number?]): string => {
    if (!currentLoop()) return real.wait(ints as Int32Array, ...args);
    throw new ScenarioError(
      'Atomics.wait stops the thread, and asynchronous code is explored on one: use the asynchronous form of the method',
    );
  };
  Object.assign(Atomics, { wait, notify, waitAsync });
}

function waiting(loop: EventLoop, ints: Ints, index: number, timeout: number | undefined): Promise<Woken> {
  return new Promise((wake) => {
    const waiter: Waiter = { buffer: ints.buffer, offset: offsetOf(ints, index), wake, timer: undefined };
    const list = waiters.get(loop) ?? [];
    waiters.set(loop, [...list, waiter]);
    if (timeout === undefined || timeout === Number.POSITIVE_INFINITY) return;
    const timedOut = () => {
      waiters.set(
        loop,
        (waiters.get(loop) ?? []).filter((other) => other !== waiter),
      );
      wake('timed-out');
    };
    waiter.timer = new Timer(loop, timedOut, [], { kind: 'timer', duration: timeout });
  });
}

type WaitAsync = (ints: Ints, index: number, value: number | bigint, timeout?: number) => object;

/** Not in the types of this library's target. */
function realWaitAsync(): WaitAsync {
  return (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync;
}

/** A handle that the event loop of an execution does not control: a socket, a file, a timer that was set before. */
export interface Foreign {
  /** Node's name for it. */
  readonly type: string;
  /** Where it was created. */
  readonly place: string;
}

/** Node's names for its handles and requests, and for its own timers. */
const NATIVE = /^(?!PROMISE$)[A-Z]+$|^(Timeout|Immediate)$/;

/** What Node's names stand for. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^FS/, 'a file operation'],
  [/^(TCP|PIPE|TLS|UDP|HTTP)/, 'a socket'],
  [/^(GETADDRINFO|GETNAMEINFO|QUERY|DNS)/, 'a DNS lookup'],
  [/^(PROCESS)/, 'a child process'],
  [/^(MESSAGEPORT|WORKER)/, 'a worker thread'],
  [/^(ZLIB|BROTLI)/, 'a compression'],
  [/^(Timeout|Immediate)$/, 'a timer of Node'],
];

function nativeName(type: string): string {
  const meaning = MEANINGS.find(([names]) => names.test(type));
  return meaning ? `${meaning[1]} (${type})` : type;
}

/**
 * The first foreign handle that is created while something runs. A call that waits for one would be blocked forever in the
 * exploration, but not in Node. Node's hooks cost too much to be on in every execution.
 */
export function foreignIn(run: () => void): Foreign | undefined {
  let found: Foreign | undefined;
  const hook = createHook({
    init(_id, type) {
      if (found === undefined && NATIVE.test(type)) found = { type: nativeName(type), place: callerPlace() };
    },
  });
  hook.enable();
  try {
    run();
  } finally {
    hook.disable();
  }
  return found;
}
