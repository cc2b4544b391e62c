/**
 * A macrotask of its own, in which asynchronous code can be explored, and Node's work after each macrotask: microtasks and
 * unhandled rejections.
 *
 * V8 has a function that runs all microtasks; its name is known only while a flag is set. It does nothing inside a
 * microtask, so an exploration needs a macrotask. Rejections in it belong to executions, not to this process.
 */
import { createHook } from 'node:async_hooks';
import { setImmediate as immediateOfNode } from 'node:timers';
// Deno has no promise hooks, and would not load a module that imports them by name
import v8 from 'node:v8';
import { ScenarioError } from '../execution/memory/program-error.js';

/** The runtime, if it is not Node; detected once. Others have neither V8's checkpoint of microtasks nor Node's event loop. */
export const OTHER_RUNTIME: 'Bun' | 'Deno' | undefined = (['Bun', 'Deno'] as const).find(
  (name) => name.toLowerCase() in process.versions,
);

/** Refuses to explore in another runtime. */
export function expectNode(): void {
  if (OTHER_RUNTIME !== undefined)
    throw new ScenarioError(
      `exploring needs Node, and this is ${OTHER_RUNTIME}; run it with Node, for example npx straightedge explore. Checking and monitoring work here`,
    );
}

let checkpoint: (() => void) | undefined;

export function runMicrotasks(): void {
  checkpoint ??= made();
  checkpoint();
}

/** Refuses to begin where microtasks would not run. */
export function checkOwnTask(): void {
  expectNode();
  let hasRun = false;
  queueMicrotask(() => {
    hasRun = true;
  });
  runMicrotasks();
  if (!hasRun)
    throw new ScenarioError(
      'asynchronous code can only be explored in its own task of the event loop: call `explore`, not `exploreSync`',
    );
}

function made(): () => void {
  v8.setFlagsFromString('--allow-natives-syntax');
  try {
    return new Function('%PerformMicrotaskCheckpoint()') as () => void;
  } finally {
    v8.setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** Node's process object. In jest, the global `process` is a copy, which hears of no rejections. */
const node = (v8.setFlagsFromString.constructor as FunctionConstructor)('return process')() as NodeJS.Process;

/** Node's own: runs ticks and microtasks, then reports the rejections that nothing handles. */
const { _tickCallback: endTask } = node as unknown as { readonly _tickCallback?: () => void };
const REJECTION = 'unhandledRejection';
const HANDLED = 'rejectionHandled';
type Listener = (...args: unknown[]) => void;

let rejections: unknown[] = [];

/** The reasons of the promises that were rejected since the last call and that nothing handles, as Node finds them after a macrotask. */
export function unhandledRejections(): readonly unknown[] {
  endTask?.();
  const found = rejections;
  if (found.length > 0) rejections = [];
  return found;
}

const preparations: (() => void)[] = [];

/** Runs something at the start of each macrotask that explores. */
export const beforeOwnTasks = (prepare: () => void): void => void preparations.push(prepare);

export async function inOwnTask<T>(run: () => T): Promise<T> {
  expectNode();
  return new Promise((resolve, reject) => {
    realImmediate(() => {
      const restore = replaceListeners();
      rejections = [];
      let settle: () => void;
      try {
        for (const prepare of preparations) prepare();
        const value = run();
        settle = () => resolve(value);
      } catch (error) {
        settle = () => reject(error as Error);
      }
      // Node reports rejections at the end of this task
      realImmediate(() => {
        restore();
        settle();
      });
    });
  });
}

/** Keeps rejections of executions from the listeners of this process. Returns the inverse. */
function replaceListeners(): () => void {
  const own: readonly (readonly [string, Listener])[] = [
    [REJECTION, (reason) => rejections.push(reason)],
    [HANDLED, () => {}],
  ];
  const others = own.map(([event]) => node.rawListeners(event) as Listener[]);
  for (const [event, listener] of own) {
    node.removeAllListeners(event);
    node.on(event, listener);
  }
  return () => {
    for (const [k, [event, listener]] of own.entries()) {
      node.removeListener(event, listener);
      for (const other of others[k]) node.on(event, other);
    }
  };
}

/** That of `node:timers`, as it was at the start: jsdom lacks the global one, and exploring replaces both. */
const realImmediate = immediateOfNode;

/** Runs something, and notes whether a job of a promise, or a microtask or tick of Node, runs in it. */
export function withJobsNoted<T>(noted: { hasWaited: boolean }, run: () => T): T {
  const before = () => {
    noted.hasWaited = true;
  };
  const hook = createHook({ before });
  hook.enable();
  try {
    return run();
  } finally {
    hook.disable();
  }
}

const settled = Promise.resolve();

/**
 * Counts rounds of microtasks, so that a call can start between two of them: clients that await settled promises. Such a
 * client continues after each round of queued microtasks; a round in which no promise job ran and no microtask was queued
 * ends it, because nothing follows.
 */
export class MicrotaskProbes {
  readonly #own = new WeakSet<Promise<unknown>>();
  #activity = 0;
  #isStarting = false;

  /** Runs an execution with probes. */
  during<T>(run: () => T): T {
    const note = (promise: Promise<unknown>) => {
      if (!this.#own.has(promise)) this.#activity++;
    };
    const stop = v8.promiseHooks.createHook({
      init: (promise: Promise<unknown>) => {
        if (this.#isStarting) this.#own.add(promise);
        else this.#activity++;
      },
      before: note,
      settled: note,
    }) as () => void;
    const { queueMicrotask: real } = globalThis;
    globalThis.queueMicrotask = (callback) => {
      this.#activity++;
      real(() => {
        this.#activity++;
        callback();
      });
    };
    try {
      return run();
    } finally {
      globalThis.queueMicrotask = real;
      stop();
    }
  }

  /** Calls `hop` after each round of microtasks from now on, while it returns true. */
  start(hop: () => boolean): void {
    const before = this.#activity;
    this.#isStarting = true;
    void settled.then(() => {
      if (this.#activity > before && hop()) this.start(hop);
    });
    this.#isStarting = false;
  }
}
