/**
 * Outcomes of calls as small integers: equal outcomes have equal numbers.
 *
 * A returned value never equals a thrown error. Errors are compared by name and by code or message; against a spec, which
 * knows only names (`threw`), by name.
 *
 * Each execution creates its own objects, so a function, a symbol or an object whose state is hidden never equals that of
 * another execution. In results, such values are replaced by what can be seen of them: functions and symbols by their names,
 * errors by name and by code or message, iterators, promises and objects of the platform by their kind, instances by the
 * name of their class and their visible fields, the object under test by its role, and a cycle by its length. All other
 * values are copied, because the object may change them after it has returned them. Nothing of the user's is called, and
 * getters are not evaluated. Cost: O(size of the value).
 */
import { isBoxed, isSelfComparing } from '../base/values/canonical.js';
import { copyOf } from '../base/values/copy.js';
import { Interner, isPrimitive } from '../base/values/interner.js';
import { show } from '../base/values/show.js';
import type { Outcome } from '../history/model/operation.js';

/** The call has not ended. */
export const OPEN = -1;

export class Outcomes {
  readonly #values = new Interner();
  readonly #hasErrorsByName: boolean;

  constructor(hasErrorsByName = false) {
    this.#hasErrorsByName = hasErrorsByName;
  }

  /** `self` is the object under test. */
  returned(value: unknown, self?: unknown): number {
    return 2 * this.#values.intern(comparable(value, self));
  }

  threw(error: unknown): number {
    return 2 * this.#values.intern(this.#textOf(error)) + 1;
  }

  numberOf(outcome: Outcome): number {
    if (outcome.kind === 'threw') return 2 * this.#values.intern(outcome.error) + 1;
    return outcome.kind === 'returned' ? this.returned(outcome.value) : OPEN;
  }

  at(number: number): Outcome {
    if (number === OPEN) return { kind: 'pending' };
    const value = this.#values.values[number >> 1];
    return number & 1 ? { kind: 'threw', error: value as string } : { kind: 'returned', value };
  }

  #textOf(error: unknown): string {
    if (isError(error)) return this.#hasErrorsByName ? error.name : errorKey(error);
    return Object(error) === error ? show(comparable(error)) : String(error);
  }
}

/** Stands for a value that cannot be compared itself. Equal if name and fields are equal. */
class Opaque {
  readonly name: string;
  declare readonly fields?: object;

  constructor(name: string, fields?: object) {
    this.name = name;
    if (fields !== undefined && Reflect.ownKeys(fields).length > 0) this.fields = fields;
  }

  toString(): string {
    return this.fields === undefined ? this.name : `${this.name} ${show(this.fields)}`;
  }
}

/** `self` is the object under test. */
export function comparable(value: unknown, self?: unknown): unknown {
  if (isPrimitive(value) && typeof value !== 'symbol') return value;
  return new Comparison(self).of(value);
}

/** Also for errors of another realm: test runners load tests in contexts of their own. */
const isError = (value: unknown): value is Error => value instanceof Error || kindOf(value) === 'Error';

/** An error by what it is compared by: its name, and its code, or its message if it has none. */
function errorKey(error: Error): string {
  const { name, message } = error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' || typeof code === 'number') return `${name} [${code}]`;
  return message === '' ? name : `${name}: ${message}`;
}

/** An error with everything that a reader needs. */
export function errorText(error: unknown): string {
  if (!isError(error)) return typeof error === 'string' ? error : show(comparable(error));
  const key = errorKey(error);
  return error.message === '' || key.endsWith(`: ${error.message}`) ? key : `${key}: ${error.message}`;
}

class Comparison {
  readonly #self: unknown;
  /** Objects to what stands for them, if it is complete. */
  readonly #known = new Map<object, unknown>();
  /** The objects around the current one. */
  readonly #path: object[] = [];

  constructor(self: unknown) {
    this.#self = self;
  }

  of(value: unknown): unknown {
    if (typeof value === 'symbol') return new Opaque(String(value));
    if (typeof value === 'function') return new Opaque(show(value));
    if (typeof value !== 'object' || value === null) return value;
    if (value === this.#self) return new Opaque('the object under test');
    if (this.#known.has(value)) return this.#known.get(value);
    const cycle = this.#path.lastIndexOf(value);
    if (cycle >= 0) return new Opaque(`cycle of ${this.#path.length - cycle}`);
    this.#path.push(value);
    const made = this.#object(value);
    this.#path.pop();
    this.#known.set(value, made);
    return made;
  }

  #object(value: object): unknown {
    if (value instanceof Opaque) return value;
    if (isError(value)) return new Opaque(errorKey(value));
    if (isSelfComparing(value) || value instanceof RegExp || isBoxed(value)) return value;
    if (value instanceof Date) return copyOf(value);
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return copyOf(value);
    const prototype = Object.getPrototypeOf(value) as object | null;
    const name = nameOf(prototype);
    if (Array.isArray(value))
      return this.#named(
        name,
        'Array',
        Array.from(value, (item) => this.of(item)),
      );
    if (value instanceof Map)
      return this.#named(name, 'Map', new Map(Array.from(value, ([k, v]) => [this.of(k), this.of(v)])));
    if (value instanceof Set)
      return this.#named(name, 'Set', new Set(Array.from(value, (item) => this.of(item))));
    if (isIterator(value)) return new Opaque(kindOf(value));
    if (isTimer(value)) return new Opaque('timer');
    if (isOfPlatform(prototype, name)) return new Opaque(name, contentOf(value));
    const fields = this.#fields(value);
    return isPlain(prototype) ? fields : new Opaque(name, fields);
  }

  /** A container as it is; one of a class that extends it with the name of that class. */
  #named(name: string, plain: string, content: object): unknown {
    return name === plain ? content : new Opaque(name, { content });
  }

  #fields(value: object): object {
    const fields: Record<string, unknown> = {};
    for (const key of Reflect.ownKeys(value)) {
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (!field?.enumerable) continue;
      const held = 'value' in field ? this.of(field.value) : new Opaque('accessor');
      Object.defineProperty(fields, String(key), { value: held, enumerable: true });
    }
    return fields;
  }
}

/** Also for prototypes of another realm. */
const isPlain = (prototype: object | null): boolean =>
  prototype === null || Object.getPrototypeOf(prototype) === null;

/** The name of the first class with one. */
function nameOf(prototype: object | null): string {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const maker = Object.getOwnPropertyDescriptor(at, 'constructor')?.value as unknown;
    if (typeof maker === 'function' && maker.name !== '') return maker.name;
  }
  return 'object';
}

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
