/**
 * The accesses of one step of asynchronous code, a macrotask with its microtasks; and which steps are dependent.
 *
 * Two steps are dependent if one writes a field or whole object that the other reads or writes. They are also dependent if one
 * starts a call and in the other a call ends, because their order is part of the history. A step with unknown accesses
 * depends on every step.
 */
import v8 from 'node:v8';
import { CLOCK, type Task } from '../../event-loop/event-loop.js';
import type { Listener } from '../../instrument/tracing/locations.js';
import { WHOLE } from '../../instrument/tracing/locations.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import type { Watcher } from './program.js';

/** The number of an item. A new item gets the next number, from 0. */
export function intern<T>(numbers: Map<T, number>, item: T): number {
  const known = numbers.get(item);
  if (known === undefined) numbers.set(item, numbers.size);
  return known ?? numbers.size - 1;
}

/** Bits of what was done. */
const READ = 1;
const WRITTEN = 2;

/** A location is the number of an object and that of a field. */
const FIELDS = 2 ** 20;

class Footprint {
  hasCalled = false;
  hasEnded = false;
  isUnknown = false;
  /** Location to what was done. */
  readonly #fields = new Map<number, number>();
  /** Object to what was done with any of its fields, and with all at once. */
  readonly #parts = new Map<number, number>();
  readonly #wholes = new Map<number, number>();

  read(object: number, field: number | undefined): void {
    this.#add(object, field, READ);
  }

  write(object: number, field: number | undefined): void {
    this.#add(object, field, WRITTEN);
  }

  #add(object: number, field: number | undefined, done: number): void {
    if (field === undefined) add(this.#wholes, object, done);
    else {
      add(this.#parts, object, done);
      add(this.#fields, object * FIELDS + field, done);
    }
  }

  isDependentOn(other: Footprint): boolean {
    if (this.isUnknown || other.isUnknown) return true;
    if ((this.hasCalled && other.hasEnded) || (this.hasEnded && other.hasCalled)) return true;
    return (
      conflict(this.#fields, other.#fields) ||
      conflict(this.#wholes, other.#wholes) ||
      conflict(this.#wholes, other.#parts) ||
      conflict(this.#parts, other.#wholes)
    );
  }
}

function add(map: Map<number, number>, key: number, done: number): void {
  map.set(key, (map.get(key) ?? 0) | done);
}

function conflict(some: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): boolean {
  const [small, large] = some.size < others.size ? [some, others] : [others, some];
  for (const [key, done] of small) {
    const other = large.get(key) ?? 0;
    if (other !== 0 && (done | other) & WRITTEN) return true;
  }
  return false;
}

/*
 * The footprints of all steps of one execution, and the step that created each task.
 *
 * Traced code reports its accesses (instrument/tracing). The event loop reports tasks and the use of time and randomness. Node
 * reports when a promise gets a reaction and when it settles. Once untraced code is reached, the accesses of that step and of
 * all later steps are unknown, because that code may have changed anything.
 *
 * Objects are numbered at their first access, so executions with a common prefix give them the same numbers.
 */

export class Footprints implements Watcher, Listener {
  /** Step to its accesses, and to the steps that must precede it. Code before the first step is not a step. */
  readonly steps: Footprint[] = [];
  readonly creators: number[][] = [];
  /** The tasks that the last step has removed. */
  removed: Task[] = [];
  /** The names of untraced functions that were reached. */
  readonly strangers: Set<string> = new Set();
  #now: Footprint = new Footprint();
  #isUnknown = false;
  /** Have all calls ended? Then nothing is recorded. */
  #hasFinished = false;
  readonly #objects = new Map<object, number>();
  readonly #fields = new Map<PropertyKey, number>();
  /** Task to the step that created it, or -1. */
  readonly #setUp = new Map<Task, number>();
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
    this.#hasFinished = false;
    this.#objects.clear();
    this.#setUp.clear();
    tracer.reset();
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
    const stop = v8.promiseHooks.createHook({
      init: (_promise: Promise<unknown>, parent?: Promise<unknown>) => {
        if (parent !== undefined) this.written(parent, WHOLE);
      },
      settled: (promise: Promise<unknown>) => this.written(promise, WHOLE),
    }) as () => void;
    tracer.listener = this;
    try {
      return run();
    } finally {
      tracer.listener = undefined;
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
    return intern(this.#objects, object);
  }

  #field(key: PropertyKey): number | undefined {
    if (key === WHOLE) return undefined;
    return intern(this.#fields, typeof key === 'number' ? String(key) : key);
  }

  // ── reports of the run ──

  called(): void {
    this.#now.hasCalled = true;
  }

  ended(): void {
    this.#now.hasEnded = true;
  }

  fires(task: Task): void {
    if (this.#hasFinished) return;
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
    if (!this.#hasFinished) this.removed.push(task);
  }

  finishes(): void {
    this.#hasFinished = true;
    this.#now = new Footprint();
  }

  onUse(resource: object, isRead = false): void {
    if (resource === CLOCK) this.#now.isUnknown = true;
    else if (isRead) this.read(resource, WHOLE);
    else this.written(resource, WHOLE);
  }

  creatorOf(task: Task): number {
    return this.#setUp.get(task) ?? -1;
  }
}
