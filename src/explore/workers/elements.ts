/** What rewritten files call for each element that they access (transform/elements.ts): shared ones are behind the gate. */
import { READ, WRITE } from '../access.js';
import { ELEMENTS, type ElementSites, type Place } from '../transform/index.js';
import type { Access, Gate, View } from './gate.js';

type AnyObject = Record<PropertyKey, unknown>;
type Change = (value: unknown) => unknown;

export class Elements {
  readonly #gate: Gate;
  readonly #places: Place[] = [];

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Lets files find it that are loaded from now on. */
  install(): void {
    Reflect.set(globalThis, Symbol.for(ELEMENTS), this);
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
    const { view, index } = access;
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
    const { view, index } = access;
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
    return { kind, request, spot, view, index: key, stores, plain: { site, place: this.#places[site] } };
  }
}
