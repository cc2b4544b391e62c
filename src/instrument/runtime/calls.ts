/**
 * Calls of instrumented code. A call is looked up by the function itself: instrumented functions run as coroutines, built-in functions
 * by their effects (model/effects.ts), all others in one step. For the report, the last kind is listed in `atomic`, and replaced sources
 * of time and randomness in `controlled`.
 */

import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import type { SourcePosition } from '../../base/source-position.js';
import { READ, UPDATE } from '../../execution/memory/access.js';
import { EVERYTHING } from '../../execution/memory/locations.js';
import type { Memory } from '../../execution/memory/memory.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import type { Coroutine } from '../../execution/program.js';
import { isHostObject, isRepeatable, LoadReads, type Report, Sensors } from '../builtins/ambient.js';
import { elementwise, join, joinOf } from '../builtins/argument-readers.js';
import { change, isAtomic, isCopying, isStoring, partOf, storedBy, Waiters } from '../builtins/atomics.js';
import { ControlledInputs, controlledInputOf } from '../builtins/controlled-inputs.js';
import { callWithPrimitives, convertingFirst, isConverted, isOfPatterns } from '../builtins/conversions.js';
import { higherOrder } from '../builtins/higher-order.js';
import { isOwn, LiveIterator } from '../builtins/iteration.js';
import { apply, onCopies } from '../builtins/reflection.js';
import { coroutineOf, NOWHERE, pair } from '../model/coroutine-versions.js';
import { CONTAINERS, effectOf, isPrimitiveCoroutine, keepsLastIndex, runsLater } from '../model/effects.js';
import type { Host, StepAction } from '../model/host.js';
import { canBeCopied } from '../model/reach.js';
import { MODULE_STATE, WHOLE } from '../model/sharing.js';
import { Accesses } from './accesses.js';

/** A call of a function that runs in one step: announced, not done. */
interface Pending {
  readonly kind: number;
  readonly called: AnyFunction;
  readonly self: unknown;
  readonly args: readonly unknown[];
  readonly location: number;
}

/** A function by its name, and where it is called. */
export interface CalledFunction extends SourcePosition {
  readonly name: string;
  /** Can it reach a shared object, so that its accesses are unknown? */
  readonly isGivenShared: boolean;
  /** Is it a repeatable function of the platform (builtins/ambient.ts) that can reach nothing shared? All others may access anything. */
  readonly isObserved: boolean;
}

export class Calls extends Accesses implements Host {
  readonly inputs: ControlledInputs = new ControlledInputs();
  /** Set while the object under test is created: randomness and time are controlled already. */
  creating: Memory | undefined;
  readonly waiters: Waiters = new Waiters();
  /** Site to the function that ran in one step there, because it is not instrumented. */
  readonly atomic: Map<number, CalledFunction> = new Map();
  /** Site to the source of randomness or time that was replaced there. */
  readonly controlled: Map<number, CalledFunction> = new Map();
  /** Reports what is read beside state and arguments where calls are not looked up; and what files read while they loaded. */
  readonly sensors: Sensors = new Sensors();
  readonly loads: LoadReads = new LoadReads(this.sensors);
  /** Thread to the call that it has announced. */
  readonly #pending: Pending[] = [];

  /** The current thread starts a call. */
  begin(): void {
    this.inputs.begin(this.memory!.current);
  }

  call(called: unknown, self: unknown, args: unknown[], site: number): StepAction {
    const version = coroutineOf(called);
    if (version !== undefined) {
      const isPrimitive = isPrimitiveCoroutine(version);
      if (isPrimitive) this.#usePrimitive(self as object, args, site);
      const coroutine = version.apply(self, args);
      this.g = isPrimitive ? coroutine : this.into(coroutine, site);
      return 2;
    }
    if (typeof called !== 'function') throw new TypeError(`${String(called)} is not a function`);
    return this.#callNative(called as AnyFunction, self, args, site);
  }

