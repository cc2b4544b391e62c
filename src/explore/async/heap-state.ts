/**
 * The state of an execution of asynchronous code between two macrotasks, as a text: equal texts have the same continuations.
 *
 * Between macrotasks no code runs and no microtask is queued. What can happen then depends on the pending tasks, on the
 * event loop, on the progress of the calls, and on all that the code of the tasks can reach: objects, variables of functions,
 * promises with their reactions, suspended functions with their variables. Objects are numbered in the order in which they are
 * reached, so states that differ only in the identity of objects are equal, and aliases are kept apart.
 *
 * What cannot be seen makes the state hidden (`HiddenState`), and the search that asked for it declines: functions that are
 * not traced, suspended functions whose variables are not listed, reactions of `Promise.all`, objects of Node, proxies, weak
 * collections, iterators, generators.
 *
 * Why it is sound: traced code reads only what it reaches, from its own variables and arguments on. The listener of the
 * search sees every other input (code that is not traced, clock, randomness) and declines. So two executions with equal texts run
 * the same code on isomorphic data, and this stays so after each step. Cost: O(size of the reachable heap).
 */
import { types } from 'node:util';
import type { Task } from '../../event-loop/event-loop.js';
import { Timer } from '../../event-loop/timers.js';
import type { Getters } from '../../instrument/tracing/locations.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import { collectBuiltIns, isReadable, numberOfBuiltIn } from './built-in-objects.js';
import { ClientNames, type JudgeMemory, type SharedStates } from './client-names.js';
import { OperationReference } from './program.js';
import type { PromiseStates } from './promise-states.js';
import type { AsyncRun } from './run.js';

/** Part of the state cannot be seen. */
export class HiddenState extends Error {}

export class HeapState {
  readonly #run: AsyncRun;
  readonly #promises: PromiseStates;
  /** Functions that are not traced and existed before the first execution; what they do when they are called is reported. */
  readonly #constants: Map<unknown, number>;
  readonly #shared: SharedStates;
  readonly #names: ClientNames;
  /** Does code of the user's extend an object of the language? */
  readonly #isPolluted: boolean;
  #isStarting = false;
  #numbers = new Map<unknown, number>();
  #queue: object[] = [];
  /** The lists of variables that were reached. */
  #lists = new Set<Getters>();
  /** The current line, and the numbers of the lines before. */
  #text: string[] = [];
  #lines: number[] = [];

  constructor(run: AsyncRun, promises: PromiseStates, shared: SharedStates) {
    this.#run = run;
    this.#promises = promises;
    this.#shared = shared;
    this.#constants = shared.constants;
    this.#names = new ClientNames(run, shared);
    this.#isPolluted = collectBuiltIns();
    this.#isStarting = true;
    this.#begin();
    const { code = [], calls } = run.program;
    for (const root of [...code, ...calls.flatMap(({ args }) => args)]) this.#token(root);
    try {
      this.#describeAll();
    } catch (error) {
      if (!(error instanceof HiddenState)) throw error;
    }
    this.#isStarting = false;
  }

  /** The number of the current state, with what the judge remembers of the calls and returns so far. Throws `HiddenState`. */
  numberOf(judge: JudgeMemory): number {
    const { loop, program, object, toEnd } = this.#run;
    if (this.#isPolluted) throw new HiddenState('an object of the language that is extended');
    this.#begin();
    const { text, values } = this.#names.begin(judge.scope);
    this.#text.push(text, `${toEnd} ${loop.stateNumber}`);
    for (const value of values) this.#text.push(this.#token(value));
    for (const task of loop.tasks) if (task.kind !== 'call') this.#task(task);
    this.#text.push(this.#token(object));
    for (const root of program.code ?? []) this.#text.push(this.#token(root));
    this.#text.push(this.#run.identities?.counts ?? '');
    this.#describeAll();
    this.#text.push(this.#names.end());
    this.#text.push(judge.memoryIn(this.#names.order));
    this.#endLine();
    return this.#shared.states.intern(new Int32Array(this.#lines), this.#lines.length);
  }

  #begin(): void {
    this.#numbers = new Map();
    this.#queue = [];
    this.#lists = new Set();
    this.#text = [];
    this.#lines = [];
  }

