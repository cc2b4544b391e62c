/**
 * Asynchronous code as it is, and the calls that clients make of it.
 *
 * Operations are numbered as in `Execution`: those before, then client by client, then those after.
 */

import type { AnyFunction } from '../../base/any-function.js';
import { isPrimitive } from '../../base/values/canonical.js';
import { ResultReference, sourcesIn, targetOf } from '../../base/values/result-reference.js';
import { show } from '../../base/values/show.js';
import { currentLoop, type EventLoop, type Task } from '../../event-loop/event-loop.js';
import { StubFailures, stubsFor } from '../../event-loop/stubs.js';
import { comparable, errorText, Identities } from '../../execution/comparable.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { noMethod } from '../../execution/program.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import type { Exclusive } from '../../objects/locks/mutex.js';
import type { Controller, Scenario, Signal } from '../scenario/scenario.js';
import { callsOf, type NumberedCall, type TestCase } from '../scenario/test-case.js';

interface AsyncCall {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly thread: number;
  /** The operations whose results it uses. It is made only if they gave some. */
  readonly uses?: readonly number[];
  /** Does a call use its result? */
  readonly isHandle?: boolean;
  /** `results`: operation to its result. */
  run(object: object, signal: Signal | undefined, results: readonly unknown[]): unknown;
}

/** What a rejection means: a result of the call; the call had no effect; or its effect is unknown. */
type Classified = 'threw' | 'failed' | 'unknown';

export interface AsyncProgram {
  /** The name of the scenario. */
  readonly name?: string;
  readonly calls: readonly AsyncCall[];
  readonly threads: number;
  /** Operations from here on come after all threads; those up to here before. */
  readonly beforeTo: number;
  readonly afterFrom: number;
  /** The object, or a promise of it. */
  create(): unknown;
  /**
   * Called when only repeating and unref'd timers are left, or nothing; may set up a task, and returns whether it did.
   * `isStuck`: no timer is left either, or those that repeat have fired often enough.
   */
  readonly onIdle?: ((object: object, isStuck: boolean) => boolean) | undefined;
  /** Aborts one call: by its signal, or by what the scenario says. Undefined where calls are not aborted. */
  readonly abort: ((object: object, call: AsyncCall, controller: Controller) => void) | undefined;
  classify(error: unknown): Classified;
  /** How many calls of an execution may start between two microtasks. */
  readonly maxMicrotaskStarts?: number | undefined;
  /** Must calls take effect in the order in which they start? */
  readonly isFair?: boolean;
  /** Instead of results, what calls may hold. */
  readonly exclusive?: Exclusive | undefined;
  /** Are errors compared by name alone, as a spec does? */
  readonly hasErrorsByName: boolean;
  /** The identities of an execution on this object; undefined if results are compared without them. */
  identitiesOf?(object: object): Identities;
  /** Does its code report its reads and writes? */
  readonly isRecorded: boolean;
  /** Functions of the scenario that calls use. */
  readonly code?: readonly unknown[];
}

/** Stands for an operation in what a function of the run holds. */
export class OperationReference {
  readonly operation: number;

  constructor(operation: number) {
    this.operation = operation;
  }
}

/** One of n alternatives, n > 1. */
export type Choose = (alternatives: number) => number;

/** How a run ended. `unfinished`: abandoned at a limit. `left`: the driver wanted no more of it. */
export type Ending = 'ended' | 'stuck' | 'unfinished' | 'left' | 'uncaught';

/** Observes an execution. */
export interface Watcher {
  called(operation: number): void;
  ended(operation: number): void;
  fires(task: Task): void;
  /** Runs the code of an operation. */
  inside(operation: number, run: () => unknown): unknown;
  onTask(task: Task): void;
  onRemove?(task: Task): void;
  onUse?(resource: object, isRead?: boolean): void;
  /** In a quiescent run: does a call in progress poll with this repeating timer? */
  readonly polls?: (task: Task) => boolean;
  /** All calls have ended; tasks that follow are left over. */
  finishes?(): void;
}

export function watchTasks(loop: EventLoop, watcher: Watcher): void {
  loop.onTask = (task) => watcher.onTask(task);
  loop.onRemove = (task) => watcher.onRemove?.(task);
  loop.onUse = (resource, isRead) => watcher.onUse?.(resource, isRead);
}

/** The outcome of an operation is its result. Otherwise its standing is FAILED or UNKNOWN. */
export const COUNTS = 0;

/** Alternatives are bits. */
const MOST_ALTERNATIVES = 30;

export function checkAlternatives(count: number): void {
  if (count > MOST_ALTERNATIVES)
    throw new ScenarioError(
      `${count} tasks wait at once; at most ${MOST_ALTERNATIVES} can be explored. Make the test smaller`,
    );
}

