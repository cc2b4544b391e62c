/** A history as operations on a container, and the intervals of its values. */
import { show } from '../../../base/values/show.js';
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { CallReader, ValueNumbers } from '../common/call-reader.js';

const ROLES = ['add', 'remove', 'peek'];

/** What an operation does. */
export const ADD = 0;
export const REMOVE = 1;
export const PEEK = 2;
/** It found the container empty. */
export const EMPTY = 3;
/** A pending removal: it may remove any value, or none. */
export const OPEN_REMOVE = 4;
/** It is pending and changes nothing. */
export const IDLE = 5;

/** In `add` and `remove`: there is no such operation. */
export const NONE = -1;

export class Container {
  readonly history: History;
  /** For each operation, what it does, and its value if it has one. */
  readonly role: Uint8Array;
  readonly value: Int32Array;
  /** For each value, the operation that adds it, and the one that removes it. */
  readonly add: Int32Array;
  readonly remove: Int32Array;
  /** The initial values have the numbers 0, 1, … in order; then come the added ones, by call. */
  readonly initial: number;
  /** The number of initial and added values. Values from nowhere have higher numbers. */
  readonly values: number;
  /** The first operation that removes a value already removed by another; or NONE. */
  readonly second: number;

  readonly #initial: readonly unknown[];

  private constructor(
    history: History,
    initial: readonly unknown[],
    parts: Omit<Container, 'history' | 'initial' | 'valueOf'>,
  ) {
    this.history = history;
    this.initial = initial.length;
    this.#initial = initial;
    this.role = parts.role;
    this.value = parts.value;
    this.add = parts.add;
    this.remove = parts.remove;
    this.values = parts.values;
    this.second = parts.second;
  }

  /** A value itself. */
  valueOf(value: number): unknown {
    const { columns, tables } = this.history;
    return value < this.initial
      ? this.#initial[value]
      : tables.values.values[columns.argument[columns.argumentStart[this.add[value]]]];
  }

  /** The reading, or why it is not possible. `more`: how many arguments an add may have. */
  static read(
    history: History,
    spec: Spec,
    { mostArguments = 1 }: { mostArguments?: number } = {},
  ): Container | string {
    const { columns, tables, length } = history;
    const { argumentStart, argument, result, return: returned } = columns;
    const { empty, initial } = spec.family ?? {};
    if (!Array.isArray(initial)) return 'the family of the spec does not give the initial values';
    const calls = new CallReader(history, spec, ROLES);
    const nothing = numberOfValue(tables, empty) ?? -1;

    // number the values: first the initial ones, then the added ones
    const numbers = new ValueNumbers(history, initial.length);
    const items = new Set<unknown>();
    for (const value of initial) {
      const number = numberOfValue(tables, value);
      if (number === nothing) return 'an initial value equals the result of an empty container';
      // also if no operation names it
      if (items.has(value) || !numbers.add(number)) return `${show(value)} is an initial value twice`;
      items.add(value);
    }
    const role = new Uint8Array(length);
    const value = new Int32Array(length).fill(NONE);
    const add = new Int32Array(initial.length + length).fill(NONE);
    for (let k = 0; k < length; k++) {
      const isAdd = calls.role(k) === ADD;
      const what = calls.read(k, isAdd ? 1 : 0, isAdd ? mostArguments : 0);
      if (typeof what === 'string') return what;
      role[k] = what;
      if (!isAdd) continue;
      if (!calls.isOpen(k) && !calls.answers(k, calls.done)) return calls.unexpectedResult(k);
      const own = argument[argumentStart[k]];
      if (own === nothing) return `${calls.name(k)} of the answer of an empty container`;
      if (!numbers.add(own)) return `${show(tables.values.values[own])} is added more than once`;
      value[k] = numbers.count - 1;
      add[value[k]] = k;
    }

    // the operations that saw and removed them
    const values = numbers.count;
    const remove = new Int32Array(values).fill(NONE);
    let second = NONE;
    for (let k = 0; k < length; k++) {
      if (role[k] === ADD) continue;
      if (returned[k] === NEVER) {
        if (calls.isOpen(k)) role[k] = role[k] === REMOVE ? OPEN_REMOVE : IDLE;
        else return `${calls.name(k)} is cut off before its return`;
      } else if (result[k] === nothing) role[k] = EMPTY;
      else {
        value[k] = numbers.of(result[k]);
        if (role[k] === PEEK || value[k] === NONE) continue;
        if (remove[value[k]] === NONE) remove[value[k]] = k;
        else if (second === NONE) second = k;
      }
    }
    return new Container(history, initial, {
      role,
      value,
      add: add.subarray(0, values),
      remove,
      values,
      second,
    });
  }
}

/**
 * Value intervals: when each value of a container was added, definitely present, and removed.
 *
 * All operations on a value count: it is present as soon as one of them has returned, and until the last call of one
 * that returns it. An initial value was added before all moments, in sequence. A value of a pending add that no
 * operation returned was never present: all its moments are NEVER. Cost: one pass.
 */
export class ValueIntervals {
  /** It is added from here on, and is present by `from`. */
  readonly put: Int32Array;
  readonly from: Int32Array;
  /** It is present up to `to`, and removed from there on, before `out`. */
  readonly to: Int32Array;
  readonly out: Int32Array;
  /** The operation that removes it, or NONE. */
  readonly taken: Int32Array;
  /** For each operation, its value, also for pending removals that are assumed to remove it. */
  readonly value: Int32Array;
  /** The end of all moments. */
  readonly end: number;

  /**
   * By default, removals are those of the container; values that are never removed stay until `stay`, or to the end.
   */
  constructor(
    container: Container,
    { taken = container.remove, stay = NEVER }: { taken?: Int32Array; stay?: number } = {},
  ) {
    const { history, role, initial, values } = container;
    const { call, return: returned, events } = history.columns;
    const moments = (): Int32Array => new Int32Array(values).fill(NEVER);
    [this.put, this.from, this.out] = [moments(), moments(), moments()];
    const to = new Int32Array(values).fill(-values);
    this.to = to;
    this.end = events.length;
    this.taken = taken;
    this.value = container.value;
    if (taken !== container.remove) {
      this.value = container.value.slice();
      for (let v = 0; v < values; v++) if (taken[v] !== NONE) this.value[taken[v]] = v;
    }
    const { put, from, out, value, end } = this;

    for (let v = 0; v < initial; v++) {
      put[v] = to[v] = v - initial;
      from[v] = put[v] + 1;
    }
    for (let k = 0; k < history.length; k++) {
      const v = value[k];
      if (v === NONE) continue;
      if (returned[k] < from[v]) from[v] = returned[k];
      if (call[k] > to[v]) to[v] = call[k];
      if (role[k] === ADD) put[v] = call[k];
    }
    for (let v = 0; v < values; v++) {
      if (taken[v] !== NONE) out[v] = Math.min(returned[taken[v]], end);
      else to[v] = from[v] === NEVER ? NEVER : Math.max(to[v], Math.min(stay, end));
    }
  }

  /** Whether it was ever present. */
  was(v: number): boolean {
    return this.from[v] !== NEVER;
  }

  /** Whether all of its operations can take effect at once. Then it need not be present beside others. */
  isBrief(v: number): boolean {
    return this.to[v] < this.from[v];
  }
}

/** The intervals if values whose removal is unknown were removed as early as possible. */
export function bestCase(container: Container): ValueIntervals {
  const { history, role } = container;
  return new ValueIntervals(container, { stay: history.columns.call[role.indexOf(OPEN_REMOVE)] });
}