  /** Each object is a line. */
  #describeAll(): void {
    for (const object of this.#queue) {
      this.#endLine();
      this.#text.push(String(this.#run.identities?.knownNumberOf(object) ?? ''));
      this.#describe(object);
    }
    this.#endLine();
  }

  #endLine(): void {
    const { lines } = this.#shared;
    const line = this.#text.join(' ');
    const known = lines.get(line);
    if (known === undefined) lines.set(line, lines.size);
    this.#lines.push(known ?? lines.size - 1);
    this.#text.length = 0;
  }

  #task({ kind, handle, held, does }: Task): void {
    if (handle instanceof Timer) this.#text.push(kind, this.#token(handle));
    else if (held) this.#text.push(JSON.stringify(does), this.#variables(held));
    else throw new HiddenState(does);
  }

  // ── values ──

  #token(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value);
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value);
      case 'bigint':
        return `${value}n`;
      case 'symbol':
        return Symbol.keyFor(value) === undefined
          ? this.#reference(value)
          : `S${JSON.stringify(Symbol.keyFor(value))}`;
      case 'object':
      case 'function':
        if (value instanceof OperationReference) return this.#names.of(value.operation);
        return value === null ? 'null' : this.#reference(value);
      default:
        return String(value);
    }
  }

  #reference(value: object | symbol): string {
    const builtIn = numberOfBuiltIn(value);
    if (builtIn !== undefined) return `#${builtIn}`;
    const constant = this.#constants.get(value);
    if (constant !== undefined) return `%${constant}`;
    const known = this.#numbers.get(value);
    if (known !== undefined) return `@${known}`;
    const isHidden = typeof value === 'function' && !tracer.codeOf(value);
    if (isHidden && this.#isStarting) {
      this.#constants.set(value, this.#constants.size);
      return '';
    }
    this.#numbers.set(value, this.#numbers.size);
    if (typeof value !== 'symbol') this.#queue.push(value);
    return `@${this.#numbers.size - 1}`;
  }

  #describe(object: object): void {
    if (types.isProxy(object)) throw new HiddenState('a proxy');
    if (this.#lists.has(object as Getters)) this.#held(object as Getters);
    else if (typeof object === 'function') this.#function(object);
    else if (object instanceof Timer) this.#list('timer', object.state);
    else {
      this.#content(object);
      this.#prototype(object);
      this.#fields(object);
    }
  }

  #list(kind: string, values: Iterable<unknown>): void {
    this.#text.push(kind);
    for (const value of values) this.#text.push(this.#token(value));
    this.#text.push('.');
  }

  #function(called: object): void {
    const known = tracer.codeOf(called);
    if (!known) throw new HiddenState(`the function ${(called as { name?: string }).name}`);
    this.#text.push(
      `f${known.code}`,
      this.#variables(known.held),
      this.#token(Object.getPrototypeOf(called)),
    );
    this.#fields(called);
  }

  #variables(held: Getters): string {
    this.#lists.add(held);
    return this.#reference(held);
  }

  /** Variables; one that is not initialised throws. */
  #held(getters: Getters): void {
    this.#text.push('h');
    for (const get of getters) {
      let value: unknown;
      try {
        value = get();
      } catch {
        this.#text.push('none');
        continue;
      }
      this.#text.push(this.#token(value));
    }
  }

  /** What an object contains apart from its fields. */
  #content(object: object): void {
    if (types.isMap(object)) this.#list('map', [...object].flat());
    else if (types.isSet(object)) this.#list('set', object);
    else if (types.isPromise(object)) this.#promise(object);
    else if (types.isDate(object)) this.#text.push(`d${Date.prototype.getTime.call(object)}`);
    else if (types.isRegExp(object)) this.#list('re', [object.source, object.flags]);
    else if (types.isDataView(object) || types.isTypedArray(object))
      this.#list('view', [object.buffer, object.byteOffset, object.byteLength]);
    else if (types.isAnyArrayBuffer(object)) this.#list('buffer', new Uint8Array(object));
    else if (types.isNativeError(object) || Array.isArray(object)) this.#text.push('o');
    else if (isOrdinary(object)) this.#text.push('o');
    else throw new HiddenState('an object of Node');
  }

  #promise(promise: Promise<unknown>): void {
    const state = this.#promises.stateOf(promise);
    if (state === undefined) throw new HiddenState('a promise that existed before');
    if (state.kind !== 'pending') {
      this.#list(state.kind, [state.value]);
      return;
    }
    this.#text.push('pending');
    for (const reaction of state.reactions) {
      if (reaction.kind === 'unknown') throw new HiddenState('a promise whose reactions are not visible');
      if (reaction.kind === 'continues')
        this.#text.push(`await${reaction.code.code}`, this.#variables(reaction.code.held));
      else
        this.#list(reaction.kind, [reaction.settles, ...('handlers' in reaction ? reaction.handlers : [])]);
    }
  }

  #prototype(object: object): void {
    const prototype = Object.getPrototypeOf(object) as object | null;
    this.#text.push(this.#token(prototype));
    for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
      const made = Object.getOwnPropertyDescriptor(at, 'constructor')?.value as
        | { prototype?: unknown }
        | undefined;
      const isTraced =
        typeof made === 'function' && tracer.codeOf(made) !== undefined && made.prototype === at;
      if (!isReadable(at) && !isTraced)
        throw new HiddenState(`an object of ${made && 'name' in made ? String(made.name) : 'unknown class'}`);
      if (isTraced) this.#privateFields(at, object);
    }
  }

  #privateFields(prototype: object, object: object): void {
    for (const get of tracer.privateFieldsOf(prototype)) this.#held([() => get(object)]);
  }

  #fields(object: object): void {
    const isFunction = typeof object === 'function';
    if (isFunction) this.#privateFields(object, object);
    for (const key of Reflect.ownKeys(object)) {
      if (isFunction && (key === 'name' || key === 'length')) continue;
      if (key === 'stack' && types.isNativeError(object)) continue;
      if (typeof key === 'symbol' && types.isPromise(object) && OF_HOOKS.has(key.description)) continue;
      const { value, get, set, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(
        object,
        key,
      )!;
      this.#text.push(
        this.#token(key),
        `${writable === false ? 'c' : ''}${enumerable ? '' : 'n'}${configurable ? '' : 'f'}:`,
      );
      if (get || set) this.#text.push(this.#token(get), this.#token(set));
      else this.#text.push(this.#token(value));
    }
    if (!Object.isExtensible(object)) this.#text.push('closed');
  }
}

/** Fields that Node's hooks add to promises. Code that uses them is not traced. */
const OF_HOOKS = new Set<string | undefined>([
  'async_id_symbol',
  'trigger_async_id_symbol',
  'kResourceStore',
]);

/** Does its class have no hidden state? Classes are checked apart. */
function isOrdinary(object: object): boolean {
  return !(
    types.isGeneratorObject(object) ||
    types.isWeakMap(object) ||
    types.isWeakSet(object) ||
    types.isBoxedPrimitive(object) ||
    types.isArgumentsObject(object) ||
    types.isModuleNamespaceObject(object) ||
    types.isExternal(object) ||
    types.isMapIterator(object) ||
    types.isSetIterator(object) ||
    object instanceof WeakRef
  );
}
