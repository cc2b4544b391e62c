/**
 * Results of executions as values that can be compared.
 *
 * Each execution creates its own objects, so a function, a symbol or an object whose state is hidden never equals that of
 * another execution. In results, such values are replaced by what can be seen of them: functions and symbols by their names,
 * errors by their text, iterators, promises and objects of the platform by their kind, instances by the
 * name of their class and their visible fields, the object under test and arguments by their role, and a cycle by its length. All other
 * values are copied, because the object may change them after it has returned them. Of the user's
 * code only `equals` and `hashCode` are called, and getters are not evaluated. Cost: O(size of the value).
 *
 * With `Identities`, a replaced value also has a number: ‹Guard 1› and ‹Guard 2› are two objects of one execution. The
 * numbers of two executions are compared up to a bijection (explore/automata/configurations.ts), because executions return
 * objects in different orders. Members of sets and maps have no numbers, because their order does not count.
 */
import { thrownText } from '../base/errors.js';
import {
  copyOf,
  hasPrivateFields,
  isBoxed,
  isPrimitive,
  isSelfComparing,
  type SelfComparing,
} from '../base/values/canonical.js';

import { show } from '../base/values/show.js';
import { type HasContents, primitives } from './memory/heap-walk.js';

/** Which results have an identity: none; functions, symbols and instances of classes; or also plain objects and lists. */
export type IdentityMode = 'none' | 'opaque' | 'all';

/** The identities of one execution: values of one name are numbered in the order in which they are returned. */
export class Identities {
  readonly self: unknown;
  readonly mode: IdentityMode;
  readonly #roles: ReadonlyMap<unknown, string>;
  readonly #numbers = new Map<unknown, number>();
  readonly #counts = new Map<string, number>();

  /** `roles`: arguments of calls, and what to name them if they are returned. */
  constructor(mode: IdentityMode, self: unknown, roles: ReadonlyMap<unknown, string> = new Map()) {
    this.mode = mode;
    this.self = self;
    this.#roles = roles;
  }

  roleOf(value: unknown): string | undefined {
    return value === this.self ? 'the object under test' : this.#roles.get(value);
  }

  /** How many values have numbers, as text. */
  get counts(): string {
    return [...this.#counts].sort().join();
  }

  knownNumberOf(value: unknown): number | undefined {
    return this.#numbers.get(value);
  }

  numberOf(value: unknown, name: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const number = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, number);
    this.#numbers.set(value, number);
    return number;
  }
}

/** Stands for a value that cannot be compared itself. Equal if name, number and fields are equal. */
class Opaque {
  readonly name: string;
  declare readonly fields?: object;
  declare readonly identity?: number;

  constructor(name: string, fields?: object, identity?: number) {
    this.name = name;
    if (fields !== undefined && Reflect.ownKeys(fields).length > 0) this.fields = fields;
    if (identity !== undefined) this.identity = identity;
  }

  toString(): string {
    const name = this.identity === undefined ? this.name : `‹${this.name} ${this.identity}›`;
    return this.fields === undefined ? name : `${name} ${show(this.fields)}`;
  }
}

/** A value that stands for a result, with other identities; undefined removes one. Lists and fields in order, sets and maps have none. */
export function renamed(
  value: unknown,
  rename: (name: string, identity: number) => number | undefined,
): unknown {
  const next = (inner: unknown): unknown => renamed(inner, rename);
  // identities are visited in the order of the names, and shown in the order of the value
  const fieldsOf = (of: object): object => {
    const names = Object.keys(of);
    const values = new Map(names.toSorted().map((key) => [key, next((of as Record<string, unknown>)[key])]));
    return Object.fromEntries(names.map((key) => [key, values.get(key)]));
  };
  if (value instanceof Opaque) {
    const { name, identity, fields } = value;
    const own = identity === undefined ? undefined : rename(name, identity);
    return new Opaque(name, fields && fieldsOf(fields), own);
  }
  if (Array.isArray(value)) return value.map(next);
  return Object(value) === value && isPlain(Object.getPrototypeOf(value) as object | null)
    ? fieldsOf(value as object)
    : value;
}

/** `self` is the object under test. */
export function comparable(value: unknown, self?: unknown): unknown {
  if (isPrimitive(value) && typeof value !== 'symbol') return value;
  return new Comparison(self).of(value);
}

