/**
 * The event loop of one execution: macrotasks that are pending, in virtual time.
 *
 * A macrotask is a callback of the real loop: a client's call, an abort or an answer from outside (poll phase), a timer
 * (timers phase), an immediate (check phase). After each of them all ticks and microtasks run, as in Node. The driver of the
 * execution chooses the next macrotask among those that Node could run (loop-state.ts).
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { Random } from '../base/random.js';
import type { Getters } from '../instrument/tracing/locations.js';
import { type LoopEvent, LoopState } from './loop-state.js';
import { runMicrotasks, unhandledRejections } from './own-task.js';

type TaskKind = 'call' | 'timer' | 'immediate' | 'answer' | 'abort';

/** A timer or an immediate, as Node hands it out. */
export interface Handle {
  readonly isRepeated: boolean;
  /** How often it has fired. */
  readonly firings: number;
  hasRef(): boolean;
}

export interface Task {
  readonly kind: TaskKind;
  readonly handle?: Handle;
  /** For reports. */
  readonly does: string;
  readonly run: () => void;
  /** The operation that it belongs to, if that is known. */
  operation?: number | undefined;
  /** What it holds, if that is known. A timer holds more. */
  readonly held?: Getters;
  /** Where in the source it was set, if a watcher recorded it. */
  place?: string | undefined;
  /** Tasks of an execution are numbered in the order in which they were set. */
  number?: number;
}

/** Resources that tasks share: timers, the clock, the phase of the loop, random numbers. */
export const TIME: object = {};
/** Every macrotask takes time, so what the clock shows depends on all of them. */
export const CLOCK: object = {};
const PHASE: object = {};
export const RANDOMNESS: object = {};
/** How many timers were set before. */
export const TIMER_NUMBERS: object = {};

export class EventLoop {
  /** The pending tasks, in the order in which they were set. */
  readonly tasks: Task[] = [];
  /** Callbacks of process.nextTick. */
  readonly ticks: (() => void)[] = [];
  /** Callbacks of queueMicrotask that have begun. */
  microtasks = 0;
  /** Timers by their primitive value. */
  readonly timers: object[] = [];
  /** Sources of time and randomness that were used, by name. */
  readonly usedInputs: Set<string> = new Set();
  readonly random: Random = new Random(0);
  onTask: ((task: Task) => void) | undefined;
  onRemove: ((task: Task) => void) | undefined;
  /** Reports an access to a resource that tasks share. */
  onUse: ((resource: object, isRead?: boolean) => void) | undefined;
  #state = LoopState.start(false);
  #hasClock = false;
  /** What led to the state. */
  readonly #events: LoopEvent[] = [];
  /** Pending timers in the order of the state, and immediates: those of this check phase, then those of the next. */
  readonly #timers: Task[] = [];
  readonly #immediates: Task[] = [];
  #count = 0;

  /** Sets a task; a timer has a duration. */
  add(task: Task, duration = 0): Task {
    if (task.kind === 'timer') this.#apply('set', duration);
    return this.#added(task);
  }

