/**
 * What calls of recorded code (transform/record) read and write between two of their awaits: a *segment*, in which a call is
 * alone.
 *
 * An object of which anything was done as a whole is one location, else each of its fields is one. Once code
 * was reached that tells nothing, nothing is known of any segment.
 */

import type { LocationName } from '../../execution/memory/locations.js';
import type { Listener } from '../../instrument/tracing/effect-reports.js';
import { WHOLE } from '../../instrument/tracing/locations.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import { intern } from './footprint.js';

export interface Touched {
  readonly location: LocationName;
  readonly isChange: boolean;
}

/** Object and field to whether it was changed. */
type Segment = Map<object, Map<PropertyKey, boolean>>;

export class Segments implements Listener {
  readonly #operation: () => number | undefined;
  /** Operation to the segment that it is in. */
  readonly #now: (Segment | undefined)[] = [];
  readonly #objects = new Map<object, number>();
  readonly #fields = new Map<PropertyKey, number>();
  readonly #wholes = new Set<object>();
  #isKnown = true;

  /** `operation`: whose code runs now. */
  constructor(operation: () => number | undefined) {
    this.#operation = operation;
  }

  /** Listens while something runs. */
  during<T>(run: () => T): T {
    tracer.reset();
    const before = tracer.listener;
    tracer.listener = this;
    try {
      return run();
    } finally {
      tracer.listener = before;
    }
  }

  /** An operation goes on, or has been called. */
  begin(operation: number): Segment {
    const segment: Segment = new Map();
    this.#now[operation] = segment;
    return segment;
  }

  of(operation: number): Segment | undefined {
    return this.#now[operation];
  }

  read(object: object, key: PropertyKey): void {
    this.#touch(object, key, false);
  }

  written(object: object, key: PropertyKey): void {
    this.#touch(object, key, true);
  }

  unknown(): void {
    this.#isKnown = false;
  }

  /** What was touched in a segment, each location once; undefined where that is not known. */
  touchedIn(segment: Segment | undefined): Touched[] | undefined {
    if (!this.#isKnown || segment === undefined) return undefined;
    const touched = new Map<string, Touched>();
    for (const [object, fields] of segment)
      for (const [key, isChange] of fields) {
        const location = this.#nameOf(object, key);
        const name = `${location.number} ${location.field}`;
        touched.set(name, { location, isChange: isChange || (touched.get(name)?.isChange ?? false) });
      }
    return [...touched.values()];
  }

  #touch(object: object, key: PropertyKey, isChange: boolean): void {
    if (key === WHOLE) this.#wholes.add(object);
    const operation = this.#operation();
    const segment = operation === undefined ? undefined : this.#now[operation];
    if (segment === undefined) return;
    let fields = segment.get(object);
    if (fields === undefined) {
      fields = new Map();
      segment.set(object, fields);
    }
    fields.set(key, isChange || (fields.get(key) ?? false));
  }

  /** From 1 on, both numbers; field 0 is the whole object. */
  #nameOf(object: object, key: PropertyKey): LocationName {
    const field = this.#wholes.has(object) ? 0 : 1 + intern(this.#fields, String(key));
    return { thread: -1, number: 1 + intern(this.#objects, object), field };
  }
}
