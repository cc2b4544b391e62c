/**
 * `new` in transformed code. Constructors run at once; those of containers look into what they are given, which may be
 * shared, and so may have to wait before. What was not transformed is listed.
 */

import type { AnyFunction } from '../../base/any-function.js';
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import type { Coroutine } from '../../execution/program.js';
import { listOf } from '../builtins/argument-readers.js';
import { isOwn } from '../builtins/iteration.js';
import { DATE } from '../builtins/stand-ins.js';
import { isPrimitiveClass } from '../model/effects.js';
import type { Told } from '../model/host.js';
import { isTransformed, twinOf } from '../model/twins.js';
import { Calls } from './calls.js';

export class Makes extends Calls {
  make(made: AnyFunction, args: unknown[], site: number): Told {
    if (this.memory !== undefined && isNow(made, args)) {
      this.list(this.controlled, site, DATE.name);
      return this.run(this.chance.ask(DATE, this, site, args)!);
    }
    const looksInto = CONTAINERS.has(made) && args.some((arg) => !isOwn(this, arg));
    if (!looksInto || this.memory === undefined) return this.at(this.makeNow(made, args, site));
    return this.run(this.#makeOf(made, args, site));
  }

  *#makeOf(made: AnyFunction, args: unknown[], site: number): Coroutine {
    const lists: unknown[] = [];
    for (const arg of args) lists.push(yield* listOf(this, arg, site));
    return Reflect.construct(made, lists);
  }

  makeNow(made: AnyFunction, args: unknown[], site: number): unknown {
    const memory = this.memory ?? this.making;
    if (memory !== undefined && isNow(made, args)) {
      this.list(this.controlled, site, DATE.name);
      return this.chance.now(DATE, memory, args);
    }
    if (
      this.memory !== undefined &&
      !CONTAINERS.has(made) &&
      !isTransformed(made?.prototype ?? {}) &&
      !twinOf(made) &&
      !isPrimitiveClass(made)
    )
      this.list(this.atomic, site, `new ${made?.name || 'a class without a name'}`, args);
    const object: unknown = new (made as unknown as new (...args: unknown[]) => unknown)(...args);
    if (made === (Proxy as unknown)) this.hasTraps.add(object as object);
    return object;
  }
}

/** `new Date()` */
const isNow = (made: unknown, args: readonly unknown[]): boolean => made === Date && args.length === 0;

/** Constructors that come with JavaScript, and look into what they are given. */
const CONTAINERS = new Set<unknown>([
  Array,
  Map,
  Set,
  WeakMap,
  WeakSet,
  ...TYPED_ARRAYS,
  ArrayBuffer,
  SharedArrayBuffer,
  Date,
  RegExp,
  Object,
  Error,
  TypeError,
  RangeError,
]);