/** One of some tasks, or -1: no more of this execution. */
type Pick = (tasks: readonly Task[]) => number;

/** One of n alternatives. In the alternative `none`, no call starts now. */
type Start = (alternatives: number, none: number) => number;

/** How a run is driven. */
export interface RunOptions {
  /** Is it a quiescent run? Then each call and each external event is a step, and no call is aborted. */
  readonly isQuiescent?: boolean;
  readonly watcher?: Watcher;
  /** Instead of `choose`, where it is about tasks; asked also where there is one. */
  readonly pick?: Pick;
  /** Instead of `choose`, where a call may start before the macrotask has ended. */
  readonly start?: Start;
}

/** The calls that can start once all before `from` have ended: the first call of each client, or one call before or after them. */
export function callsFrom({ beforeTo, afterFrom, calls }: AsyncProgram, from: number): number[] {
  if (from < beforeTo || from >= afterFrom) return from < calls.length ? [from] : [];
  return [...calls.keys()].filter(
    (k) => k >= from && k < afterFrom && (k === from || calls[k].thread !== calls[k - 1].thread),
  );
}

/** The calls of clients that can start: not those before or after them, but also parts of a test body, which are no calls of the program. */
export const readyCalls = ({ beforeTo, afterFrom, calls }: AsyncProgram, loop: EventLoop): Task[] =>
  loop.tasks.filter(
    ({ kind, operation = NaN }) =>
      kind === 'call' && operation >= beforeTo && (operation < afterFrom || operation >= calls.length),
  );

/** Can a call be made? Not if a call whose result it uses threw, was not made, or returned nothing. */
export const canStart = ({ uses = [] }: AsyncCall, results: readonly unknown[]): boolean =>
  uses.every((operation) => (results[operation] ?? undefined) !== undefined);

export function asyncProgram(scenario: Scenario, test: TestCase): AsyncProgram {
  const { name, create, methods, cancel, stubs, failures, spec, identity } = scenario;
  const { threads, before, after } = test;
  const numbered = callsOf(test);
  const uses = usesOf(numbered);
  const isHandle = new Set(uses.flat());
  const calls = numbered.map(({ method, args, thread }, k): AsyncCall => {
    const target = targetOf(method);
    return {
      method,
      args,
      thread,
      uses: uses[k],
      isHandle: isHandle.has(k) || method === scenario.exclusive?.take,
      run: (object, signal, results) => {
        const sources = uses[k].values();
        const on = target && (results[sources.next().value!] as object);
        const own = args.map((arg) =>
          arg instanceof ResultReference ? results[sources.next().value!] : arg,
        );
        const given = signal && cancel === true ? [...own, { signal }] : own;
        if (on) return callResult(on, target.member, given);
        if (Object.hasOwn(methods, method)) return tracer.f(methods[method] as AnyFunction)(object, ...given);
        return callMethod(object, method, given);
      },
    };
  });
  const roles = rolesOf(numbered);
  return {
    name,
    calls,
    threads: threads.length,
    beforeTo: before.length,
    afterFrom: calls.length - after.length,
    create: () =>
      (create as AnyFunction)(stubsFor(stubs, currentLoop, new StubFailures(failures))) as unknown,
    onIdle: scenario.onIdle as AsyncProgram['onIdle'],
    abort:
      cancel === undefined || cancel === false
        ? undefined
        : cancel === true
          ? (_object, _call, controller) => controller.abort()
          : (object, { method, args }) => (cancel as AnyFunction)(object, method, ...args),
    classify: (error) => scenario.outcome?.(error) ?? (isInjected(error) ? 'unknown' : 'threw'),
    maxMicrotaskStarts: scenario.maxMicrotaskStarts,
    isRecorded: tracer.isKnown(create as AnyFunction),
    code: [create, ...Object.values(methods), ...Object.values(stubs)],
    isFair: scenario.fair,
    exclusive: scenario.exclusive,
    hasErrorsByName: spec !== undefined,
    ...(spec === undefined && { identitiesOf: (object) => new Identities(identity, object, roles) }),
  };
}

/** Was an error caused by a failure that a stub injected? Causes may form a cycle. */
function isInjected(thrown: unknown): boolean {
  const seen = new Set<unknown>();
  try {
    for (let error = thrown; error instanceof Error && !seen.has(error); error = error.cause) {
      if (error.name === 'StubFailure') return true;
      seen.add(error);
    }
  } catch {
    // it cannot be read
  }
  return false;
}

