/** What rewritten files call for each element that they access (instrument/element-accesses.ts): shared ones are behind the gate. */
import { formatPosition, type SourcePosition } from '../../base/source-position.js';
import { callerAt } from '../../execution/callers.js';
import { READ, WRITE } from '../../execution/memory/access.js';
import { ELEMENTS, type ElementSites } from '../../instrument/element-accesses.js';
import type { Access, Gate, Numbered, View } from './gate.js';

type AnyObject = Record<PropertyKey, unknown>;
type AnyMethod = (...args: unknown[]) => unknown;
type Integers = Int32Array;
type Change = (value: unknown) => unknown;

export class Elements {
  readonly #gate: Gate;
  readonly #places: SourcePosition[] = [];
  /** Place that no instrumented file has to its number. */
  readonly #numbers = new Map<string, number>();

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Lets files find it that are loaded from now on. */
  install(): void {
    Reflect.set(globalThis, Symbol.for(ELEMENTS), this);
  }

  /**
   * Accesses by a DataView are plain too. Its methods are replaced, before the scenario is loaded, so they are behind the gate in every file.
   */
  installViews(): void {
    const prototype = DataView.prototype as unknown as Record<string, AnyMethod>;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const [, verb, bits] = /^(get|set)[A-Z]\D*(\d+)$/.exec(name) ?? [];
      if (verb === undefined) continue;
      const real = prototype[name];
      const access = (view: DataView, args: unknown[]) =>
        this.#access(view, real, verb === 'set', Number(bits) / 8, args);
      const gated = {
        [name](this: DataView, ...args: unknown[]): unknown {
          return access(this, args);
        },
      };
      Object.defineProperty(gated[name], 'length', { value: real.length, configurable: true });
      prototype[name] = gated[name];
    }
  }

  #access(view: DataView, real: AnyMethod, isWrite: boolean, width: number, args: unknown[]): unknown {
    const index = Math.trunc(Number(args[0] ?? 0)) || 0;
    const spot = view instanceof DataView ? this.#gate.bytesOf(view, index, width) : undefined;
    if (spot === undefined) return real.apply(view, args);
    const bytes = () => new Uint8Array(view.buffer, spot[1], width).join();
    const kind = isWrite ? WRITE : READ;
    const stores = isWrite ? args[1] : undefined;
    const request = `view ${kind} ${spot.join()} ${String(stores)} ${String(args.at(-1))}`;
    const access: Access = {
      kind,
      request,
      spot,
      view,
      index,
      stores,
      isPlain: true,
      at: this.numbered(callerAt()),
    };
    this.#gate.come(access);
    const before = bytes();
    const result = real.apply(view, args);
    const after = bytes();
    this.#gate.did(access, result, after !== before, () => isWrite || bytes() === after);
    return result;
  }

  /** A place that no instrumented file has. */
  numbered(place: SourcePosition): Numbered {
    const text = formatPosition(place);
    const site = this.#numbers.get(text) ?? this.#places.push(place) - 1;
    this.#numbers.set(text, site);
    return { site, place };
  }

  /** A file is about to be run. Gives the number of its first place. */
  file({ file, sites }: ElementSites): number {
    const first = this.#places.length;
    for (let i = 0; i < sites.length; i += 2)
      this.#places.push({ file, line: sites[i], column: sites[i + 1] });
    return first;
  }

  at(object: AnyObject, key: PropertyKey, site: number): unknown {
    const access = this.#accessOf(object, key, READ, site);
    if (access === undefined) return object[key];
    const view = object as unknown as View;
    const { index } = access;
    this.#gate.come(access);
    const value = view[index];
    this.#gate.did(access, value, false, () => Object.is(view[index], value));
    return value;
  }

  put(object: AnyObject, key: PropertyKey, value: unknown, site: number): unknown {
    const access = this.#accessOf(object, key, WRITE, site, value);
    if (access === undefined) {
      object[key] = value;
      return value;
    }
    const view = object as unknown as View;
    const { index } = access;
    this.#gate.come(access);
    const before = view[index];
    view[index] = value as never;
    this.#gate.did(access, undefined, !Object.is(view[index], before), () => true);
    return value;
  }

  /** Two accesses, between which others may come; gives the new value. */
  change(object: AnyObject, key: PropertyKey, site: number, change: Change): unknown {
    return this.put(object, key, change(this.at(object, key, site)), site);
  }

  /** The same; gives the old value. */
  later(object: AnyObject, key: PropertyKey, site: number, change: Change): unknown {
    const old = this.at(object, key, site);
    this.put(object, key, change(old), site);
    return old;
  }

  /**
   * A method of a typed array, element by element: others may come between any two. It looks at a copy, and what it has
   * changed there is written; `fill` and `set` only write.
   */
  call(object: AnyObject, name: string, site: number, args: unknown[]): unknown {
    const view = object as unknown as Integers;
    const method = object[name] as AnyMethod;
    if (this.#gate.spotOf(view as unknown as View, 0) === undefined || method !== real(name))
      return (object[name] as AnyMethod)(...args);
    if (name === 'at')
      return this.at(object, Number(args[0]) + (Number(args[0]) < 0 ? view.length : 0), site);
    const copy = view.slice();
    if (name !== 'fill' && name !== 'set')
      for (const i of copy.keys()) copy[i] = this.at(object, i, site) as number;
    if (name === 'set')
      args[0] = Array.from(args[0] as ArrayLike<unknown>, (_, i) => this.at(args[0] as AnyObject, i, site));
    const result = method.apply(copy, args);
    for (const i of writtenBy(name, args, copy)) this.put(object, i, copy[i], site);
    return result === copy ? object : result;
  }

  #accessOf(
    object: unknown,
    key: PropertyKey,
    kind: number,
    site: number,
    stores?: unknown,
  ): Access | undefined {
    if (typeof key !== 'number') return undefined;
    const view = object as View;
    const spot = this.#gate.spotOf(view, key);
    if (spot === undefined) return undefined;
    const request = `plain ${kind} ${spot.join()} ${String(stores)}`;
    const at = { site, place: this.#places[site] };
    return { kind, request, spot, view, index: key, stores, isPlain: true, at };
  }
}

/** What comes with JavaScript by that name. */
const real = (name: string): unknown => (Object.getPrototypeOf(Int32Array.prototype) as AnyObject)[name];

/** The elements that a method writes. */
function writtenBy(name: string, args: readonly unknown[], { length }: Integers): number[] {
  const all = Array.from({ length }, (_, i) => i);
  const from = (at: unknown, or: number) => {
    const place = at === undefined ? or : Math.trunc(Number(at)) || 0;
    return place < 0 ? Math.max(0, length + place) : Math.min(place, length);
  };
  switch (name) {
    case 'fill':
      return all.slice(from(args[1], 0), from(args[2], length));
    case 'set':
      return all.slice(Number(args[1] ?? 0), Number(args[1] ?? 0) + (args[0] as unknown[]).length);
    case 'copyWithin': {
      const to = from(args[0], 0);
      return all.slice(to, to + Math.max(0, from(args[2], length) - from(args[1], 0)));
    }
    case 'reverse':
    case 'sort':
      return all;
    default:
      return [];
  }
}