  /** Primitives announce their accesses themselves, and share what they store. */
  #usePrimitive(self: object, args: readonly unknown[], site: number): void {
    if (!(self instanceof AtomicRef)) for (const arg of args) this.sharing.publish(arg);
    if (this.memory === undefined) return;
    this.memory.site = site;
    if (this.sharing.tagOf(self)?.execution === MODULE_STATE)
      this.fail(
        site,
        `a ${self.constructor.name} that a variable of a file holds cannot be restored before each execution: create it together with the object under test`,
      );
  }

  #callNative(called: AnyFunction, self: unknown, args: unknown[], site: number): StepAction {
    const { memory } = this;
    if (called === Function.prototype.call) return this.call(self, args[0], args.slice(1), site);
    if (called === Function.prototype.apply) return this.run(apply(this, self, args[0], args[1] ?? [], site));
    if (called === Reflect.apply) return this.run(apply(this, args[0], args[1], args[2], site));
    if (called === Function.prototype.bind && coroutineOf(self) !== undefined)
      return this.#bind(self as AnyFunction, args);
    const tag = this.sharing.tagOf(self);
    if (memory === undefined) {
      if (this.creating && controlledInputOf(called)) return this.at(this.callNow(called, self, args, site));
      if (tag !== undefined && typeof self === 'object') this.moduleState.change(self as object);
      return this.at(Reflect.apply(called, self, args));
    }
    // many functions change `lastIndex` on the way
    if (types.isRegExp(self) || args.some(types.isRegExp)) this.changed();
    const source = controlledInputOf(called);
    if (source !== undefined) {
      this.list(this.controlled, site, source.name);
      const asking = this.inputs.ask(source, this, site, args);
      return asking === undefined ? this.at(this.inputs.now(source, memory, args)) : this.run(asking);
    }
    const converting = convertingFirst(this, called, self, args, site);
    if (converting !== undefined) return this.run(converting);
    if (isAtomic(called)) {
      const owner = this.sharing.tagOf(args[0]);
      if (owner === undefined) this.changed();
      else if (owner.execution === MODULE_STATE) this.moduleState.change(args[0] as object);
      return this.run(this.waiters.atomic(this, called, args, site));
    }
    if (called === LiveIterator.prototype.next && self instanceof LiveIterator) {
      this.changed();
      return this.run(self.step(this, site));
    }
    const isAnnounced = (): boolean =>
      tag !== undefined || args.some((arg) => !isOwn(this, arg) || this.sharing.isReachable([arg]));
    const ofView = ArrayBuffer.isView(self) && isAnnounced() ? elementwise(called) : undefined;
    if (ofView !== undefined) return this.run(ofView(this, self as never, args, site));
    const coroutine = higherOrder(called);
    if (coroutine !== undefined) return this.run(coroutine(this, self as never, args, site));
    return this.#callByEffect(called, self, args, site);
  }

  #callByEffect(called: AnyFunction, self: unknown, args: unknown[], site: number): StepAction {
    const effect = effectOf(called);
    const tag = this.sharing.tagOf(self);
    const joined = joinOf(called, self, args);
    if (joined !== undefined) return this.run(join(this, self as unknown[], joined[0], site));
    switch (effect) {
      case 'pure':
        // it reads and changes fields of what is no regular expression
        if (tag !== undefined && isOfPatterns(called) && !types.isRegExp(self))
          return this.#callForeign(called, self, args, site);
        // what it converts to a number or a string may be shared, or code of the user's
        if (!IDENTIFYING.has(called) && args.some((arg) => isConverted(this, arg)))
          return this.run(callWithPrimitives(this, called, self, args, site));
        return this.#callPure(called, self, args, site);
      case 'iterates': {
        const iterator = Reflect.apply(called, self, args) as Iterator<unknown>;
        return this.at(tag === undefined ? iterator : new LiveIterator(self as object, iterator));
      }
      case 'reads':
        return tag === undefined
          ? this.at(Reflect.apply(called, self, args))
          : this.#later(READ, called, self, args, site);
      case 'writes':
        if (tag !== undefined) return this.#later(UPDATE, called, self, args, site);
        return this.#changeOwnContainer(called, self as object, args, site);
      default:
        return this.#callForeign(called, self, args, site);
    }
  }

  /** A pure function still changes a regular expression that keeps `lastIndex`. */
  #callPure(called: AnyFunction, self: unknown, args: unknown[], site: number): StepAction {
    const pattern = [self, args[0]].find(keepsLastIndex) as RegExp | undefined;
    if (pattern === undefined) return this.at(Reflect.apply(called, self, args));
    if (this.sharing.tagOf(pattern) !== undefined)
      return this.#later(UPDATE, called, self, args, site, pattern);
    this.changed();
    return this.at(Reflect.apply(called, self, args));
  }

  #changeOwnContainer(called: AnyFunction, self: object, args: unknown[], site: number): 0 {
    if (isHostObject(self)) this.unobserved(self, called.name, site);
    const { result, hasChanged } = change(called, self, args);
    if (hasChanged) this.changed();
    return this.at(result);
  }

  /** A function with unknown effects. */
  #callForeign(called: AnyFunction, self: unknown, args: unknown[], site: number): StepAction {
    if (runsLater(called))
      this.fail(
        site,
        `${called.name} runs something later, outside of all threads: explore it with the async back end`,
      );
    if (this.isOnCopies(called, [self, ...args]))
      return this.run(
        onCopies(this, (that, given) => Reflect.apply(called, that, given), [self, ...args], site),
      );
    const isObserved = this.listForeign(called, self, args, site);
    if (!isObserved) return this.#announceForeign(called, self, args, site);
    if (this.sharing.tagOf(self)?.kind === 'whole') return this.#later(UPDATE, called, self, args, site);
    if ([self, ...args].some((value) => typeof value === 'object' && value !== null)) this.changed();
    const result: unknown = Reflect.apply(called, self, args);
    if (this.failure !== undefined) throw this.failure;
    return this.at(result);
  }

  /** Is it a function of the platform that can reach something shared, all of which can be copied? */
  protected isOnCopies(called: AnyFunction, values: readonly unknown[]): boolean {
    if (typeof called !== 'function' || CONTAINERS.has(called) || !this.sharing.isReachable(values))
      return false;
    // functions are not copied
    const hasFields = (value: unknown): boolean =>
      typeof value === 'function' && Object.keys(value).length > 0;
    return isRepeatable(called, values.slice(1)) && canBeCopied(values) && !values.some(hasFields);
  }

  override unobserved(object: object, key: PropertyKey, site: number): void {
    const owner = typeof object === 'function' ? object : object.constructor;
    const name = types.isProxy(object) ? 'a Proxy' : `${owner?.name ?? 'Object'}.${String(key)}`;
    const place = this.sites.placeOf(site);
    this.atomic.set(site, { ...place, name, isGivenShared: true, isObserved: false });
  }

  /** A call that may access anything is one step that conflicts with all others. */
  #announceForeign(called: AnyFunction, self: unknown, args: unknown[], site: number): StepAction {
    for (const value of [self, ...args]) {
      this.sharing.publish(value);
      if (this.sharing.tagOf(value)?.execution === MODULE_STATE) this.moduleState.change(value as object);
    }
    this.#pending[this.memory!.current] = { kind: UPDATE, called, self, args, location: EVERYTHING };
    return this.announceEverything(site);
  }

  /** `called.bind(…args)`. */
  bindNow(called: AnyFunction, args: unknown[]): unknown {
    if (typeof called !== 'function' || coroutineOf(called) === undefined)
      return (called as unknown as { bind(...args: unknown[]): unknown }).bind(...args);
    this.#bind(called, args);
    return this.v;
  }

  #bind(called: AnyFunction, [self, ...first]: unknown[]): StepAction {
    const version = coroutineOf(called)!;
    const bound = called.bind(self, ...first);
    const held = [called, self, ...first];
    pair(bound, version.bind(self, ...first), {
      site: NOWHERE,
      captured: (i) => (i < held.length ? held[i] : this.no),
    });
    return this.at(bound);
  }

  /** Announces a call, which is done when the thread is resumed. */
  #later(
    kind: number,
    called: AnyFunction,
    self: unknown,
    args: unknown[],
    site: number,
    on: object = self as object,
  ): StepAction {
    if (kind !== READ) for (const arg of args) this.sharing.publish(arg);
    const tag = this.sharing.tagOf(on)!;
    const part = on === self ? partOf(called, on, args) : WHOLE;
    const location = this.sharing.locationOf(on, tag, part);
    this.#pending[this.memory!.current] = { kind, called, self, args, location };
    if (kind !== READ && tag.execution === MODULE_STATE) this.moduleState.change(on);
    return this.announce(kind, on, part, site);
  }

  done(): unknown {
    const memory = this.memory!;
    const { kind, called, self, args, location } = this.#pending[memory.current];
    if (location === EVERYTHING) {
      const result: unknown = Reflect.apply(called, self, args);
      if (this.failure !== undefined) throw this.failure;
      return this.observe(result);
    }
    if (kind === READ) return this.#observeCall(called, Reflect.apply(called, self, args));
    if (memory.onObserve && isStoring(called)) memory.onObserve(storedBy(self, args), true);
    const { result, hasChanged, hasGrown } = change(called, self as object, args);
    if (!hasChanged) memory.unchanged(location);
    else if (hasGrown) this.widen(self as object, WHOLE);
    return this.#observeCall(called, result);
  }

  #observeCall<T>(called: AnyFunction, result: T): T {
    return isCopying(called) ? this.observeResult(result) : this.observe(result);
  }

  protected at(value: unknown): 0 {
    this.v = value;
    return 0;
  }

  protected run(coroutine: Coroutine): 2 {
    this.g = coroutine;
    return 2;
  }

  /** Notes an input that was read where calls are not looked up, once for each name. */
  readonly noteAmbient: Report = (name, at) => {
    for (const known of this.atomic.values()) if (known.name === name && !known.isObserved) return;
    const place = at();
    this.atomic.set(this.sites.at(place, name), { ...place, name, isGivenShared: false, isObserved: false });
  };

  /** In sync mode: a call that may depend on randomness or time. */
  callNow(called: AnyFunction, self: unknown, args: unknown[], site: number): unknown {
    const memory = this.memory ?? this.creating;
    const source = controlledInputOf(called);
    if (memory === undefined || source === undefined) return Reflect.apply(called, self, args);
    this.list(this.controlled, site, source.name);
    return this.inputs.now(source, memory, args);
  }

  /** Lists, for the report, what was called at a site. False if the call may access what is shared. */
  protected listForeign(
    called: AnyFunction,
    self: unknown,
    args: readonly unknown[],
    site: number,
    name: string = called.name || 'a function without a name',
  ): boolean {
    const tag = this.sharing.tagOf(self);
    const isAnnounced = tag?.kind === 'whole' && !tag.isOpaque && !ArrayBuffer.isView(self);
    const isGivenShared = this.sharing.isReachable(isAnnounced ? args : [self, ...args]);
    const isObserved = !isGivenShared && isRepeatable(called, args);
    const known = this.atomic.get(site);
    if (known === undefined || (known.isObserved && !isObserved) || (!known.isGivenShared && isGivenShared))
      this.atomic.set(site, { ...this.sites.placeOf(site), name, isGivenShared, isObserved });
    return isObserved;
  }

  protected list(list: Map<number, CalledFunction>, site: number, name: string): void {
    if (!list.has(site))
      list.set(site, { ...this.sites.placeOf(site), name, isGivenShared: false, isObserved: true });
  }
}

/** Built-in functions that use their arguments as they are. */
const IDENTIFYING = new Set<unknown>([
  Object,
  Boolean,
  Object.is,
  Array.isArray,
  Array.of,
  Object.getPrototypeOf,
  Object.create,
]);
