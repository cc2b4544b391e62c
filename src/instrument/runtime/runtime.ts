/**
 * The runtime of instrumented code, which calls it by short names.
 *
 * There is one per process, because functions and objects pass from file to file. Accesses, calls and `new` are in the classes that this
 * one extends. Here are functions and classes, iteration and destructuring.
 */
import type { AnyFunction } from '../../base/any-function.js';
import type { Coroutine } from '../../execution/program.js';
import type { AmbientRead } from '../builtins/ambient.js';
import * as conversions from '../builtins/conversions.js';
import * as iteration from '../builtins/iteration.js';
import { type Iteration, iteratorOf, pendingReturn, startIteration, stepNow } from '../builtins/iteration.js';
import {
  addAccessorName,
  arrowOf,
  type Closure,
  type ConstructorVersion,
  type CoroutineFunction,
  closureOf,
  functionOf,
  interceptAccessor,
  interceptedCoroutine,
  isAccessor,
  type MemberNames,
  makeMembers,
  markInstrumentedClass,
  methodOf,
  NOWHERE,
  pair,
  pairConstructor,
  type VariableReader,
} from '../model/coroutine-versions.js';
import { registerPrivateFields } from '../model/reach.js';
import { SharedScope } from '../model/sharing.js';
import { type FileInfo, RUNTIME } from '../syntax/writes.js';
import { CANNOT_SUSPEND } from './accesses.js';
import { Constructors } from './constructors.js';
import type { Writer } from './module-state.js';

type Held = VariableReader | 0;
const holding = (reader: Held, site: number): Closure => ({
  site,
  captured: reader === 0 ? undefined : reader,
});

/** The variables that a file exports, by the names of the exports: how to read and how to assign each. */
export type ExportedVariables = Readonly<
  Record<string, readonly [read: () => unknown, assign: (value: unknown) => void]>
>;

export class Runtime extends Constructors {
  /** Files that a plugin instruments, to what they export. */
  readonly exported: Map<string, ExportedVariables> = new Map();
  /** Has a coroutine been run to its end since this was set to false? */
  hasFinished = false;
  readonly #privates = new WeakMap<CoroutineFunction, AnyFunction>();

  // ── files, functions and classes ──

  file(info: FileInfo, read: VariableReader): number {
    this.loads.begin(info.file);
    this.moduleState.add(read);
    return this.sites.add(info);
  }

  /** The code of a file has run. */
  loaded(): void {
    this.loads.end();
  }

  exports(file: string, variables: ExportedVariables): void {
    this.exported.set(file, variables);
  }

  /** What was read while the file of a function was loaded, and those that were loaded with it. */
  readsAtLoad(called: unknown): readonly AmbientRead[] {
    const site = closureOf(called as object)?.site ?? NOWHERE;
    return this.loads.readsOf(site === NOWHERE ? undefined : this.sites.placeOf(site).file);
  }

  moduleScope(read: VariableReader, count: number, write: Writer): SharedScope {
    const scope = new SharedScope(read);
    this.moduleState.addVariables(scope, read, count, write);
    return scope;
  }

  pair(called: AnyFunction, coroutine: CoroutineFunction, held: Held, site: number): void {
    pair(called, coroutine, holding(held, site));
  }

  fn(coroutine: CoroutineFunction, held: Held, site: number, name?: string): AnyFunction {
    return functionOf(coroutine, this.finish, holding(held, site), name);
  }

  arrow(coroutine: CoroutineFunction, self: unknown, held: Held, site: number, name = ''): AnyFunction {
    return arrowOf(coroutine.bind(self), this.finish, holding(held, site), name);
  }

  /** The function of a private method: always the same one. */
  plain(coroutine: CoroutineFunction, site: number): AnyFunction {
    const known = this.#privates.get(coroutine) ?? methodOf(coroutine, this.finish, { site });
    this.#privates.set(coroutine, known);
    return known;
  }

  members<O extends object>(
    object: O,
    methods: MemberNames['methods'],
    getters: MemberNames['getters'],
    setters: MemberNames['setters'],
    held: Held,
    site: number,
  ): O {
    for (const [name] of [...getters, ...setters])
      if (this.memory !== undefined && !isAccessor(name) && this.sites.isReadAsImmutable(name))
        this.restart(() => {
          addAccessorName(name);
          this.sites.becomesMutable(name);
        });
    makeMembers(object, { methods, getters, setters }, this.finish, holding(held, site));
    return object;
  }

  /** The constructor of a class can be suspended. */
  constructs(owner: object, on: Extract<ConstructorVersion, { on: unknown }>['on'], length: number): void {
    pairConstructor(owner, { on }, length);
  }

  /** So can that of a subclass. */
  derives(
    owner: object,
    derived: Extract<ConstructorVersion, { derived: unknown }>['derived'],
    length: number,
  ): void {
    pairConstructor(owner, { derived }, length);
  }

  /** A key that no other member has. */
  unique(): symbol {
    return Symbol('coroutine');
  }

  /** A class, and its name where it has none of its own. */
  known(owner: { readonly prototype: object }, name?: string): void {
    markInstrumentedClass(owner.prototype);
    if (name !== undefined) Object.defineProperty(owner, 'name', { value: name, configurable: true });
  }

