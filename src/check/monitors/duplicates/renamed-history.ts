/**
 * A history in which duplicates of a value have names of their own.
 *
 * The first duplicate of a value keeps its name, each other one becomes a symbol. If the value is its own priority,
 * the priority is recorded beside the symbol. A linearization with the names is one without. Cost: O(n).
 */
import { Interner } from '../../../base/values/interner.js';
import { History } from '../../../history/history.js';
import { withColumns } from '../../../history/model/columns.js';
import type { MonitorCause } from '../../model/causes.js';
import { type Epochs, UNKNOWN } from './epochs.js';

export class RenamedHistory {
  /** The history with the values of later duplicates renamed. */
  readonly history: History;
  readonly #plain: ReadonlyMap<unknown, unknown>;

  private constructor(history: History, plain: ReadonlyMap<unknown, unknown>) {
    this.history = history;
    this.#plain = plain;
  }

  /**
   * `adderOf`: the operation whose duplicate an operation adds or returns; UNKNOWN is one name for all of an epoch.
   * `ranked`: a value is its own priority.
   */
  static of(
    epochs: Epochs,
    adderOf: (operation: number) => number,
    { ranked }: { readonly ranked: boolean },
  ): RenamedHistory {
    const { roles } = epochs;
    const { history } = roles;
    const { columns, tables } = history;
    const { argumentStart: start } = columns;
    const values = new Interner();
    const plain = new Map<unknown, unknown>();
    const names = new Names(epochs);
    const numbered = (number: number): number =>
      number < 0 ? number : values.intern(tables.values.values[number]);

    const argument: number[] = [];
    const argumentStart = new Int32Array(start.length);
    const result = new Int32Array(history.length);
    for (let k = 0; k < history.length; k++) {
      const value = tables.values.values[roles.touched(k)];
      const symbol = epochs.of[k] < 0 ? undefined : names.of(epochs.of[k], adderOf(k));
      if (symbol) plain.set(symbol, value);
      const isPut = roles.of(k) === 'add';
      for (let i = start[k]; i < start[k + 1]; i++)
        argument.push(
          symbol && isPut && i === start[k] ? values.intern(symbol) : numbered(columns.argument[i]),
        );
      if (ranked && symbol && isPut && history.args(k)[1] === undefined) {
        argument.length = argumentStart[k] + 1;
        argument.push(values.intern(value));
      }
      argumentStart[k + 1] = argument.length;
      result[k] = symbol && !isPut ? values.intern(symbol) : numbered(columns.result[k]);
    }
    const replaced = { argument: Int32Array.from(argument), argumentStart, result };
    return new RenamedHistory(new History(withColumns(columns, replaced), { ...tables, values }), plain);
  }

  /** The original of a renamed value. */
  plainOf(value: unknown): unknown {
    return this.#plain.has(value) ? this.#plain.get(value) : value;
  }

  /** A cause of the renamed history with the original values. */
  asRecorded(cause: MonitorCause): MonitorCause {
    return replaced(cause, ({ value }) => this.plainOf(value));
  }

  /**
   * A cause of the original history with the renamed values: that of the operation that added it, if it has this
   * value.
   */
  asRenamed(cause: MonitorCause): MonitorCause {
    const position = this.history.positionsById();
    const values = new Interner();
    return replaced(cause, ({ value, put }) => {
      const k = position[put ?? -1];
      const [name] = k === undefined || k < 0 ? [value] : this.history.args(k);
      return values.intern(this.plainOf(name)) === values.intern(value) ? name : value;
    });
  }
}

/** The symbols of duplicates. */
class Names {
  readonly #epochs: Epochs;
  readonly #byAdder = new Map<number, symbol>();
  readonly #byEpoch = new Map<number, symbol>();

  constructor(epochs: Epochs) {
    this.#epochs = epochs;
  }

  /** Undefined for the first duplicate of a value, which keeps its name. */
  of(epoch: number, adder: number): symbol | undefined {
    const { previous, first } = this.#epochs;
    const isPlain = adder === UNKNOWN || adder === first[epoch];
    if ((isPlain && previous[epoch] < 0) || this.#epochs.isOnly(epoch)) return undefined;
    return adder === UNKNOWN ? symbolOf(this.#byEpoch, epoch) : symbolOf(this.#byAdder, adder);
  }
}

function symbolOf(symbols: Map<number, symbol>, key: number): symbol {
  const symbol = symbols.get(key) ?? Symbol();
  symbols.set(key, symbol);
  return symbol;
}

interface Valued {
  readonly value: unknown;
  readonly put: number | undefined;
}

/** Replaces the values in all value intervals of a cause. */
function replaced<T>(cause: T, nameOf: (interval: Valued) => unknown): T {
  if (Array.isArray(cause)) return cause.map((item: unknown) => replaced(item, nameOf)) as T;
  if (typeof cause !== 'object' || cause === null) return cause;
  if ('value' in cause && 'put' in cause) return { ...cause, value: nameOf(cause as unknown as Valued) };
  return Object.fromEntries(Object.entries(cause).map(([key, own]) => [key, replaced(own, nameOf)])) as T;
}
