/**
 * The event loop of one execution: tasks that wait for their turn, in virtual time.
 *
 * A task is what the real loop calls: a client's call, a timer, an immediate, an answer from outside. Between
 * two of them all ticks and microtasks run, as in Node. Which task comes next is up to whoever drives the loop,
 * among those that Node could run next:
 *
 *   timers       by their expiry, those of equal expiry in their order; but any timer may be late, so
 *                others may be set in the meantime and expire first or not. Each task is an instant, and
 *                only what must lie between two instants is known (base/algorithms/difference-constraints.ts).
 *   immediates   in their order; one that was set in an answer from outside comes before all timers
 *   others       whenever they like
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { DifferenceConstraints } from '../base/algorithms/difference-constraints.js';
import { Random } from '../base/random.js';
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
  /** What happens, for people. */
  readonly does: string;
  readonly run: () => void;
  /** The operation that it belongs to, if that is known. */
  operation?: number | undefined;
  /** Where in the source it was set up, if anybody asked. */
  place?: string | undefined;
}

interface Pending extends Task {
  readonly id: number;
  /** The instant in which it was set up, the kind of task that was, and how long after that it may run. */
  readonly since: number;
  readonly during: TaskKind | undefined;
  readonly delay: number;
}

/** Tasks are numbered as they are set up. */
export const numberOf = (task: Task): number => (task as Pending).id;

/** What all timers, and all immediates, share with their kind; and all who ask for luck. */
export const TIME: object = {};
const IMMEDIATES: object = {};
const LUCK: object = {};

/** What makes an order between timers that would expire together. */
const A_LITTLE = 0.001;

export class EventLoop {
  /** All that wait, in the order in which they were set up. */
  readonly tasks: Pending[] = [];
  /** Callbacks of process.nextTick. */
  readonly ticks: (() => void)[] = [];
  /** Timers by what they are as a number. */
  readonly timers: object[] = [];
  /** Sources of luck and time that were asked for, by name. */
  readonly asked: Set<string> = new Set();
  readonly #luck: Random = new Random(0);
  /** Told of each task that is set up. */
  onTask: ((task: Task) => void) | undefined;
  /** Told of each task that is taken back, and of whatever tasks may get into each other's way by: the clock, luck. */
  onRemove: ((task: Task) => void) | undefined;
  onUse: ((used: object) => void) | undefined;
  readonly #time = new DifferenceConstraints();
  #now = 0;
  #running: TaskKind | undefined;
  #ids = 0;

  add(task: Task, delay = 0): Task {
    const pending: Pending = Object.assign(task, {
      id: this.#ids++,
      since: this.#now,
      during: this.#running,
      delay,
    });
    this.tasks.push(pending);
    this.#use(task);
    this.onTask?.(task);
    return task;
  }

  remove(task: Task): void {
    if (!this.#take(task)) return;
    this.onRemove?.(task);
  }

  #take(task: Task): boolean {
    const place = this.tasks.indexOf(task as Pending);
    if (place < 0) return false;
    this.tasks.splice(place, 1);
    this.#use(task);
    return true;
  }

  /** A timer may be too soon because of an immediate. */
  #use({ kind }: Task): void {
    if (kind === 'timer') this.onUse?.(TIME);
    if (kind === 'immediate' || kind === 'timer') this.onUse?.(IMMEDIATES);
  }

  /** The tasks that can be next. */
  enabled(): Task[] {
    const immediates = this.tasks.filter(({ kind }) => kind === 'immediate');
    const timers = this.tasks.filter(({ kind }) => kind === 'timer');
    const isTooSoon = immediates.some(({ during }) => during === 'answer');
    return this.tasks.filter((task) => {
      if (task.kind === 'immediate') return task === immediates[0];
      if (task.kind !== 'timer') return true;
      return (
        !isTooSoon && (timers.length === 1 || this.#time.isConsistentWith(() => this.#expiresFirst(task)))
      );
    });
  }

  /** Runs one of them; what it leaves to microtasks is not done yet. */
  fire(task: Task): void {
    const { kind, since, delay } = task as Pending;
    const now = this.#time.addInstant();
    if (kind === 'timer') {
      this.#expiresFirst(task as Pending);
      this.#time.addBound(since, now, delay);
    }
    this.#time.addBound(this.#now, now, 0);
    this.#now = now;
    this.#running = kind;
    this.#take(task);
    task.run();
  }

  /** Runs ticks and microtasks until none is left. Returns the reasons of rejections that nothing handles. */
  drain(): readonly unknown[] {
    do {
      for (let tick = this.ticks.shift(); tick !== undefined; tick = this.ticks.shift()) tick();
      runMicrotasks();
    } while (this.ticks.length > 0);
    return withLoop(undefined, unhandledRejections);
  }

  /** Chance, for who asks by this name. */
  luck(name: string): Random {
    this.asked.add(name);
    this.onUse?.(LUCK);
    return this.#luck;
  }

  /** Milliseconds since the execution began. Once it has been looked at, the clock is what it was. */
  now(): number {
    this.onUse?.(TIME);
    const time = this.#time.earliest(this.#now);
    this.#time.addBound(0, this.#now, time);
    this.#time.addBound(this.#now, 0, -time);
    return time;
  }

  #expiresFirst({ id, since, delay }: Pending): void {
    for (const other of this.tasks)
      if (other.kind === 'timer' && other.id !== id)
        this.#time.addBound(since, other.since, delay - other.delay + (other.id < id ? A_LITTLE : 0));
  }
}

/* The event loop that user code runs on just now, if it does. */

let current: EventLoop | undefined;

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

/* The operation whose code runs just now, through all its awaits; known while somebody watches. */

const operations = new AsyncLocalStorage<number>();

export const currentOperation = (): number | undefined => operations.getStore();

export const inside = <T>(operation: number, run: () => T): T => operations.run(operation, run);

/** What stands for something outside is no operation's. */
export const outside = <T>(run: () => T): T => operations.exit(run);
