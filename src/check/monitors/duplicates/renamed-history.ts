/**
 * A history in which duplicates of a value have names of their own.
 *
 * The first duplicate of a value keeps its name, each other one becomes a symbol. If the value is its own priority,
 * the priority is recorded beside the symbol. A linearization with the names is one without. Cost: O(n).
 */
import { Interner } from '../../../base/values/interner.js';
import { History } from '../../../history/history.js';
import { type Columns, withColumns } from '../../../history/model/columns.js';
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
    const values = new Interner(tables.values);
    const plain = new Map<unknown, unknown>();
    const names = new Names(epochs);
    const argument = columns.argument.slice();
    const result = columns.result.slice();
    /** The additions whose value has a new name. */
    const renamed: number[] = [];
    for (let k = 0; k < history.length; k++) {
      if (epochs.of[k] < 0 || epochs.isOnly(epochs.of[k])) continue;
      const symbol = names.of(epochs.of[k], adderOf(k));
      if (!symbol) continue;
      plain.set(symbol, tables.values.values[roles.touched(k)]);
      if (roles.of(k) === 'add') {
        argument[columns.argumentStart[k]] = values.intern(symbol);
        renamed.push(k);
      } else result[k] = values.intern(symbol);
    }
    const named = withColumns(columns, { argument, result });
    const ordered = ranked ? withPriorities(history, named, renamed) : named;
    return new RenamedHistory(new History(ordered, { ...tables, values }), plain);
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

/** Columns in which renamed values that are their own priorities have their former value as priority. */
function withPriorities(history: History, named: Columns, renamed: readonly number[]): Columns {
  const { columns } = history;
  const { argumentStart: start } = columns;
  const argument = new Int32Array(named.argument.length + renamed.length);
  const argumentStart = new Int32Array(start.length);
  let [end, next] = [0, 0];
  for (let k = 0; k + 1 < start.length; k++) {
    argument.set(named.argument.subarray(start[k], start[k + 1]), end);
    end += start[k + 1] - start[k];
    if (renamed[next] === k) {
      next++;
      if (history.args(k)[1] === undefined) {
        end = argumentStart[k] + 1;
        argument[end++] = columns.argument[start[k]];
      }
    }
    argumentStart[k + 1] = end;
  }
  return withColumns(named, { argument: argument.slice(0, end), argumentStart });
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
