/**
 * Values that are put into a container more than once, told apart by real time.
 *
 * The operations on one value fall into generations: in each it is put in once and taken out once, and all of a
 * generation have returned before any of the next is called. The last one may be unfinished. If all values are like
 * that, each generation gets a value of its own, which changes nothing:
 *
 *   An order of the renamed history is an order of the original, since the container treats all values alike.
 *   Take an order of the original. By real time the generations of a value follow each other in it. The first puts one
 *   copy in, and its removal takes one out; so it takes that very copy, no call that never returned can have
 *   taken it instead, and none is left for the next generation. So all that a generation gives is its own copy,
 *   and the order is one of the renamed history.
 *
 * Otherwise somebody has to try: the history is left to a search. Cost: O(n).
 */
import { Interner } from '../../base/index.js';
import { History, numberOfValue, RETURNED, withColumns } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';
import type { FamilyCause } from './causes.js';

export class Occurrences {
  /** The history with the values of later generations renamed: each is a symbol. */
  readonly history: History;
  readonly #plain: ReadonlyMap<unknown, unknown>;
  readonly #generations: Generations;

  private constructor(history: History, plain: ReadonlyMap<unknown, unknown>, generations: Generations) {
    this.history = history;
    this.#plain = plain;
    this.#generations = generations;
  }

  /** Undefined where real time does not tell occurrences apart. */
  static of(history: History, spec: Spec): Occurrences | undefined {
    const { columns, tables } = history;
    const generations = new Generations(history, spec);
    for (let moment = 0; moment < columns.events.length; moment++)
      if (!generations.pass(columns.events[moment])) return undefined;

    // number all values anew, a later generation by a symbol
    const values = new Interner();
    const plain = new Map<unknown, unknown>();
    const renamed = (number: number, k: number): number => {
      const value = tables.values.values[number];
      if (number < 0 || generations.touched(k) !== number) return number < 0 ? number : values.intern(value);
      const symbol = generations.symbolOf(k);
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
      generations,
    );
  }

  /** A cause of the renamed history with the values as they were. */
  asRecorded(cause: FamilyCause): FamilyCause {
    return replaced(cause, ({ value }) => (this.#plain.has(value) ? this.#plain.get(value) : value));
  }

  /** These operations, and of values that were there at first those that took them out then: else they would still be there. */
  withFirst(operations: readonly number[]): number[] {
    const values = new Set(operations.map((k) => this.#generations.touched(k)));
    const all = new Set(operations);
    for (let k = 0; k < this.history.length; k++)
      if (this.#generations.isFirst(k) && values.has(this.#generations.touched(k))) all.add(k);
    return [...all];
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

/** What is known of a value so far. */
interface Generation {
  readonly symbol: symbol | undefined;
  readonly isFirst: boolean;
  open: number;
  adds: number;
  removes: number;
}

class Generations {
  readonly #history: History;
  readonly #role: readonly ('add' | 'remove' | 'peek' | undefined)[];
  readonly #nothing: number;
  /** Value to its latest generation; operation to its own. */
  readonly #latest = new Map<number, Generation>();
  readonly #own: (Generation | undefined)[];

  constructor(history: History, { family }: Spec) {
    const { add, remove, peek } = family?.roles ?? {};
    this.#history = history;
    this.#role = history.tables.methods.map((name) =>
      name === add ? 'add' : name === remove ? 'remove' : name === peek ? 'peek' : undefined,
    );
    this.#nothing = numberOfValue(history.tables, family?.empty) ?? -1;
    this.#own = Array.from({ length: history.length });
    for (const value of (family?.initial ?? []) as readonly unknown[]) {
      const number = history.tables.values.find(value);
      if (number === undefined) continue;
      this.#latest.set(number, { symbol: undefined, isFirst: true, open: 0, adds: 1, removes: 0 });
    }
  }

  /** The value that an operation puts in or gives; negative if it does neither. */
  touched(k: number): number {
    const { method, argument, argumentStart, status, result } = this.#history.columns;
    if (this.#role[method[k]] === 'add') return argument[argumentStart[k]];
    return status[k] === RETURNED && result[k] !== this.#nothing ? result[k] : -1;
  }

  /** The name of the value of an operation, if it is not the plain one. */
  symbolOf(k: number): symbol | undefined {
    return this.#own[k]?.symbol;
  }

  /** Is its value one that was inside at first? */
  isFirst(k: number): boolean {
    return this.#own[k]?.isFirst === true;
  }

  /** Takes in the next event; false if it is not clear which generation it belongs to. */
  pass(event: number): boolean {
    const k = event < 0 ? ~event : event;
    const value = this.touched(k);
    if (value < 0) return true;
    const role = this.#role[this.#history.columns.method[k]];
    if (event < 0) {
      const own = this.#own[k] as Generation;
      own.open--;
      // given before it was put in again: by whom it was given is for a search to tell
      return role === 'add' || own.symbol === undefined || own.adds > 0;
    }
    let own = this.#latest.get(value);
    if (!own || (own.open === 0 && own.adds === 1 && own.removes === 1)) {
      own = { symbol: own && Symbol(), isFirst: false, open: 0, adds: 0, removes: 0 };
      this.#latest.set(value, own);
    }
    this.#own[k] = own;
    own.open++;
    if (role === 'add') own.adds++;
    if (role === 'remove') own.removes++;
    return own.adds <= 1 && own.removes <= 1;
  }
}
