/**
 * The promises of an execution: which have settled, and what happens when the others do.
 *
 * Node reports when a promise is made, settles, and when a job of it runs. A job of a promise with a reaction runs the
 * reaction. Any other job calls `then` of the promise, or thenable, that it was resolved with. Functions given to `then` and
 * `finally` are seen because both methods are replaced while executions run; functions that are suspended at an `await`
 * list their variables (instrument/tracing/locations.ts).
 *
 * A reaction that is none of these is unknown: one of `Promise.all`, or of an `await` in code that is not traced.
 */
import { types } from 'node:util';
import v8 from 'node:v8';
import type { AnyFunction } from '../../base/any-function.js';
import { runMicrotasks } from '../../event-loop/own-task.js';
import { registerStandIn } from '../../instrument/model/effects.js';
import type { Code, PromiseListener } from '../../instrument/tracing/locations.js';
import { tracer } from '../../instrument/tracing/tracer.js';

type AnyPromise = Promise<unknown>;

/** What happens when a promise settles. */
type Reaction =
  | { readonly kind: 'continues'; readonly code: Code }
  /** Functions are called, and `settles` gets the result. */
  | { readonly kind: 'then' | 'finally'; readonly handlers: readonly unknown[]; readonly settles: AnyPromise }
  /** The promise `settles` was resolved with this one. */
  | { readonly kind: 'follows'; readonly settles: AnyPromise }
  | { readonly kind: 'unknown' };

type PromiseState =
  | { readonly kind: 'pending'; readonly reactions: readonly Reaction[] }
  | { readonly kind: 'fulfilled' | 'rejected'; readonly value: unknown };

const SETTLED = Promise.resolve();

const prototype = Promise.prototype as unknown as Record<'then' | 'finally', AnyFunction>;
const realThen = prototype.then;
const realFinally = prototype.finally;
/** The listener of the executions that run now. */
let current: PromiseStates | undefined;

const then: AnyFunction = function (this: AnyPromise, ...handlers: unknown[]): unknown {
  return current ? current.reacts(this, handlers) : (realThen.apply(this, handlers) as unknown);
};
const andFinally: AnyFunction = function (this: AnyPromise, ...handlers: unknown[]): unknown {
  return current ? current.reactsFinally(this, handlers) : (realFinally.apply(this, handlers) as unknown);
};
registerStandIn(then, realThen);
registerStandIn(andFinally, realFinally);

function replaceMethods(...methods: AnyFunction[]): void {
  for (const [i, name] of ['then', 'finally'].entries()) Reflect.set(Promise.prototype, name, methods[i]);
}

export class PromiseStates implements PromiseListener {
  lastMade: AnyPromise | undefined;
  /** Promises of this execution that have not settled, to their reactions. */
  readonly #pending = new Map<AnyPromise, Reaction[]>();
  readonly #settled = new Map<AnyPromise, PromiseState | undefined>();
  /** Promises with a reaction job that has not run. */
  readonly #jobs = new Set<AnyPromise>();
  /** The promise that a thenable was resolved into, while `then` of the thenable is called. */
  #following: AnyPromise | undefined;
  #waiting: { value: unknown; readonly code: Code } | undefined;
  #handlers: Omit<Extract<Reaction, { kind: 'then' | 'finally' }>, 'settles'> | undefined;
  #isReading = false;
  /** Promises of `afterQueued`. */
  readonly #probes = new Set<AnyPromise>();
  /** How many jobs of promises have begun. */
  #jobsBegun = 0;

  reset(): void {
    this.#pending.clear();
    this.#settled.clear();
    this.#jobs.clear();
    this.#probes.clear();
    this.#waiting = undefined;
    this.#handlers = undefined;
  }

