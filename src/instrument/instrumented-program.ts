/**
 * Instrumented code as a program: a fresh object, and threads that call its methods.
 *
 * Explored is the object together with the module state of its files, which threads share as well.
 */
import { types } from 'node:util';
import type { AnyFunction } from '../base/any-function.js';
import { formatPosition } from '../base/source-position.js';
import { Interner } from '../base/values/interner.js';
import { callerAt } from '../execution/callers.js';
import { access, READ } from '../execution/memory/access.js';
import { type HasContents, visitContents } from '../execution/memory/heap-walk.js';
import { EVERYTHING } from '../execution/memory/locations.js';
import type { Memory } from '../execution/memory/memory.js';
import { ProgramError, RestartError } from '../execution/memory/program-error.js';
import { type Call, type Coroutine, noMethod, type Program } from '../execution/program.js';
import { guardLastMatch } from './builtins/ambient.js';
import { coroutineOf, isInstrumentedClass, NOWHERE } from './model/coroutine-versions.js';
import { isOfPlatform } from './model/effects.js';
import { invoke } from './model/host.js';
import { isIntrinsic, isOpaqueObject, ownContentsOf } from './model/reach.js';
import { runtime } from './runtime/runtime.js';

/** Thread to the last one before it that makes the same calls, or -1 (`Turns`, explore/classes/happens-before.ts). Calls with objects as arguments are distinct. */
export function symmetricThreads(threads: readonly (readonly (readonly unknown[])[])[]): number[] {
  const columns = new Interner();
  const numbers = threads.map((calls, thread) =>
    columns.intern(calls.flat().some((value) => Object(value) === value) ? [thread] : calls),
  );
  return numbers.map((number, thread) => numbers.slice(0, thread).lastIndexOf(number));
}

/** A method and its arguments. */
export type PlainCall = readonly [method: string, ...args: unknown[]];

export interface PlainProgram {
  readonly create: () => object;
  /** Functions of the object to call instead of methods that it has. */
  readonly methods?: Readonly<Record<string, (object: never, ...args: never[]) => unknown>>;
  readonly threads: readonly (readonly PlainCall[])[];
  readonly before?: readonly PlainCall[];
  readonly after?: readonly PlainCall[];
  /** Refuse an object without instrumented methods? */
  readonly mustBeInstrumented?: boolean;
}

/** Has a function a coroutine version? */
export const isInstrumented = (called: unknown): boolean => coroutineOf(called) !== undefined;

const STACK_FRAMES = 10;

/** The object under test, and all else that threads share. */
class Subject implements HasContents {
  readonly object: object;

  constructor(object: object) {
    this.object = object;
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.object);
    runtime.moduleState.contents$(visit);
    runtime.inputs.contents$(visit);
  }
}

export function programOf({
  create,
  methods = {},
  threads,
  before = [],
  after = [],
  mustBeInstrumented = false,
}: PlainProgram): Program<Subject> {
  guardLastMatch(refuseLastMatch);
  runtime.failure = undefined;
  runtime.moduleState.start();
  const calls = (list: readonly PlainCall[]): Call<Subject>[] =>
    list.map(([method, ...args]) => ({
      method,
      args,
      run: ({ object }, _memory, given = args) =>
        new ShowingCall(
          Object.hasOwn(methods, method)
            ? call(methods[method], undefined, [object, ...given])
            : run(object, method, given),
          object,
        ) as unknown as Coroutine,
    }));
  // objects among the arguments are the same in every execution, and all threads share them
  const args = [...threads.flat(), ...before, ...after].flat().filter((arg) => Object(arg) === arg);
  if (args.length > 0) runtime.moduleState.add((i: number) => (i < args.length ? args[i] : runtime.no));
  const names = new Set([...threads.flat(), ...before, ...after].map(([method]) => method));
  let isChecked = !mustBeInstrumented;
  return {
    create: (memory) => {
      const subject = begin(memory, create);
      if (!isChecked) checkInstrumented(subject.object, [...names], methods);
      isChecked = true;
      return subject;
    },
    threads: threads.map(calls),
    symmetricThreads: symmetricThreads(threads),
    hasNamedCalls: true,
    visitThread: (thread, visit) => runtime.waiters.visitPlaces(thread, visit),
    before: calls(before),
    after: calls(after),
    isOpaqueObject,
    objectOf: ({ object }) => object,
    isFixed: (object) => isIntrinsic(object) || runtime.moduleState.isUnchanged(object),
  };
}

