/**
 * What a promise comes to in a thread: its own event loop runs until it settles, timers in their order. Who has come to wait by
 * `Atomics.waitAsync` sleeps; if there are timers, one may also come first.
 */
import type { EventLoop } from '../../event-loop/event-loop.js';
import { LIMITED, STAYS } from './channel.js';
import { Abandoned, type Gate } from './gate.js';
import type { AsyncWaiter } from './gated-atomics.js';

export function settled(result: unknown, loop: EventLoop, gate: Gate, waiters: AsyncWaiter[]): unknown {
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
  for (loop.drain(); settle === undefined; loop.drain()) goOn(loop, gate, waiters);
  return settle();
}

/** Nothing goes on by itself: the next task, or somebody wakes the thread. */
function goOn(loop: EventLoop, gate: Gate, waiters: AsyncWaiter[]): void {
  if (gate.isAbandoned) throw new Abandoned();
  const [task] = loop.enabled();
  const [waiter] = waiters;
  if (waiter === undefined) {
    if (task === undefined) gate.sleepForEver();
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
