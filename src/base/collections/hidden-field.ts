/**
 * A field that any object can get, and that nobody else can see: not by its keys, not in a
 * copy, not in a proxy's traps.
 *
 * A private name is put on an object that a base class hands back instead of a new
 * one. That costs as much as a field, where a WeakMap costs a hash table and keeps
 * the garbage collector busy. Objects that take no new fields go into a WeakMap.
 */
export interface HiddenField<T> {
  get(object: object): T | undefined;
  set(object: object, value: T): void;
}

export function hiddenField<T>(): HiddenField<T> {
  const others = new WeakMap<object, T>();

  class Holder extends Same {
    #value: T;

    constructor(object: object, value: T) {
      super(object);
      this.#value = value;
    }

    static get(object: object): T | undefined {
      if (#value in object) return object.#value;
      return Object.isExtensible(object) ? undefined : others.get(object);
    }

    static set(object: object, value: T): void {
      if (#value in object) object.#value = value;
      else if (Object.isExtensible(object)) new Holder(object, value);
      else others.set(object, value);
    }
  }
  return Holder;
}

/** Its constructor gives the object that it gets. */
class Same {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a constructor that returns an object lends it private names
    return object;
  }
}