/** Other code of the thread matches too, so the last match is not the one of the program. */
function refuseLastMatch(name: string): void {
  if (runtime.memory === undefined && runtime.creating === undefined) return;
  const error = new ProgramError(
    `${formatPosition(callerAt())}: ${name} is what the last match of the thread left, of whichever code; use the result of exec or match`,
  );
  runtime.failure ??= error;
  throw error;
}

/** Without instrumentation every call is one step, so every class would pass. */
function checkInstrumented(
  object: object,
  names: readonly string[],
  methods: NonNullable<PlainProgram['methods']>,
): void {
  const prototype = Object.getPrototypeOf(object) as object | null;
  const called = names
    .map((name) => (Object.hasOwn(methods, name) ? methods[name] : (object as Record<string, unknown>)[name]))
    .filter((one) => typeof one === 'function') as AnyFunction[];
  const isKnown = (one: AnyFunction) => isInstrumented(one) || isOfPlatform(one);
  if (called.some(isKnown) || called.length === 0 || (prototype && isInstrumentedClass(prototype))) return;
  const name = prototype?.constructor.name ?? 'Object';
  throw new ProgramError(
    `no file of ${name === 'Object' ? 'the object under test' : name} is instrumented, so no thread can be preempted in it. In vitest, add the plugin: plugins: [instrument({ globs: ['src/**'] })], with instrument from straightedge/explore. On the command line, name its files in \`instrument\`. For other runners, use \`npx straightedge explore\``,
  );
}

function begin(memory: Memory, create: () => object): Subject {
  const { failure } = runtime;
  if (failure instanceof RestartError) runtime.failure = undefined;
  if (failure !== undefined) throw failure;
  runtime.leave();
  runtime.moduleState.reset();
  runtime.sites.settle();
  runtime.inputs.reset();
  runtime.waiters.reset();
  const object = made(memory, create);
  if (object instanceof Promise)
    throw new ProgramError('`create` is asynchronous; only the async back end explores that');
  const subject = new Subject(object);
  runtime.enter(memory);
  runtime.sharing.publish(subject.object);
  return subject;
}

function made(memory: Memory, create: () => object): object {
  const { stackTraceLimit } = Error;
  runtime.creating = memory;
  // an error of `create` ends the exploration, so its reader needs the stack
  Error.stackTraceLimit = STACK_FRAMES;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    runtime.creating = undefined;
  }
}

/**
 * A call. Its result is compared by its visible content. If other threads may change that until the call returns, the last step of the
 * call reads everything.
 */
class ShowingCall implements Pick<Coroutine, 'next'> {
  readonly #coroutine: Coroutine;
  readonly #object: object;
  #returned: IteratorResult<number, unknown> | undefined;

  constructor(coroutine: Coroutine, object: object) {
    this.#coroutine = coroutine;
    this.#object = object;
  }

  next(sent: number): IteratorResult<number, unknown> {
    if (this.#returned !== undefined) return this.#returned;
    const step = this.#coroutine.next(sent);
    if (!step.done || !showsShared(step.value, this.#object)) return step;
    this.#returned = step;
    return { done: false, value: access(READ, EVERYTHING) };
  }
}

/** The object under test is shown as itself, a function by its name. */
function showsShared(result: unknown, object: object): boolean {
  const shown = new Set<object>();
  const visit = (part: unknown): void => {
    if (part !== null && typeof part === 'object' && part !== object) shown.add(part);
  };
  visit(result);
  for (const part of shown) {
    const tell = ownContentsOf(part);
    if (tell !== undefined) {
      tell.call(part, visit);
      continue;
    }
    if (runtime.sharing.tagOf(part) !== undefined) return true;
    visitContents(part, visit);
    // an error shows a message that it inherits
    const prototype: unknown = Object.getPrototypeOf(part);
    if (types.isNativeError(prototype)) visit(prototype);
  }
  return false;
}

function run(object: object, method: string, args: readonly unknown[]): Coroutine {
  const called = (object as Record<string, unknown>)[method];
  if (typeof called !== 'function') throw new ProgramError(`the object ${noMethod(object, method)}`);
  return call(called, object, [...args]);
}

function call(called: unknown, self: unknown, args: unknown[]): Coroutine {
  if (runtime.failure !== undefined) throw runtime.failure;
  runtime.begin();
  // a coroutine version needs no coroutine around it
  return coroutineOf(called)?.apply(self, args) ?? invoke(runtime, called, self, args, NOWHERE);
}
