/**
 * `Atomics.waitAsync` and `Atomics.notify` of one thread, on the event loop of an execution: who is notified goes on in a task
 * of its own, as in V8. `Atomics.wait` would stop the thread that explores, so it is refused.
 */
import { ScenarioError } from '../execution/memory/program-error.js';
import { currentLoop, type EventLoop } from './event-loop.js';
import { Timer } from './timers.js';

type Ints = Int32Array | BigInt64Array;
type Woken = 'ok' | 'timed-out';

interface Waiter {
  readonly buffer: ArrayBufferLike;
  readonly offset: number;
  /** Goes on, later. */
  readonly wake: (how: Woken) => void;
  timer: Timer | undefined;
}

/** Those who wait, first come first served. */
const waiters = new WeakMap<EventLoop, Waiter[]>();

const offsetOf = (ints: Ints, index: number): number => ints.byteOffset + index * ints.BYTES_PER_ELEMENT;

export function controlAtomics(): void {
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
    waiter.timer = new Timer(loop, timedOut, [], { kind: 'timer', delay: timeout });
  });
}

type WaitAsync = (ints: Ints, index: number, value: number | bigint, timeout?: number) => object;

/** Not in the types of this library's target. */
function realWaitAsync(): WaitAsync {
  return (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync;
}