  #added(task: Task): Task {
    task.number = this.#count++;
    this.tasks.push(task);
    if (task.kind === 'timer') this.#timers.push(task);
    if (task.kind === 'immediate') {
      this.#apply('set immediate');
      this.#immediates.push(task);
    }
    this.#use(task);
    this.onTask?.(task);
    return task;
  }

  remove(task: Task): void {
    if (!this.tasks.includes(task)) return;
    if (task.kind === 'timer') this.#apply('clear', this.#timers.indexOf(task), task.handle?.hasRef());
    if (task.kind === 'immediate') this.#apply('clear immediate', this.#immediates.indexOf(task));
    this.#take(task);
    this.onRemove?.(task);
  }

  /** Restarts a pending timer: another task takes its place, as the last of its list. */
  refresh(task: Task, instead: Task): Task {
    this.#apply('refresh', this.#timers.indexOf(task));
    this.#take(task);
    this.onRemove?.(task);
    return this.#added(instead);
  }

  /** Sets a repeating timer again, after its callback, which may have refreshed it. Node read the clock before the callback. */
  repeat(task: Task, duration: number, refreshed: Task | undefined): Task {
    if (refreshed) {
      this.#apply('clear', this.#timers.indexOf(refreshed), false);
      this.#take(refreshed);
      this.onRemove?.(refreshed);
    }
    this.#apply('repeat', duration);
    return this.#added(task);
  }

  #take(task: Task): void {
    for (const list of [this.tasks, this.#timers, this.#immediates]) {
      const at = list.indexOf(task);
      if (at >= 0) list.splice(at, 1);
    }
    this.#use(task);
  }

  #use({ kind }: Task): void {
    if (kind === 'timer') this.onUse?.(TIME);
    if (kind === 'immediate' || kind === 'timer') this.onUse?.(PHASE);
    // a callback from outside changes the phase, which matters only to immediates
    else if (this.#immediates.length > 0) this.onUse?.(PHASE, true);
  }

  #apply(...event: LoopEvent): void {
    this.#events.push(event);
    this.#state = this.#state.after(event);
  }

  /** Equal numbers, equal states: the same callbacks can be next, now and later. */
  get stateNumber(): number {
    return this.#state.number;
  }

  /** Can a callback from outside be next? */
  get hasExternal(): boolean {
    return this.#state.next.hasExternal;
  }

  /** The tasks that can be next. */
  enabled(): Task[] {
    const { timers, hasImmediate, hasExternal } = this.#state.next;
    return this.tasks.filter((task) => {
      if (task.kind === 'timer') return timers.has(this.#timers.indexOf(task));
      return task.kind === 'immediate' ? hasImmediate && task === this.#immediates[0] : hasExternal;
    });
  }

  /** Runs an enabled task, or an abort; its ticks and microtasks are left to `drain`. */
  fire(task: Task): void {
    const { kind, handle } = task;
    if (kind === 'timer') this.#apply('run timer', this.#timers.indexOf(task), handle?.isRepeated);
    else this.#apply(kind === 'immediate' ? 'run immediate' : 'run external');
    this.#take(task);
    task.run();
    this.#apply('end callback');
    if (kind !== 'timer' && kind !== 'immediate') this.#use(task);
  }

  /** Runs ticks and microtasks until none is left. Returns the reasons of rejections that nothing handles. */
  drain(): readonly unknown[] {
    do {
      for (let tick = this.ticks.shift(); tick !== undefined; tick = this.ticks.shift()) tick();
      runMicrotasks();
    } while (this.ticks.length > 0);
    return withLoop(undefined, unhandledRejections);
  }

  /** Runs the microtasks of an execution that was abandoned, so that no other execution does. */
  discard(): void {
    do {
      this.ticks.length = 0;
      runMicrotasks();
    } while (this.ticks.length > 0);
    withLoop(undefined, unhandledRejections);
  }

  /** Random numbers for a function of this name. */
  randomFor(name: string): Random {
    this.usedInputs.add(name);
    this.onUse?.(RANDOMNESS);
    return this.random;
  }

  /** Milliseconds since the start of the execution: as few as possible. What was read stays true. */
  now(): number {
    this.onUse?.(CLOCK);
    if (!this.#hasClock) {
      this.#hasClock = true;
      this.#state = this.#events.reduce((state, event) => state.after(event), LoopState.start(true));
    }
    const { time } = this.#state;
    this.#apply('fix time', time);
    return time;
  }
}

let current: EventLoop | undefined;

/** The event loop that user code runs on, if it does. */
export const currentLoop = (): EventLoop | undefined => current;

export function withLoop<T>(loop: EventLoop | undefined, run: () => T): T {
  const before = current;
  current = loop;
  try {
    return run();
  } finally {
    current = before;
  }
}

const operations = new AsyncLocalStorage<number>();

/** The operation whose code runs, through all its awaits; known while a watcher uses `inside`. */
export const currentOperation = (): number | undefined => operations.getStore();

export const inside = <T>(operation: number, run: () => T): T => operations.run(operation, run);

const served = new AsyncLocalStorage<number>();

/** The operation for which a stub runs, through all awaits of the stub. */
export const servedOperation = (): number | undefined => served.getStore();

/** Runs code that belongs to no operation: what a stub stands for. `caller`: the operation that has called the stub, if it is known. */
export const outside = <T>(run: () => T, caller: number | undefined): T =>
  operations.exit(caller === undefined ? run : () => served.run(caller, run));

// Limits for repeating timers, or else they could fire forever before the next call: firings of each while another macrotask
// is enabled, and of each in sequence if none is pending.
//
// The first limit does not count while other timers are pending and can fire only after a repeating one. In a quiescent run a
// call that polls may also end before the next call starts, as it would alone: once its timer fires a third time, no call
// starts until the timer is cleared or reaches the second limit.

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
