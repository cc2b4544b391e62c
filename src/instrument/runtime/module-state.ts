/**
 * Module state: what files hold in their variables outlives an execution, and must be the same at the start of each.
 *
 * All of it is recorded once, after loading. An object is noted before it changes, and restored before the next execution; unchanged
 * objects cost nothing.
 */

import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import type { VariableReader } from '../model/coroutine-versions.js';
import { isOfPlatform } from '../model/effects.js';
import { NO_MORE, reach, visitPrivateFields } from '../model/reach.js';
import type { Sharing } from '../model/sharing.js';

export type Writer = (i: number, value: unknown) => void;

export class ModuleState {
  readonly #sharing: Sharing;
  /** Variables of files that are loaded but not recorded yet. */
  readonly #roots: (VariableReader | object)[] = [];
  /** Object to the function that restores it. */
  readonly #restore = new Map<object, () => void>();
  readonly #changed = new Set<object>();
  /** Object to the site where code in sync mode read it: it may not change any more. */
  readonly #still = new Map<object, number>();
  readonly #refuse: (site: number) => never;
  /** All that was changed in some execution, in the order of the first time. */
  readonly #changing = new Set<object>();
  /** What the global object held before it was changed. */
  #globals: ReadonlyMap<PropertyKey, PropertyDescriptor> = new Map();
  /** Functions that record the variables of files that are loaded but not recorded yet. */
  readonly #savers: (() => void)[] = [];

  constructor(sharing: Sharing, refuse: (site: number) => never) {
    this.#sharing = sharing;
    this.#refuse = refuse;
  }

  /** The variables of a file, or a shared scope of some of them. */
  add(root: VariableReader | object): void {
    this.#roots.push(root);
  }

  /** The variables behind a shared scope are its contents. */
  addVariables(scope: object, reader: VariableReader, count: number, write: Writer): void {
    this.#roots.push(scope);
    const values: unknown[] = [];
    this.#savers.push(() => {
      for (let i = 0; i < count; i++) values[i] = reader(i);
    });
    this.#restore.set(scope, () => {
      for (let i = 0; i < count; i++) write(i, values[i]);
    });
  }

  /** Another program starts: what earlier ones changed is no part of its state. */
  start(): void {
    this.#changing.clear();
    this.#still.clear();
  }

  /** Notes that an object is about to change. */
  change(object: object): void {
    const changed = ArrayBuffer.isView(object) ? object.buffer : object;
    const site = this.#still.get(changed);
    if (site !== undefined) this.#refuse(site);
    this.#save(changed);
    this.#changed.add(changed);
    this.#changing.add(changed);
  }

  /** Requires that an object never changes. False if it has changed in some execution. */
  keepUnchanged(object: object, site: number): boolean {
    if (this.#changing.has(object)) return false;
    if (!this.#still.has(object)) this.#still.set(object, site);
    return true;
  }

  /** Is it module state that no execution of this program has changed? */
  isUnchanged(object: object): boolean {
    return this.#restore.has(object) && !this.#changing.has(object);
  }

  /** Before an execution: everything is again as the files left it. */
  reset(): void {
    for (const object of this.#changed) this.#restore.get(object)?.();
    this.#changed.clear();
    if (this.#roots.length === 0) return;
    for (const save of this.#savers.splice(0)) save();
    for (const root of this.#roots.splice(0))
      for (const value of typeof root === 'function' ? valuesOf(root as VariableReader) : [root])
        for (const object of this.#sharing.keep(value)) this.#save(object);
  }

  #save(object: object): void {
    if (this.#restore.has(object)) return;
    this.#restore.set(object, restorer(object));
    if (object === globalThis) this.#globals = fieldsOf(object);
  }

  /**
   * Visits what objects hold that were changed since the execution began. Of the global object only what was assigned: from the rest of it
   * all of the process can be reached, which differs from one execution to the next.
   */
  visitChanged(visit: (value: unknown) => void): void {
    for (const object of this.#changed) {
      if (object !== globalThis) reach(object, visit);
      else
        for (const key of Reflect.ownKeys(globalThis)) {
          const { value } = Object.getOwnPropertyDescriptor(globalThis, key)!;
          if (!Object.is(value, this.#globals.get(key)?.value) && !isPlatformFunction(value)) visit(value);
        }
    }
  }

  /** Module state that some execution of this program has changed. */
  get changing(): ReadonlySet<object> {
    return this.#changing;
  }

  /** All objects that can change, for fingerprints of states. Their number distinguishes states before and after more are known. */
  contents$(visit: (value: unknown) => void): void {
    visit(this.#changing.size);
    for (const object of this.#changing) visit(object);
  }
}

function valuesOf(reader: VariableReader): unknown[] {
  const values: unknown[] = [];
  for (let i = 0; ; i++) {
    try {
      const value = reader(i);
      if (value === NO_MORE) return values;
      values.push(value);
    } catch {
      // a variable that was never initialized
    }
  }
}

/** A function that restores an object to its present state: its internal slots, and its own and private fields. */
function restorer(object: object): () => void {
  const restoreFields = restorerOfFields(object);
  const restoreSlots = restorerOfSlots(object);
  return () => {
    restoreSlots?.();
    restoreFields();
  };
}

function restorerOfSlots(object: object): (() => void) | undefined {
  if (types.isMap(object)) {
    const entries = [...Map.prototype.entries.call(object)];
    return () => {
      Map.prototype.clear.call(object);
      for (const [key, value] of entries) Map.prototype.set.call(object, key, value);
    };
  }
  if (types.isSet(object)) {
    const values = [...Set.prototype.values.call(object)];
    return () => {
      Set.prototype.clear.call(object);
      for (const value of values) Set.prototype.add.call(object, value);
    };
  }
  if (types.isAnyArrayBuffer(object)) {
    const bytes = new Uint8Array(object).slice();
    return () => new Uint8Array(object).set(bytes);
  }
  if (types.isDate(object)) {
    const time = object.getTime();
    return () => object.setTime(time);
  }
  return undefined;
}

/** Node makes some global functions at their first use, and others are replaced for a while: an exploration has not assigned these. */
const isPlatformFunction = (value: unknown): boolean =>
  typeof value === 'function' && isOfPlatform(value as AnyFunction);

const fieldsOf = (object: object): ReadonlyMap<PropertyKey, PropertyDescriptor> =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)!]));

function restorerOfFields(object: object): () => void {
  if (ArrayBuffer.isView(object)) return () => {};
  const fields = fieldsOf(object);
  const prototype = Object.getPrototypeOf(object) as object | null;
  const hidden: (() => void)[] = [];
  visitPrivateFields(object, (value, assign) => hidden.push(() => assign(value)));
  const isArray = Array.isArray(object);
  return () => {
    if (Object.getPrototypeOf(object) !== prototype) Object.setPrototypeOf(object, prototype);
    if (isArray && Object.isExtensible(object)) object.length = 0;
    for (const key of Reflect.ownKeys(object)) if (!fields.has(key)) Reflect.deleteProperty(object, key);
    // a field that cannot be restored cannot have changed
    for (const [key, field] of fields) Reflect.defineProperty(object, key, field);
    for (const assign of hidden) assign();
  };
}
