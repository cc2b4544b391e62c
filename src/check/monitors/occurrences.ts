/**
 * Values that are put into a container more than once, told apart: by real time (`generations`), or by their turns where
 * the first copy to come is the first to go (`copies`). Each then has a name of its own.
 *
 * Otherwise somebody has to try: the history is left to a search. Cost: O(n).
 */
import { Interner } from '../../base/index.js';
import { History, withColumns } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';
import type { FamilyCause } from './causes.js';
import { Copies } from './copies.js';
import { Generations } from './generations.js';
import type { Monitor } from './monitor.js';
import { type Naming, Roles } from './naming.js';

export class Occurrences {
  /** The history with the values of later occurrences renamed: each is a symbol. */
  readonly history: History;
  readonly #plain: ReadonlyMap<unknown, unknown>;
  readonly #naming: Naming;

  private constructor(history: History, plain: ReadonlyMap<unknown, unknown>, naming: Naming) {
    this.history = history;
    this.#plain = plain;
    this.#naming = naming;
  }

  /** Undefined where nothing tells occurrences apart, or it would matter. */
  static of(history: History, spec: Spec, { takesAllAlike }: Monitor): Occurrences | undefined {
    if (!takesAllAlike) return undefined;
    const { columns, tables } = history;
    const roles = new Roles(history, spec);
    const naming =
      Generations.of(history, roles) ??
      (takesAllAlike === 'first copy first' ? Copies.of(history, roles) : undefined);
    if (!naming) return undefined;

    // number all values anew, a later occurrence by a symbol
    const values = new Interner();
    const plain = new Map<unknown, unknown>();
    const renamed = (number: number, k: number): number => {
      const value = tables.values.values[number];
      if (number < 0 || roles.touched(k) !== number) return number < 0 ? number : values.intern(value);
      const symbol = naming.symbolOf(k);
      if (!symbol) return values.intern(value);
      plain.set(symbol, value);
      return values.intern(symbol);
    };
    const [argument, result] = [columns.argument.slice(), columns.result.slice()];
    for (let k = 0; k < history.length; k++) {
      for (let i = columns.argumentStart[k]; i < columns.argumentStart[k + 1]; i++)
        argument[i] = renamed(argument[i], k);
      result[k] = renamed(result[k], k);
    }
    const tablesAnew = { ...tables, values };
    return new Occurrences(
      new History(withColumns(columns, { argument, result }), tablesAnew),
      plain,
      naming,
    );
  }

  /** What a value was before it was renamed. */
  plainOf(value: unknown): unknown {
    return this.#plain.has(value) ? this.#plain.get(value) : value;
  }

  /** A cause of the renamed history with the values as they were. */
  asRecorded(cause: FamilyCause): FamilyCause {
    return replaced(cause, ({ value }) => this.plainOf(value));
  }

  withOthers(operations: readonly number[]): number[] {
    return this.#naming.withOthers(operations);
  }

  /** A cause of the original with the renamed values: that of who put it in. */
  asRenamed(cause: FamilyCause): FamilyCause {
    const position = this.history.positionsById();
    return replaced(cause, ({ value, put }) =>
      put === undefined ? value : this.history.args(position[put])[0],
    );
  }
}

interface Valued {
  readonly value: unknown;
  readonly put: number | undefined;
}

/** The same with other values in all that tells of one, and of who put it in. */
function replaced<T>(told: T, nameOf: (stay: Valued) => unknown): T {
  if (Array.isArray(told)) return told.map((item: unknown) => replaced(item, nameOf)) as T;
  if (typeof told !== 'object' || told === null) return told;
  if ('value' in told && 'put' in told) return { ...told, value: nameOf(told as unknown as Valued) };
  return Object.fromEntries(Object.entries(told).map(([key, own]) => [key, replaced(own, nameOf)])) as T;
}
