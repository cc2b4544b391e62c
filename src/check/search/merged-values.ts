/**
 * Searches a queue, stack or deque with several values taken as one.
 *
 * Such an object stores values and never compares them. So a sequence of operations that its spec allows is still
 * allowed after values are replaced, in both arguments and results:
 *
 *   1. If a history has a linearization, it has one with any values merged. So a history with merged values that has
 *      none is a proof of a violation.
 *   2. If no operation returned any of the merged values, the same orders are linearizations of both histories.
 *
 * After merging, adds of merged values are equal operations, and a search tries only one order of equal operations
 * (open-operations.ts). n overlapping adds of values that no operation returned cost n configurations instead of n! states.
 *
 * Initial values and the result of an empty container are never merged.
 */
import { History } from '../../history/history.js';
import { numberOfValue, RETURNED, THREW, withColumns } from '../../history/model/columns.js';
import { DEAD, type Machine } from '../../spec/machine/machine.js';
import type { Family, Spec } from '../../spec/spec.js';
import type { Search, SearchResult } from '../model/search.js';
import { violation } from '../model/verdict.js';

/** The objects that never compare values. */
const MERGEABLE = new Set(['queue', 'stack', 'deque']);
const NONE = -1;

/** Whether values of an object can be merged. */
export const isMergeable = ({ family }: Spec): boolean =>
  family !== undefined && MERGEABLE.has(family.kind) && Array.isArray(family.initial);

/** The values of a history of such an object. */
export class MergeableValues {
  /** For each operation, the number of the value that it adds or returns, or NONE. */
  readonly #value: Int32Array;
  readonly #isAdd: Uint8Array;
  readonly #history: History;
  /** For each number of a value, whether it can be merged, and whether an operation returned it. */
  readonly #isFree: Uint8Array;
  readonly #isReturned: Uint8Array;

  private constructor(history: History, family: Family, initial: readonly unknown[]) {
    const { columns, tables, length } = history;
    const adders = Object.keys(family.roles).filter((role) => role.startsWith('add'));
    const isAdder = tables.methods.map((name) => adders.some((role) => family.roles[role] === name));
    this.#history = history;
    this.#value = new Int32Array(length).fill(NONE);
    this.#isAdd = new Uint8Array(length);
    this.#isFree = new Uint8Array(tables.values.values.length).fill(1);
    this.#isReturned = new Uint8Array(this.#isFree.length);
    for (const value of [family.empty, ...initial]) {
      const number = numberOfValue(tables, value);
      if (number !== undefined) this.#isFree[number] = 0;
    }
    for (let k = 0; k < length; k++) {
      const isAdd = isAdder[columns.method[k]];
      if (!isAdd && columns.status[k] !== RETURNED) continue;
      const value = isAdd ? columns.argument[columns.argumentStart[k]] : columns.result[k];
      if (value === undefined || this.#isFree[value] === 0) continue;
      this.#value[k] = value;
      this.#isAdd[k] = Number(isAdd);
      if (!isAdd) this.#isReturned[value] = 1;
    }
  }

  /** Undefined if the object may compare values. */
  static of(history: History, spec: Spec): MergeableValues | undefined {
    const { family } = spec;
    if (!family || !isMergeable(spec) || history.columns.status.includes(THREW)) return undefined;
    return new MergeableValues(history, family, family.initial as readonly unknown[]);
  }

  /** The value that an operation adds or returns, or NONE. */
  valueOf(operation: number): number {
    return this.#value[operation];
  }

  /** The other values that can be merged, those of the latest operations first. */
  others(value: number): number[] {
    const found = new Set<number>();
    for (let k = this.#value.length - 1; k >= 0; k--)
      if (this.#value[k] !== NONE && this.#value[k] !== value) found.add(this.#value[k]);
    return [...found];
  }

  /** The history with all values merged that no operation returned; undefined if they are fewer than two. */
  withoutUnreturned(): History | undefined {
    return this.#merged((value) => this.#isReturned[value] === 1);
  }

  /** The history with all values merged except these; undefined if the others are fewer than two. */
  keeping(...values: readonly number[]): History | undefined {
    return this.#merged((value) => values.includes(value));
  }

  #merged(isKept: (value: number) => boolean): History | undefined {
    const { columns, tables } = this.#history;
    const [argument, result] = [columns.argument.slice(), columns.result.slice()];
    const merged = new Set<number>();
    let one = NONE;
    for (let k = 0; k < this.#value.length; k++) {
      const value = this.#value[k];
      if (value === NONE || isKept(value)) continue;
      merged.add(value);
      if (one === NONE) one = value;
      if (this.#isAdd[k]) argument[columns.argumentStart[k]] = one;
      else result[k] = one;
    }
    return merged.size < 2 ? undefined : new History(withColumns(columns, { argument, result }), tables);
  }
}

/** A search of another history that has the same linearizations. */
export class EquivalentSearch implements Search {
  readonly #history: History;
  readonly #machine: Machine;
  readonly #search: Search;
  readonly #searchedMachine: Machine;

  /** `search` runs on a machine of its own. */
  constructor(history: History, machine: Machine, search: Search, searchedMachine: Machine) {
    this.#history = history;
    this.#machine = machine;
    this.#search = search;
    this.#searchedMachine = searchedMachine;
  }

  get name(): string {
    return this.#search.name;
  }
  get steps(): number {
    return this.#search.steps;
  }
  get configurations(): number {
    return this.#search.configurations;
  }
  get bytes(): number {
    return this.#search.bytes + this.#searchedMachine.bytes;
  }
  get explained(): number {
    return this.#search.explained;
  }
  get returns(): number {
    return this.#search.returns;
  }

  /** The states of the two machines differ, so those of a violation are found by running its orders. */
  advance(steps: number): SearchResult | undefined {
    const answer = this.#search.advance(steps);
    if (answer?.kind !== 'violation') return answer;
    const longest = answer.refutation
      .longest()
      .map(({ order }) => ({ order, state: this.#stateAfter(order) }));
    const states = longest.map(({ state }) => state);
    return violation({ ...answer.refutation, states, isExhaustive: false, longest: () => longest });
  }

  #stateAfter(order: Int32Array): number {
    const letters = this.#machine.lettersOf(this.#history);
    let state = this.#machine.initial;
    for (let i = 0; i < order.length && state !== DEAD; i++)
      state = this.#machine.step(state, letters[order[i]]);
    return state;
  }
}
