/**
 * A field on any object that is invisible to other code: not in its keys, copies or proxy traps.
 *
 * A base class whose constructor returns the given object adds a private name to it. This costs as
 * much as a field, whereas a WeakMap needs a hash table and burdens the garbage collector.
 * Non-extensible objects are kept in a WeakMap.
 */
export interface HiddenField<T> {
  get(object: object): T | undefined;
  set(object: object, value: T): void;
}

export function hiddenField<T>(): HiddenField<T> {
  const others = new WeakMap<object, T>();

  class FieldOwner extends ReturnsArgument {
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
      else if (Object.isExtensible(object)) new FieldOwner(object, value);
      else others.set(object, value);
    }
  }
  return FieldOwner;
}

/** A class whose constructor returns its argument. */
class ReturnsArgument {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a constructor that returns an object lends it private names
    return object;
  }
}
