/**
 * The run-time half of the transform: what transformed code calls by short names.
 *
 * There is one, since functions and objects go from file to file. Accesses and calls are in
 * the classes that this one extends; here is what makes functions and classes, and what goes over and
 * takes apart.
 */
import type { AnyFunction } from '../../base/any-function.js';
import type { Coroutine } from '../../execution/program.js';
import * as iteration from '../builtins/iteration.js';
import { closer, iteratorOf, type Rounds, rounds, take } from '../builtins/iteration.js';
import type { Told } from '../model/host.js';
import { hide } from '../model/reach.js';
import {
  answer,
  arrowOf,
  ask,
  functionOf,
  type Holding,
  type MemberNames,
  makeMembers,
  methodOf,
  pair,
  type Reader,
  setTransformed,
  type Twin,
} from '../model/twins.js';
import { SharedScope } from '../model/visible-members.js';
import { type FileInfo, RUNTIME } from '../syntax/writes.js';
import { CAN_NOT_WAIT } from './accesses.js';
import { Makes } from './constructors.js';
import type { Writer } from './module-state.js';

type Held = Reader | 0;
const holding = (reader: Held, site: number): Holding => ({ site, held: reader === 0 ? undefined : reader });

export class Runtime extends Makes {
  readonly #privates = new WeakMap<Twin, AnyFunction>();

  // ── files, functions and classes ──

  file(info: FileInfo, read: Reader): number {
    this.lasting.add(read);
    return this.sites.add(info);
  }

  lasting$(read: Reader, count: number, write: Writer): SharedScope {
    const scope = new SharedScope(read);
    this.lasting.addVariables(scope, read, count, write);
    return scope;
  }

  pair(called: AnyFunction, twin: Twin, held: Held, site: number): void {
    pair(called, twin, holding(held, site));
  }

  fn(twin: Twin, held: Held, site: number, name?: string): AnyFunction {
    return functionOf(twin, this.finish, holding(held, site), name);
  }

  arrow(twin: Twin, self: unknown, held: Held, site: number, name = ''): AnyFunction {
    return arrowOf(twin.bind(self), this.finish, holding(held, site), name);
  }

  /** The function of a private method: the same whenever it is asked for. */
  plain(twin: Twin, site: number): AnyFunction {
    const known = this.#privates.get(twin) ?? methodOf(twin, this.finish, { site });
    this.#privates.set(twin, known);
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
    makeMembers(object, { methods, getters, setters }, this.finish, holding(held, site));
    return object;
  }

  /** A class, and its name where it has none of its own. */
  known(owner: { readonly prototype: object }, name?: string): void {
    setTransformed(owner.prototype);
    if (name !== undefined) Object.defineProperty(owner, 'name', { value: name, configurable: true });
  }

  hidden(owner: { readonly prototype: object }, look: Parameters<typeof hide>[1], held: Held): void {
    hide(owner, look, held === 0 ? undefined : held);
  }

  /** Runs a coroutine to its end, where nobody can wait for it. */
  readonly finish = (coroutine: Coroutine): unknown => {
    let { done, value } = coroutine.next(0);
    while (!done) {
      if (this.memory !== undefined) this.fail(this.memory.site, CAN_NOT_WAIT);
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

  // `super.f`: only the engine knows whose `f` that is, so it is asked, and an accessor hands its coroutine over

  ask(): void {
    ask();
  }

  isAsked(): boolean {
    const coroutine = answer();
    if (coroutine === undefined) return false;
    this.g = coroutine;
    return true;
  }

  /** What a template gives its tag. */
  strings(strings: TemplateStringsArray, ...values: unknown[]): unknown[] {
    return [strings, ...values];
  }

  // ── going over, and taking apart ──

  isOwn(value: unknown): boolean {
    return iteration.isOwn(this, value);
  }

  over(value: Iterable<unknown>): Rounds {
    // what is its own at first may be shared before the loop ends
    return rounds(iteratorOf(value), Object(value) === value ? value : undefined);
  }

  iterate(value: unknown, site: number): Coroutine<Rounds> {
    return iteration.iterate(this, value, site);
  }

  /** Before each round: 0, go on; 2, a coroutine finds the next value. */
  step(at: Rounds, site: number): Told {
    this.memory?.frames?.again(this.memory.current, site, site);
    const isOwn = at.takes === undefined && this.sharing.tagOf(at.over) === undefined;
    return isOwn ? 0 : this.run(iteration.step(this, at, site));
  }

  next(at: Rounds): boolean {
    return take(at);
  }

  /** A loop ends. True where a coroutine has to be run for that. */
  close(at: Rounds | undefined, site: number, isAfterError = false): boolean {
    const called = closer(at);
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

/** There is one for all copies of this module that a process may load. */
const shared = globalThis as unknown as Record<symbol, Runtime | undefined>;
const key = Symbol.for(RUNTIME);
shared[key] ??= new Runtime();
export const runtime: Runtime = shared[key];
