/**
 * What a called function does, reported to the listener. Known are traced functions, and built-in functions in the table of effects
 * (model/effects.ts). All others are reported as unknown.
 */
import type { AnyFunction } from '../../base/any-function.js';
import type { TracingEffect } from '../model/effects.js';
import { isObject, LiveValues, TRACER, WHOLE, wholeOf } from './locations.js';

export interface Listener {
  read(object: object, key: PropertyKey): void;
  written(object: object, key: PropertyKey): void;
  /** Accesses may be missing. `what` names the code, for people. */
  unknown(what: string): void;
}

/** All signals and targets of events. */
const SIGNALS: object = {};

export class EffectReports extends LiveValues {
  listener: Listener | undefined;
  readonly #known = new WeakMap<AnyFunction, boolean>();
  /** The same for functions that were met in the current execution. */
  readonly #met = new Map<AnyFunction, boolean>();
  /** Arrays, maps and sets for which there may be an iterator. */
  #iterated: object[] = [];

  override reset(): void {
    super.reset();
    this.#met.clear();
    this.#iterated = [];
  }

  isKnown(called: AnyFunction): boolean {
    let isKnown = this.#met.get(called) ?? this.#known.get(called);
    if (isKnown === undefined) {
      isKnown = Function.prototype.toString.call(called).includes(TRACER);
      this.#setKnown(called, isKnown);
    }
    return isKnown;
  }

  /** Marks a function whose accesses are all reported. */
  protected setKnown(called: AnyFunction): void {
    this.#setKnown(called, true);
  }

  #setKnown(called: AnyFunction, isKnown: boolean): void {
    if (!this.isRunning) this.#known.set(called, isKnown);
    else if (this.listener) this.#met.set(called, isKnown);
  }

  no<T>(value?: T): T | undefined {
    this.unknown('code that cannot be traced');
    return value;
  }

  protected unknown(what: string): void {
    this.listener?.unknown(what || 'a function without a name');
  }

  /** `self` is what the function of this `name` was called on. */
  protected effect(effect: TracingEffect | undefined, self: unknown, name: string): void {
    const object = isObject(self) ? (wholeOf(self) ?? self) : undefined;
    switch (effect) {
      case 'none':
      case 'reads arguments':
        return;
      case 'iterates':
        if (object) this.#iterated.push(object);
        if (object) this.listener!.read(object, WHOLE);
        return;
      case 'reads':
        if (object) this.listener!.read(object, WHOLE);
        return;
      case 'writes':
        if (object) this.listener!.written(object, WHOLE);
        return;
      case 'advances':
        this.continues();
        return;
      case 'signals':
        this.listener!.written(SIGNALS, WHOLE);
        return;
      default:
        this.unknown(name);
    }
  }

  /** A step of a built-in iterator. Its container is unknown, so all candidates are reported. */
  protected continues(): void {
    for (const object of this.#iterated) this.listener!.read(object, WHOLE);
  }
}
