/**
 * The footprints of all steps of one execution, and which step has set up which task.
 *
 * Recorded code tells of its accesses (transform/record), the event loop of tasks, time and luck, Node of promises: who waits for one, and who
 * settles it. Once code was reached that tells nothing, that step and all that come after may do
 * anything, for nobody knows what that code has left behind.
 *
 * Objects are numbered when they are first seen; so in executions that begin alike they have the same numbers.
 */
import { promiseHooks } from 'node:v8';
import type { Task } from '../../event-loop/event-loop.js';
import { numberIn } from '../../event-loop/number-in.js';
import type { Listener } from '../../instrument/tracing/effects.js';
import { WHOLE } from '../../instrument/tracing/locations.js';
import { recording } from '../../instrument/tracing/recording.js';
import { Footprint } from './footprint.js';
import type { Watcher } from './run.js';

export class Footprints implements Watcher, Listener {
  /** Step to what it did, and to the steps that have set up its tasks; what was before all steps is none. */
  readonly steps: Footprint[] = [];
  readonly creators: number[][] = [];
  /** The tasks that the last step has taken back. */
  removed: Task[] = [];
  /** What was reached that is not recorded, by name. */
  readonly strangers: Set<string> = new Set();
  #now: Footprint = new Footprint();
  #isUnknown = false;
  readonly #objects = new Map<object, number>();
  readonly #fields = new Map<PropertyKey, number>();
  /** Task to the step that has set it up, or -1. */
  #setUp = new WeakMap<Task, number>();
  readonly #afterFrom: number;

  /** Operations from here on come after all others. */
  constructor(afterFrom: number) {
    this.#afterFrom = afterFrom;
  }

  /** An execution begins: its object is made. */
  reset(): void {
    this.steps.length = 0;
    this.creators.length = 0;
    this.#now = new Footprint();
    this.#isUnknown = false;
    this.#objects.clear();
    this.#setUp = new WeakMap();
    recording.reset();
  }

  /** A step begins. */
  begin(): void {
    this.#now = new Footprint();
    this.#now.isUnknown = this.#isUnknown;
    this.steps.push(this.#now);
    this.creators.push([]);
    this.removed = [];
  }

  /** Listens while something runs. */
  during<T>(run: () => T): T {
    const stop = promiseHooks.createHook({
      init: (_promise: Promise<unknown>, parent?: Promise<unknown>) => {
        if (parent !== undefined) this.written(parent, WHOLE);
      },
      settled: (promise: Promise<unknown>) => this.written(promise, WHOLE),
    }) as () => void;
    recording.listener = this;
    try {
      return run();
    } finally {
      recording.listener = undefined;
      stop();
    }
  }

  read(object: object, key: PropertyKey): void {
    this.#now.read(this.#object(object), this.#field(key));
  }

  written(object: object, key: PropertyKey): void {
    this.#now.write(this.#object(object), this.#field(key));
  }

  unknown(what: string): void {
    this.strangers.add(what);
    this.#isUnknown = true;
    this.#now.isUnknown = true;
  }

  #object(object: object): number {
    return numberIn(this.#objects, object);
  }

  #field(key: PropertyKey): number | undefined {
    if (key === WHOLE) return undefined;
    return numberIn(this.#fields, typeof key === 'number' ? String(key) : key);
  }

  // ── what the run tells ──

  called(): void {
    this.#now.hasCalled = true;
  }

  ended(): void {
    this.#now.hasEnded = true;
  }

  fires(task: Task): void {
    const creators = this.creators.at(-1)!;
    const creator = this.creatorOf(task);
    if (creator >= 0) creators.push(creator);
    if (task.kind === 'call' && task.operation! >= this.#afterFrom)
      for (const [step, { hasEnded }] of this.steps.entries()) if (hasEnded) creators.push(step);
  }

  inside(_operation: number, run: () => unknown): unknown {
    return run();
  }

  onTask(task: Task): void {
    this.#setUp.set(task, this.steps.length - 1);
  }

  onRemove(task: Task): void {
    this.removed.push(task);
  }

  onUse(used: object): void {
    this.written(used, WHOLE);
  }

  creatorOf(task: Task): number {
    return this.#setUp.get(task) ?? -1;
  }
}
