/**
 * `new` in instrumented code. A constructor with a coroutine version runs on a bare object, step by step; all others run in one step.
 * Those of containers read their arguments, which may be shared, so these reads are announced first. Constructors that are not
 * instrumented are listed.
 */

import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import { READ } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { entriesOf, listOf, numbersOf } from '../builtins/argument-readers.js';
import { NEW_DATE } from '../builtins/controlled-inputs.js';
import { type Hint, isPrimitive, toPrimitive } from '../builtins/conversions.js';
import { fieldOf, isOwn } from '../builtins/iteration.js';
import { onCopies } from '../builtins/reflection.js';
import {
  type BaseMaker,
  type ConstructorVersion,
  constructorVersion,
  coroutineOf,
  isInstrumentedClass,
} from '../model/coroutine-versions.js';
import { CONTAINERS, isPrimitiveClass, originalOf } from '../model/effects.js';
import { type Host, look, readMember } from '../model/host.js';
import { CANNOT_SUSPEND } from './accesses.js';
import { Calls } from './calls.js';

export class Constructors extends Calls {
  /** The argument that makes a bare object: one without anything that its constructor does. */
  readonly bare: object = Object.freeze({ toString: () => 'bare' });

  /** 0: `v` is the object. 2: the coroutine `g` makes it. */
  make(made: AnyFunction, args: unknown[], site: number, target: AnyFunction = made): 0 | 2 {
    const version = typeof made === 'function' ? constructorVersion(made) : undefined;
    if (this.memory !== undefined && version !== undefined)
      return this.run(this.into(this.#construct(made, version, args, site, target), site));
    if (this.memory !== undefined && made === target && isNow(made, args)) {
      this.list(this.controlled, site, NEW_DATE.name);
      return this.run(this.inputs.ask(NEW_DATE, this, site, args)!);
    }
    if (this.memory !== undefined && this.isOnCopies(made, args))
      return this.run(
        onCopies(this, (_, given) => Reflect.construct(made, given, target), [undefined, ...args], site),
      );
    // `new Object(value)` is the value itself
    const looksInto =
      CONTAINERS.has(originalOf(made)) &&
      made !== (Object as unknown) &&
      args.some((arg, place) => isRead(this, made, arg) || isConvertedBy(made, arg, place));
    if (!looksInto || this.memory === undefined) return this.at(this.makeNow(made, args, site, target));
    return this.run(this.#makeOf(made, args, site, target));
  }

  /** `target`: the class of `new`, which may be a subclass of the one whose constructor runs. */
  *#construct(
    made: AnyFunction,
    version: ConstructorVersion,
    args: unknown[],
    site: number,
    target: AnyFunction,
  ): Coroutine {
    if ('on' in version) {
      const object = Reflect.construct(made, [this.bare], target) as object;
      const result = yield* version.on(object, args);
      return Object(result) === result ? result : object;
    }
    let object: object | undefined;
    const construct = (given: unknown[]) => this.#constructBase(made, given, site, target);
    const maker = {
      *run(given: unknown[]): Coroutine<object> {
        object = yield* construct(given);
        return object;
      },
    };
    const result = yield* version.derived(maker)(...args);
    if (result !== undefined && Object(result) !== result)
      throw new TypeError('Derived constructors may only return object or undefined');
    return result ?? object;
  }

  /** Runs the constructor of a superclass. Then the private methods of the subclass are added to the object, as `super` does. */
  *#constructBase(made: AnyFunction, args: unknown[], site: number, target: AnyFunction): Coroutine<object> {
    const base = Object.getPrototypeOf(made) as AnyFunction;
    const object = (this.make(base, args, site, target) === 2 ? yield* this.g! : this.v) as object;
    // a superclass may return any object, which gets private fields then
    if (this.memory !== undefined) this.changed();
    if (this.sharing.tagOf(object) !== undefined) this.unobserved(made, 'constructor', site);
    Object.setPrototypeOf(made, Given);
    try {
      Reflect.construct(made, [this.bare, object]);
    } finally {
      Object.setPrototypeOf(made, base);
    }
    return object;
  }

  /** `super(…)` in the constructor of a subclass. */
  *base(make: BaseMaker, args: unknown[]): Coroutine<object> {
    return typeof make === 'function' ? (make(...args) as object) : yield* make.run(args);
  }

  /** An initializer defines a field. */
  define(object: object, key: PropertyKey, value: unknown, site: number): void {
    if (this.memory !== undefined && this.sharing.tagOf(object) !== undefined)
      this.fail(site, CANNOT_SUSPEND);
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }

  *#makeOf(made: AnyFunction, args: unknown[], site: number, target: AnyFunction): Coroutine {
    const hint = hintOf(made, args.length);
    if (made !== target && isReadUnseen(this, made, args)) this.unobserved(target, 'constructor', site);
    const isView = TYPED_ARRAYS.includes(originalOf(made) as never);
    const given: unknown[] = [];
    for (const [place, arg] of args.entries()) {
      if (hint === 'default' && types.isDate(arg))
        given.push(yield* look(this, READ, arg, site, () => Date.prototype.getTime.call(arg)));
      else if (isView && place === 0) given.push(yield* numbersOf(this, arg, site));
      else if (isConvertedBy(made, arg, place)) given.push(yield* toPrimitive(this, arg, hint, site));
      else if (place === placeBeforeOptions(made) + 1 && optionOf(made) !== undefined && !isPrimitive(arg))
        given.push(yield* optionsOf(this, arg as object, optionOf(made)!, site));
      else if (hasEntries(made)) given.push(yield* entriesOf(this, arg, site));
      else given.push(yield* listOf(this, arg, site));
    }
    return Reflect.construct(made, given, target);
  }