  during<T>(run: () => T): T {
    const stop = v8.promiseHooks.createHook({
      init: (promise: AnyPromise, parent?: AnyPromise) => this.#made(promise, parent),
      before: (promise: AnyPromise) => {
        if (this.#probes.has(promise)) return;
        this.#jobsBegun++;
        if (!this.#jobs.delete(promise)) this.#following = promise;
      },
      after: () => {
        this.#following = undefined;
      },
      settled: (promise: AnyPromise) => {
        if (this.#isReading || this.#probes.has(promise)) return;
        this.#pending.delete(promise);
        this.#settled.set(promise, undefined);
      },
    }) as () => void;
    replaceMethods(then, andFinally);
    current = this;
    tracer.promises = this;
    try {
      return run();
    } finally {
      tracer.promises = undefined;
      current = undefined;
      replaceMethods(realThen, realFinally);
      stop();
    }
  }

  /** Calls a function after the microtasks that are queued now, with how many of them were jobs of promises. */
  afterQueued(then: (jobs: number) => void): void {
    const begun = this.#jobsBegun;
    this.#isReading = true;
    this.#probes.add(realThen.call(SETTLED, () => then(this.#jobsBegun - begun)) as AnyPromise);
    this.#isReading = false;
  }

  waitsFor(value: unknown, code: Code): void {
    this.#waiting = { value, code };
  }

  /** `then` of a promise is called. */
  reacts(promise: AnyPromise, handlers: unknown[]): unknown {
    const outer = this.#handlers;
    // `finally` calls `then` with functions of its own
    this.#handlers = outer?.kind === 'finally' ? outer : { kind: 'then', handlers };
    try {
      return realThen.apply(promise, handlers) as unknown;
    } finally {
      this.#handlers = outer;
    }
  }

  reactsFinally(promise: AnyPromise, handlers: unknown[]): unknown {
    const outer = this.#handlers;
    this.#handlers = { kind: 'finally', handlers };
    try {
      return realFinally.apply(promise, handlers) as unknown;
    } finally {
      this.#handlers = outer;
    }
  }

  #made(promise: AnyPromise, parent: AnyPromise | undefined): void {
    if (this.#isReading) return;
    this.#pending.set(promise, []);
    const waiting = this.#waiting;
    if (parent === undefined) this.lastMade = promise;
    // the promise of a value that is awaited and is none
    else if (waiting && waiting.value !== parent) waiting.value = promise;
    else {
      this.#waiting = undefined;
      this.#jobs.add(promise);
      this.#pending.get(parent)?.push(this.#reaction(promise, waiting?.code));
    }
  }

  #reaction(promise: AnyPromise, code: Code | undefined): Reaction {
    if (code) return { kind: 'continues', code };
    const handlers = this.#handlers;
    if (handlers === undefined) return { kind: 'unknown' };
    const isOwn = handlers.kind === 'then' && handlers.handlers.every(isResolver);
    if (isOwn && this.#following) return { kind: 'follows', settles: this.#following };
    return { ...handlers, settles: promise };
  }

  /** The state of a promise, while no microtask is queued; undefined if it is unknown. */
  stateOf(promise: AnyPromise): PromiseState | undefined {
    const reactions = this.#pending.get(promise);
    if (reactions) return { kind: 'pending', reactions };
    const known = this.#settled.get(promise);
    if (known) return known;
    this.#isReading = true;
    let found: PromiseState | undefined;
    realThen.call(
      promise,
      (value: unknown) => {
        found = { kind: 'fulfilled', value };
      },
      (value: unknown) => {
        found = { kind: 'rejected', value };
      },
    );
    runMicrotasks();
    this.#isReading = false;
    if (found) this.#settled.set(promise, found);
    return found;
  }
}

/** A function of the engine, as a promise that is resolved with another one gives them to its `then`. */
const isResolver = (handler: unknown): boolean =>
  typeof handler === 'function' &&
  !tracer.codeOf(handler) &&
  !types.isProxy(handler) &&
  Function.prototype.toString.call(handler).includes('[native code]');