/** Operation to the operations whose results it uses: the last call of the method by the same thread. */
function usesOf(calls: readonly NumberedCall[]): (readonly number[])[] {
  const uses: (readonly number[])[] = [];
  for (const thread of new Set(calls.map((call) => call.thread))) {
    const own = [...calls.keys()].filter((k) => calls[k].thread === thread);
    const sources = sourcesIn(own.map((k) => [calls[k].method, ...calls[k].args]));
    for (const [i, k] of own.entries()) uses[k] = sources[i].map((source) => own[source]);
  }
  return uses;
}

/** Functions, symbols and instances among the arguments, with what to name them if a call returns them. */
function rolesOf(calls: readonly NumberedCall[]): Map<unknown, string> {
  const roles = new Map<unknown, string>();
  for (const { method, args } of calls)
    for (const [i, arg] of args.entries())
      if (isInstance(arg) && !roles.has(arg)) roles.set(arg, `argument ${i + 1} of ${method}`);
  return roles;
}

function isInstance(value: unknown): boolean {
  if (isPrimitive(value)) return typeof value === 'symbol';
  return typeof value === 'function' || !(isPlainData(value as object) || value instanceof ResultReference);
}

const isPlainData = (value: object): boolean =>
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

function callMethod(object: object, method: string, args: readonly unknown[]): unknown {
  const called = (tracer.m(object, method) as Record<string, unknown>)[method];
  if (typeof called !== 'function') throw new ScenarioError(`the object ${noMethod(object, method)}`);
  return (called as AnyFunction).apply(object, args as unknown[]);
}

/** Calls a result: a method of it, or the function that it is. A function without such a method gets the name as an argument. */
function callResult(result: object, member: string | undefined, args: readonly unknown[]): unknown {
  const isFunction = typeof result === 'function';
  if (member !== undefined && !(isFunction && !(member in result))) return callMethod(result, member, args);
  if (!isFunction)
    throw new ScenarioError(
      `the result ${show(comparable(result))} is called, but it is no function; to call a method of it, write [result('open'), 'method']`,
    );
  return tracer.f(result as AnyFunction)(...(member === undefined ? [] : [member]), ...args);
}

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  Object(value) === value && typeof (value as { then?: unknown }).then === 'function';

/** The object. If `create` is asynchronous, its macrotasks run first, in the order of Node. */
export function createObject(program: AsyncProgram, loop: EventLoop): object {
  const drain = () => {
    for (const reason of loop.drain())
      throw new ScenarioError(`\`create\` leaves a rejection that nothing handles: ${errorText(reason)}`);
  };
  const made = program.create();
  drain();
  if (!isThenable(made)) return made as object;
  let settled: { readonly value: unknown } | { readonly error: unknown } | undefined;
  made.then(
    (value) => {
      settled = { value };
    },
    (error: unknown) => {
      settled = { error };
    },
  );
  for (drain(); settled === undefined; drain()) {
    const [task] = loop.enabled();
    if (task === undefined)
      throw new ScenarioError('`create` never resolves; give the scenario stubs for what is outside');
    loop.fire(task);
  }
  if ('error' in settled) throw new ScenarioError(`\`create\` rejected: ${errorText(settled.error)}`);
  return settled.value as object;
}

/** What an unhandled rejection is called in `uncaught`. */
export const REJECTED = 'a promise is rejected with';

/** Node ends without waiting for an unref'd timer, and a repeating one never ends. */
export const isNeeded = ({ handle }: Task): boolean => !handle || (handle.hasRef() && !handle.isRepeated);

/** The aborts that are possible in an execution: of each pending call between `before` and `after`. Only one happens. */
export class Aborts {
  readonly #program: AsyncProgram;
  readonly #tasks: Task[] = [];
  /** The operation whose abort came. */
  #aborted = -1;

  constructor(program: AsyncProgram) {
    this.#program = program;
  }

  get possible(): readonly Task[] {
    return this.#aborted < 0 ? this.#tasks : [];
  }

  isAborted(operation: number): boolean {
    return this.#aborted === operation;
  }

  /** What a rejection means: an aborted call had no effect, unless its error says that this is not known. */
  classify(operation: number, error: unknown): Classified {
    const own = this.#program.classify(error);
    return own === 'threw' && this.isAborted(operation) ? 'failed' : own;
  }

  /** An operation of an object is called. */
  opens(k: number, object: object, controller: Controller): void {
    const { abort, calls, beforeTo, afterFrom } = this.#program;
    if (!abort || this.#aborted >= 0 || k < beforeTo || k >= afterFrom) return;
    this.#tasks.push({
      kind: 'abort',
      does: `${calls[k].method} is aborted`,
      operation: k,
      run: () => {
        this.#aborted = k;
        abort(object, calls[k], controller);
      },
    });
  }

  ends(operation: number): void {
    const abort = this.#tasks.findIndex((task) => task.operation === operation);
    if (abort >= 0) this.#tasks.splice(abort, 1);
  }
}
