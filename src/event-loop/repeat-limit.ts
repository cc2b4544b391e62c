/**
 * Limits for repeating timers, or else they could fire forever before the next call: firings of each while another macrotask
 * is enabled, and of each in sequence if none is pending.
 *
 * The first limit does not count while other timers are pending and can fire only after a repeating one. In a quiescent run a
 * call that polls may also end before the next call starts, as it would alone: once its timer fires a third time, no call
 * starts until the timer is cleared or reaches the second limit.
 */
import type { EventLoop, Task } from './event-loop.js';

const MOST_FIRINGS = 2;
const MOST_IDLE_FIRINGS = 10;

/** Has a repeating timer fired as often as a call that polls alone may let it fire? */
export const isExhausted = ({ handle }: Task): boolean =>
  handle?.isRepeated === true && handle.firings >= MOST_FIRINGS + MOST_IDLE_FIRINGS;

const isSingle = ({ kind, handle }: Task): boolean => kind === 'timer' && !handle?.isRepeated;

/** The limits in one execution. */
export class RepeatLimit {
  /** Repeating timer to its firings beyond the first limit since another task ran. */
  readonly #idle = new Map<Task['handle'], number>();
  /** The timer of a call that polls in a quiescent run, and its firings in sequence. */
  #polling: Task['handle'];
  #polls = 0;

  /**
   * Those of the enabled tasks that may be next; none if only repeating timers are pending and they had no effect.
   * `polls`: in a quiescent run, does a call in progress poll with this repeating timer?
   */
  limit(enabled: readonly Task[], loop: EventLoop, polls?: (task: Task) => boolean): readonly Task[] {
    const next = this.#next(enabled, loop.tasks, polls);
    if (next.length < enabled.length) loop.usedInputs.add('setInterval');
    return next;
  }

  #next(
    enabled: readonly Task[],
    pending: readonly Task[],
    polls?: (task: Task) => boolean,
  ): readonly Task[] {
    const others = enabled.filter(({ handle }) => !handle?.isRepeated || handle.firings < MOST_FIRINGS);
    if (others.length === 0 && pending.every(({ handle }) => handle?.isRepeated))
      return enabled.filter(({ handle }) => (this.#idle.get(handle) ?? 0) < MOST_IDLE_FIRINGS);
    if (others.length === 0 || (pending.some(isSingle) && !enabled.some(isSingle))) return enabled;
    if (!polls || others.some(({ kind }) => kind !== 'call')) return others;
    const polling = enabled.filter((task) => !others.includes(task) && polls(task));
    const same = this.#polls > 0 && polling.find(({ handle }) => handle === this.#polling);
    if (same) return this.#polls < MOST_IDLE_FIRINGS ? [same] : others;
    return [...others, ...polling];
  }

  /** The execution has ended. A repeating timer that is pending could have fired more often. */
  ends({ tasks, usedInputs }: EventLoop): void {
    if (tasks.some(({ handle }) => handle?.isRepeated)) usedInputs.add('setInterval');
  }

  fires({ handle }: Task): void {
    const isPolling = handle?.isRepeated && handle.firings >= MOST_FIRINGS;
    if (!handle?.isRepeated) this.#idle.clear();
    else if (isPolling) this.#idle.set(handle, (this.#idle.get(handle) ?? 0) + 1);
    this.#polls = !isPolling ? 0 : handle === this.#polling ? this.#polls + 1 : 1;
    this.#polling = isPolling ? handle : undefined;
  }
}
