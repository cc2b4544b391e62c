/**
 * The accesses of traced code (instrument/tracing) by *segment*. A segment is the code of a call between two of its awaits;
 * it runs atomically.
 *
 * An object with an access to the object as a whole is one location. Of other objects, each field is one. Once untraced code
 * is reached, the accesses of all segments are unknown.
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

/** Object and field to whether it was written. */
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

  /** A segment starts: the operation is called, or continues after an await. */
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

  /** The locations that a segment has accessed, each once; undefined if they are unknown. */
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