  makeNow(made: AnyFunction, args: unknown[], site: number, target: AnyFunction = made): unknown {
    const memory = this.memory ?? this.creating;
    if (memory !== undefined && made === target && isNow(made, args)) {
      this.list(this.controlled, site, NEW_DATE.name);
      return this.inputs.now(NEW_DATE, memory, args);
    }
    if (
      this.memory !== undefined &&
      typeof made === 'function' &&
      !CONTAINERS.has(originalOf(made)) &&
      !isInstrumentedClass((made.prototype as object | undefined) ?? {}) &&
      !coroutineOf(made) &&
      !isPrimitiveClass(made)
    )
      this.listForeign(made, undefined, args, site, `new ${made.name || 'a class without a name'}`);
    if (this.memory !== undefined && isReadUnseen(this, made, args))
      this.unobserved(made, 'constructor', site);
    // \`new\` names in its error what is no constructor
    const object: unknown =
      made === target
        ? new (made as unknown as new (...args: unknown[]) => unknown)(...args)
        : Reflect.construct(made, args, target);
    if (made === (Proxy as unknown)) this.hasTraps.add(object as object);
    // a superclass may return any object, which gets the fields of the subclass then
    const isSubclass = Object.getPrototypeOf(made) !== Function.prototype;
    if (this.memory !== undefined && isSubclass) this.changed();
    if (this.memory !== undefined && isSubclass && this.sharing.tagOf(object) !== undefined)
      this.unobserved(made, 'constructor', site);
    return object;
  }
}

/** In the place of a superclass: its object is given. */
function Given(object: object): object {
  return object;
}

const isErrorClass = (made: AnyFunction): boolean =>
  made === (Error as unknown) || Object.getPrototypeOf(made) === Error;

const REAL_DATE = originalOf(Date);

/** Is an argument an object that a constructor makes a primitive of? A typed array makes one of each element. */
function isConvertedBy(made: AnyFunction, arg: unknown, place: number): boolean {
  if (isPrimitive(arg)) return false;
  const original: unknown = originalOf(made);
  if (original === REAL_DATE) return true;
  if (original === RegExp) return !(arg instanceof RegExp);
  // the next argument of an error has its cause, that of a buffer its options
  if (isErrorClass(made) || isBufferClass(original)) return place === placeBeforeOptions(made);
  return TYPED_ARRAYS.includes(original as never) && !ArrayBuffer.isView(arg) && !types.isAnyArrayBuffer(arg);
}

/** The first argument of an `AggregateError` is a list of errors. */
const placeBeforeOptions = (made: unknown): number => (made === AggregateError ? 1 : 0);

/** What a constructor reads of its options. */
function optionOf(made: AnyFunction): string | undefined {
  if (isErrorClass(made)) return 'cause';
  return isBufferClass(originalOf(made)) ? 'maxByteLength' : undefined;
}

/** A copy of options with one of them, as a number if it is one of a buffer. */
function* optionsOf(host: Host, options: object, name: string, site: number): Coroutine {
  const isInherited = !Object.hasOwn(options, name) && name in options;
  const found = isInherited
    ? [yield* readMember(host, options, name, site)]
    : yield* fieldOf(host, options, name, site);
  if (found === undefined) return {};
  return { [name]: name === 'cause' ? found[0] : yield* toPrimitive(host, found[0], 'number', site) };
}

const isBufferClass = (made: unknown): boolean => made === ArrayBuffer || made === SharedArrayBuffer;

/** What a constructor makes of an object. A single argument of a date may become a string or a number. */
function hintOf(made: AnyFunction, count: number): Hint {
  if (originalOf(made) === REAL_DATE) return count === 1 ? 'default' : 'number';
  return made === (RegExp as unknown) || isErrorClass(made) ? 'string' : 'number';
}

/** Does a constructor that cannot be suspended give what is shared to a built-in one that reads it? */
function isReadUnseen(host: Host, made: unknown, args: readonly unknown[]): boolean {
  let base = made;
  while (typeof base === 'function' && isInstrumentedClass((base.prototype as object | undefined) ?? {}))
    base = Object.getPrototypeOf(base);
  const original = originalOf(base);
  return READERS.has(original) && args.some((arg) => isRead(host, original, arg));
}

const hasEntries = (made: unknown): boolean => made === Map || made === WeakMap;

/** Is an argument shared, or a list of entries that may be shared? */
const isRead = (host: Host, made: unknown, arg: unknown): boolean =>
  !isOwn(host, arg) || (hasEntries(made) && host.sharing.isReachable([arg]));

const READERS: ReadonlySet<unknown> = new Set<unknown>([
  ...[REAL_DATE, Map, Set, WeakMap, WeakSet, ArrayBuffer, SharedArrayBuffer, RegExp, String, Number],
  ...[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError],
  ...TYPED_ARRAYS,
]);

/** `new Date()` */
const isNow = (made: unknown, args: readonly unknown[]): boolean =>
  args.length === 0 && (made === Date || originalOf(made) === REAL_DATE);