/** Also for errors of another realm: test runners load tests in contexts of their own. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || kindOf(value) === 'Error';
  } catch {
    // a proxy
    return false;
  }
}

/** An error with everything that it is compared by: `Error [CODE]: message`, and its cause. */
export function errorText(error: unknown, depth = 0): string {
  if (!isError(error)) return typeof error === 'string' ? error : show(comparable(error));
  try {
    const { name, message, cause } = error;
    const { code } = error as { code?: unknown };
    const coded = typeof code === 'string' || typeof code === 'number' ? `${name} [${code}]` : `${name}`;
    const text = message === '' ? coded : `${coded}: ${message}`;
    return cause === undefined || depth === MOST_CAUSES
      ? text
      : `${text} (cause: ${errorText(cause, depth + 1)})`;
  } catch {
    return thrownText(error);
  }
}

/** Causes of causes; they may form a cycle. */
const MOST_CAUSES = 4;

export class Comparison {
  readonly #self: unknown;
  readonly #identities: Identities | undefined;
  /** Objects to what stands for them, if it is complete. */
  readonly #known = new Map<object, unknown>();
  /** The objects around the current one. */
  readonly #path: object[] = [];
  /** Inside how many sets and maps? */
  #unordered = 0;

  constructor(self: unknown, identities?: Identities) {
    this.#self = self;
    this.#identities = identities;
  }

  /** A result. A handle is compared by its name and identity alone: its fields may be state of the object under test. */
  result(value: unknown, isHandle: boolean): unknown {
    if (!isHandle || isPrimitive(value) || this.#identities?.roleOf(value) !== undefined)
      return this.of(value);
    const name = typeof value === 'function' ? nameOfFunction(value) : nameOf(value as object);
    return new Opaque(name, undefined, this.#identities?.numberOf(value, name));
  }

  of(value: unknown): unknown {
    const role = this.#identities?.roleOf(value);
    if (role !== undefined) return new Opaque(role);
    if (typeof value === 'symbol')
      return this.#opaque(value, String(value), undefined, Symbol.keyFor(value) === undefined);
    if (typeof value === 'function')
      return this.#hasIdentity ? this.#opaque(value, nameOfFunction(value)) : new Opaque(show(value));
    if (typeof value !== 'object' || value === null) return value;
    if (value === this.#self) return new Opaque('the object under test');
    const known = this.#unordered > 0 ? undefined : this.#known.get(value);
    if (known !== undefined) return known;
    const cycle = this.#path.lastIndexOf(value);
    if (cycle >= 0) return new Opaque(`cycle of ${this.#path.length - cycle}`);
    this.#path.push(value);
    const made = this.#visible(value);
    this.#path.pop();
    if (this.#unordered === 0) this.#known.set(value, made);
    return made;
  }

  get #hasIdentity(): boolean {
    return this.#identities !== undefined && this.#identities.mode !== 'none' && this.#unordered === 0;
  }

  #opaque(value: unknown, name: string, fields?: object, isDistinct = true): Opaque {
    const number = isDistinct && this.#hasIdentity ? this.#identities?.numberOf(value, name) : undefined;
    return new Opaque(name, fields, number);
  }

  /** Proxies may throw whatever is asked of them. */
  #visible(value: object): unknown {
    const depth = this.#path.length;
    try {
      return this.#object(value);
    } catch {
      this.#path.length = depth;
      return this.#opaque(value, 'object that cannot be read');
    }
  }

  #object(value: object): unknown {
    if (value instanceof Opaque) return value;
    if (isError(value)) return new Opaque(errorText(value));
    if (isSelfComparing(value) && comparesContent(value)) return value;
    if (value instanceof RegExp || isBoxed(value)) return value;
    if (value instanceof Date) return copyOf(value);
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return copyOf(value);
    const prototype = Object.getPrototypeOf(value) as object | null;
    const name = nameOf(value);
    if (Array.isArray(value)) {
      const items = Array.from(value, (item) => this.of(item));
      return this.#container(value, name, 'Array', items);
    }
    if (value instanceof Map) {
      const entries = this.#inAnyOrder(() =>
        Array.from(value, ([k, v]) => [this.of(k), this.of(v)] as const),
      );
      return this.#container(value, name, 'Map', new Map(entries));
    }
    if (value instanceof Set) {
      const members = this.#inAnyOrder(() => Array.from(value, (item) => this.of(item)));
      return this.#container(value, name, 'Set', new Set(members));
    }
    if (isIterator(value)) return this.#opaque(value, kindOf(value));
    if (isTimer(value)) return this.#opaque(value, 'timer');
    if (isOfPlatform(prototype, name)) {
      const content = contentOf(value);
      return this.#opaque(value, name, content, content === undefined);
    }
    const fields =
      prototype !== null && primitives.has(prototype)
        ? this.#contents(value as HasContents)
        : this.#fields(value);
    if (!isPlain(prototype)) return this.#opaque(value, name, fields);
    return this.#identities?.mode === 'all' ? this.#opaque(value, 'object', fields) : fields;
  }

  #inAnyOrder<T>(read: () => T): T {
    this.#unordered++;
    try {
      return read();
    } finally {
      this.#unordered--;
    }
  }

  /** A container as it is; one of a class that extends it, or with an identity, with the name of its class. */
  #container(value: object, name: string, plain: string, content: object): unknown {
    if (name === plain && this.#identities?.mode !== 'all') return content;
    return this.#opaque(value, name, { content });
  }

  /** Of a primitive for threads, whose fields name locations. */
  #contents(value: HasContents): object {
    const parts: unknown[] = [];
    value.contents$((part) => parts.push(this.of(part)));
    return { parts };
  }

  /** Numbers do not depend on the order of the fields, which may be added in any order. */
  #fields(value: object): object {
    const held = new Map<string, unknown>();
    const keys = Reflect.ownKeys(value).filter((key) =>
      Object.prototype.propertyIsEnumerable.call(value, key),
    );
    for (const key of keys.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))) {
      const field = Object.getOwnPropertyDescriptor(value, key) as PropertyDescriptor;
      held.set(String(key), 'value' in field ? this.of(field.value) : new Opaque('accessor'));
    }
    return Object.fromEntries(keys.map((key) => [String(key), held.get(String(key))]));
  }
}

