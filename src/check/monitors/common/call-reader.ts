/**
 * What the monitors read of a history: its values by number, and its calls as roles of a family; a string says why a
 * call cannot be read. Results are compared by number.
 */
import type { History } from '../../../history/history.js';
import { numberOfValue, PENDING, RETURNED, THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

/*
 * Some of the values of a history, numbered by first occurrence: 0, 1, …
 *
 * A history shares its table of values with all histories that were cut from the same one. If it has few of many
 * values, a map is smaller than a table. Cost: O(1) per value.
 */

/** It has no number. */
const NONE = -1;

export class ValueNumbers {
  count = 0;
  readonly #numbers: Int32Array | Map<number, number>;

  constructor({ tables, length }: History, initial: number) {
    const all = tables.values.values.length;
    // one of many objects touches few of the values
    this.#numbers = all > 16 * (length + initial) ? new Map() : new Int32Array(all).fill(NONE);
  }

  /** False if it has a number already. A value that the history does not contain gets an unused number. */
  add(value: number | undefined): boolean {
    if (value !== undefined && this.of(value) !== NONE) return false;
    if (value === undefined) this.count++;
    else if (this.#numbers instanceof Map) this.#numbers.set(value, this.count++);
    else this.#numbers[value] = this.count++;
    return true;
  }

  /** Its number, assigned now if it has none yet. */
  take(value: number): number {
    this.add(value);
    return this.of(value);
  }

  of(value: number): number {
    return this.#numbers instanceof Map ? (this.#numbers.get(value) ?? NONE) : this.#numbers[value];
  }
}

/** A number that no result of the history has. */
const ABSENT = -2;

export class CallReader {
  readonly history: History;
  /** The numbers of true, of false, and of undefined. */
  readonly yes: number;
  readonly no: number;
  readonly done: number;
  /** For each method, the place of its role in the list of roles; -1 if it has none. */
  readonly #roles: readonly number[];

  constructor(history: History, { family }: Spec, roles: readonly string[]) {
    const { tables } = history;
    this.history = history;
    this.yes = numberOfValue(tables, true) ?? ABSENT;
    this.no = numberOfValue(tables, false) ?? ABSENT;
    this.done = numberOfValue(tables, undefined) ?? ABSENT;
    this.#roles = tables.methods.map((name) => roles.findIndex((role) => family?.roles[role] === name));
  }

  /**
   * The place of its role in the list, if the number of arguments fits and it did not throw; otherwise the obstacle.
   */
  read(k: number, least: number, most: number = least): number | string {
    const role = this.role(k);
    if (role < 0) return `unsupported operation ${this.name(k)}`;
    if (this.history.columns.status[k] === THREW) return `${this.name(k)} threw an error`;
    const count = this.arguments(k);
    if (count < least || count > most)
      return `${this.name(k)} has ${count} ${count === 1 ? 'argument' : 'arguments'}`;
    return role;
  }

  role(k: number): number {
    return this.#roles[this.history.columns.method[k]];
  }

  name(k: number): string {
    return this.history.tables.methods[this.history.columns.method[k]];
  }

  arguments(k: number): number {
    const { argumentStart } = this.history.columns;
    return argumentStart[k + 1] - argumentStart[k];
  }

  /** Whether its outcome is unknown. A call that a prefix cut off has its result. */
  isOpen(k: number): boolean {
    return this.history.columns.status[k] === PENDING;
  }

  /** Whether it returned this, or would have. */
  answers(k: number, answer: number): boolean {
    const { status, result } = this.history.columns;
    return status[k] === RETURNED && result[k] === answer;
  }

  /** Whether it threw an error of this name. */
  threw(k: number, error: string): boolean {
    const { status, result } = this.history.columns;
    return status[k] === THREW && this.history.tables.values.values[result[k]] === error;
  }

  unexpectedResult(k: number): string {
    return `unexpected result of ${this.name(k)}`;
  }
}

/* Numbers that can be added exactly: safe integers. */

/** The amount of a call: its argument, by default 1. Undefined: not a safe integer. */
export function amountOf({ history }: CallReader, k: number): number | undefined {
  const { argument, argumentStart } = history.columns;
  if (argumentStart[k] === argumentStart[k + 1]) return 1;
  return safeInteger(history.tables.values.values[argument[argumentStart[k]]]);
}

/** The result of a call. Undefined: not a safe integer. */
export function numericResult({ history }: CallReader, k: number): number | undefined {
  return safeInteger(history.tables.values.values[history.columns.result[k]]);
}

function safeInteger(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}