  hidden(
    owner: { readonly prototype: object },
    look: Parameters<typeof registerPrivateFields>[1],
    held: Held,
  ): void {
    registerPrivateFields(owner, look, held === 0 ? undefined : held);
  }

  /** Runs a coroutine to its end. Fails if it announces an access while threads run; after a failure it only continues. */
  readonly finish = (coroutine: Coroutine): unknown => {
    this.hasFinished = true;
    let { done, value } = coroutine.next(0);
    while (!done) {
      // thrown in an asynchronous function, a second failure would be an unhandled rejection
      if (this.memory !== undefined && this.failure === undefined)
        this.fail(this.memory.site, CANNOT_SUSPEND);
      ({ done, value } = coroutine.next(0));
    }
    return value;
  };

  /** An asynchronous function, or a generator, is called. */
  refuse(site: number): void {
    if (this.memory === undefined) return;
    const isAsync = this.sites.names[site] === 'async';
    const what = isAsync ? 'an asynchronous function' : 'a generator';
    const error = this.note(
      site,
      `${what} is called by a thread: explore it with the async back end, or call a plain function`,
    );
    // what is thrown in an asynchronous function is a promise's business
    if (!isAsync) throw error;
  }

  // `super.f`: only JavaScript knows whose `f` that is, so it is read, and an accessor leaves its coroutine

  ask(): void {
    interceptAccessor();
  }

  isAsked(): boolean {
    const coroutine = interceptedCoroutine();
    if (coroutine === undefined) return false;
    this.g = coroutine;
    return true;
  }

  /** What a template gives its tag. */
  strings(strings: TemplateStringsArray, ...values: unknown[]): unknown[] {
    return [strings, ...values];
  }

  // ── loops and live variables ──

  mark(): number {
    return this.memory?.mark() ?? 0;
  }

  again(mark: number, site: number, ...locals: unknown[]): void {
    this.memory?.again(mark, site, ...locals);
  }

  entered(): number {
    return this.memory?.enter() ?? 0;
  }

  live(mark: number, site: number, ...locals: unknown[]): void {
    this.memory?.live(mark, site, ...locals);
  }

  // ── conversions ──

  isPrimitive(value: unknown): boolean {
    return conversions.isPrimitive(value);
  }

  toPrimitive(value: unknown, hint: conversions.Hint, site: number): Coroutine {
    return conversions.toPrimitive(this, value, hint, site);
  }

  operate(operator: string, a: unknown, b: unknown, site: number): Coroutine {
    return conversions.operate(this, operator, a, b, site);
  }

  // ── iteration and destructuring ──

  isOwn(value: unknown): boolean {
    return iteration.isOwn(this, value);
  }

  over(value: Iterable<unknown>): Iteration {
    // what is its own at first may be shared before the loop ends
    return startIteration(iteratorOf(value), Object(value) === value ? value : undefined);
  }

  iterate(value: unknown, site: number): Coroutine<Iteration> {
    return iteration.iterate(this, value, site);
  }

  /** Before each round: does a coroutine find the next value? */
  step(at: Iteration, site: number): boolean {
    this.memory?.frames?.again(this.memory.current, site, site);
    const isOwn = at.stepCoroutine === undefined && this.sharing.tagOf(at.over) === undefined;
    if (!isOwn) this.run(iteration.step(this, at, site));
    return !isOwn;
  }

  next(at: Iteration): boolean {
    return stepNow(at);
  }

  /** A loop ends. True where a coroutine has to be run for that. */
  close(at: Iteration | undefined, site: number, isAfterError = false): boolean {
    const called = pendingReturn(at);
    if (called === undefined || called === null) return false;
    this.g = iteration.close(this, called, at!.iterator, site, isAfterError);
    return true;
  }

  all(value: unknown, site: number, most?: number): Coroutine<unknown[]> {
    return iteration.all(this, value, site, most);
  }

  /** Fields can be taken of everything else. */
  demandObject(value: unknown): void {
    if (value === null || value === undefined)
      throw new TypeError(`Cannot destructure '${value}' as it is ${value}.`);
  }

  /** What is made of a value that is used as a key. */
  key(value: unknown): PropertyKey {
    return Reflect.ownKeys({ [value as PropertyKey]: 0 })[0];
  }

  /** All fields but some. */
  *others(value: unknown, taken: readonly PropertyKey[], site: number): Coroutine<object> {
    const without = Object.fromEntries(taken.map((key) => [key, undefined]));
    const copy = yield* iteration.copyFields(this, Object(value), site, without);
    for (const key of taken) Reflect.deleteProperty(copy, key);
    return copy;
  }

  fields(value: unknown, site: number): Coroutine<object> {
    return iteration.fields(this, value, site);
  }

  keys(object: object): string[] {
    return iteration.keys(object);
  }

  /** Is a key that a loop goes over still there? */
  isStill(object: object, key: string): boolean {
    return key in Object(object);
  }

  keysOf(object: object, site: number): Coroutine<string[]> {
    return iteration.keysOf(this, object, site);
  }

  pick(value: unknown, shape: iteration.Shape, site: number): Coroutine {
    return iteration.pick(this, value, shape, site);
  }
}

/** One for all copies of this module that a process may load. */
const shared = globalThis as unknown as Record<symbol, Runtime | undefined>;
const key = Symbol.for(RUNTIME);
shared[key] ??= new Runtime();
export const runtime: Runtime = shared[key];