/** Values of proofs, of which no copy can be made. Their `equals` compares by content. */
export const freshValues: WeakSet<object> = new WeakSet<object>();

/** Does an object with `equals` compare by content, as a copy shows? Two executions return two objects. */
function comparesContent(value: SelfComparing): boolean {
  if (freshValues.has(value)) return true;
  try {
    if (hasPrivateFields(value)) return value.equals(value) && Number.isFinite(value.hashCode());
    const fields = Object.getOwnPropertyDescriptors(value);
    const copy = Object.create(Object.getPrototypeOf(value) as object, fields) as SelfComparing;
    return value.equals(copy) && value.hashCode() === copy.hashCode();
  } catch {
    return false;
  }
}

/** Also for prototypes of another realm. */
const isPlain = (prototype: object | null): boolean =>
  prototype === null || Object.getPrototypeOf(prototype) === null;

/** The name of the first class with one; `object` for plain objects. */
function nameOf(value: object): string {
  let at = Object.getPrototypeOf(value) as object | null;
  if (isPlain(at)) return 'object';
  for (; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const maker = Object.getOwnPropertyDescriptor(at, 'constructor')?.value as unknown;
    if (typeof maker === 'function' && maker.name !== '') return maker.name;
  }
  return 'object';
}

const nameOfFunction = (value: { readonly name: unknown }): string =>
  typeof value.name === 'string' && value.name !== '' ? value.name : 'function';

/** A class of the language or of the platform keeps its state outside fields, or in fields that differ in each run. */
const isOfPlatform = (prototype: object | null, name: string): boolean =>
  !isPlain(prototype) &&
  Object.hasOwn(globalThis, name) &&
  (globalThis as Record<string, unknown>)[name] === prototype?.constructor;

const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** An iterator of the language, synchronous or not. */
const isIterator = (value: object): boolean =>
  /(Iterator|Generator)$/.test(kindOf(value)) && typeof (value as { next?: unknown }).next === 'function';

/** Of Node, or of a virtual event loop. */
const isTimer = (value: object): boolean =>
  ['ref', 'unref', 'hasRef'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function');

/** What can be seen of an object of the platform. */
function contentOf(value: object): object | undefined {
  if (value instanceof URL || value instanceof URLSearchParams) return { content: String(value) };
  if (value instanceof ArrayBuffer || isShared(value)) return { content: new Uint8Array(value).slice() };
  if (value instanceof DataView)
    return { content: new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice() };
  return undefined;
}

const isShared = (value: object): value is SharedArrayBuffer =>
  typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer;
