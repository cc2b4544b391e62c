/**
 * Fresh values: opaque objects that stand for all objects that are passed once, and terms that contain them.
 *
 * A client that passes a new object to every call covers all histories in which no value is passed twice. Nothing can be read of such an
 * object: it has no properties, and each attempt to read, list, write, classify or convert it is counted, so data independence is checked
 * while running.
 *
 *   P. Wolper. Expressing interesting properties of programs in propositional temporal logic. POPL 1986.
 *
 * A *term* is a shape, with the numbers of the values in it, in the order in which they are encountered. Two terms with equal shapes
 * differ only in their values. So values are renamed by replacing numbers, whatever the structure around them is.
 */
import { ListInterner } from '../../base/collections/interners.js';
import { freshValues } from '../../execution/comparable.js';

/** How often code has tried to look into a fresh value. */
let inspections = 0;
/** The values encountered while something is described, each once; undefined otherwise. */
let encountered: FreshValue[] | undefined;

/** Counts one attempt, and gives the answer that an object without properties would give. */
const counted =
  <T>(answer: T) =>
  (): T => {
    inspections++;
    return answer;
  };

/**
 * Every operation on a fresh value passes one of these, except for those that have the same result for all new objects: comparisons by
 * identity, `typeof`, truthiness, `Array.isArray`, and whether it can be extended.
 */
const TRAPS: ProxyHandler<object> = {
  get: (_, key) => {
    if (key === 'contents$') return contents;
    if (encountered !== undefined && key === 'hashCode') return hashCode;
    if (encountered !== undefined && key === 'equals') return equals;
    return void inspections++;
  },
  has: (_, key) => key === 'contents$' || inspections++ < 0,
  set: counted(false),
  ownKeys: counted([]),
  getOwnPropertyDescriptor: counted(undefined),
  getPrototypeOf: counted(null),
  setPrototypeOf: counted(false),
  defineProperty: counted(false),
  deleteProperty: counted(true),
  preventExtensions: counted(false),
};

/** It holds nothing that can change (execution/memory/heap-walk.ts). */
function contents(): void {}

// inside of a description, values are equal by their place in it (base/values/canonical.ts asks)

function hashCode(this: FreshValue): number {
  const known = encountered!.indexOf(this);
  return known >= 0 ? known : encountered!.push(this) - 1;
}

function equals(other: object): boolean {
  return FreshValue.numberOf(other) >= 0;
}

class ReturnsTrapped {
  constructor() {
    // biome-ignore lint/correctness/noConstructorReturn: a constructor that returns an object lends it private names
    return new Proxy({}, TRAPS) as this;
  }
}

export class FreshValue extends ReturnsTrapped {
  readonly #number: number;

  constructor(number: number) {
    super();
    freshValues.add(this);
    this.#number = number;
  }

  /** The number of a fresh value; -1 for all else. */
  static numberOf(value: object): number {
    return #number in value ? value.#number : -1;
  }
}

/** Has code looked into a fresh value since the last call? */
export function wereInspected(): boolean {
  const isSeen = inspections > 0;
  inspections = 0;
  return isSeen;
}

/** Runs code of ours, which may look into values. */
export function uncounted<R>(run: () => R): R {
  const before = inspections;
  try {
    return run();
  } finally {
    inspections = before;
  }
}

/** Describes something by a number that does not depend on which values it contains; gives the values in order. */
export function shapeOf(describe: () => number): { readonly shape: number; readonly names: number[] } {
  const values: FreshValue[] = [];
  encountered = values;
  try {
    const shape = uncounted(describe);
    return { shape, names: values.map((value) => FreshValue.numberOf(value)) };
  } finally {
    encountered = undefined;
  }
}

export interface Term {
  readonly shape: number;
  /** The values in it, by their numbers. */
  readonly names: readonly number[];
}

/** Terms as integers. */
export class Terms {
  readonly #numbers = new ListInterner();
  readonly #terms: Term[] = [];

  numberOf(shape: number, names: readonly number[]): number {
    const list = Int32Array.of(shape, ...names);
    const number = this.#numbers.intern(list, list.length);
    if (number === this.#terms.length) this.#terms.push({ shape, names: [...names] });
    return number;
  }

  at(number: number): Term {
    return this.#terms[number];
  }

  renamed(number: number, rename: (name: number) => number): number {
    const { shape, names } = this.#terms[number];
    return names.length === 0 ? number : this.numberOf(shape, names.map(rename));
  }
}
