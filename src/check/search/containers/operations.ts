/**
 * A history as operations on a queue or a stack: which operation adds, removes or sees which value, or found nothing.
 * Or the reason why it cannot be read so.
 *
 * The family of the spec names the methods that add and remove, and promises that adding always returns the same. All
 * else is checked. A removal that a prefix cut off has its result; a pending removal may remove anything.
 */
import type { History } from '../../../history/history.js';
import { numberOfValue, PENDING, RETURNED, THREW } from '../../../history/model/columns.js';
import { DEAD, type Machine } from '../../../spec/machine/machine.js';
import { type Family, returns } from '../../../spec/spec.js';
import { Disagreement, type LongestOrder, type Obstruction } from '../../model/search.js';
import { JitGraph } from '../generic/jit-graph.js';

/** The value of a removal that found nothing, and of one whose value is unknown. */
export const NOTHING = -1;
export const UNKNOWN = -2;

export class ContainerOperations {
  readonly isAdd: Uint8Array;
  readonly isPeek: Uint8Array;
  /** For each operation, the number of the value that it adds, removes or sees: 0, 1, … or NOTHING or UNKNOWN. */
  readonly value: Int32Array;
  /** The number of values. */
  readonly values: number;
  /** The initial values, in the order of the spec. */
  readonly initial: readonly number[];

  private constructor(
    isAdd: Uint8Array,
    isPeek: Uint8Array,
    value: Int32Array,
    values: number,
    initial: readonly number[],
  ) {
    this.isAdd = isAdd;
    this.isPeek = isPeek;
    this.value = value;
    this.values = values;
    this.initial = initial;
  }

  static read(history: History, machine: Machine, kind: 'queue' | 'stack'): ContainerOperations | string {
    const { family } = machine.spec;
    if (family?.kind !== kind) return `the object is not a ${kind}`;
    if (history.columns.after) return 'the history has "after" edges';
    const { argumentStart, argument, result, status } = history.columns;
    const isAdd = new Uint8Array(history.length);
    const isPeek = new Uint8Array(history.length);
    const value = new Int32Array(history.length);
    const empty = numberOfValue(history.tables, family.empty) ?? -1;
    const numbers = new Map<number, number>([[empty, NOTHING]]);
    const numberOf = (own: number): number => {
      const number = numbers.get(own) ?? numbers.size - 1;
      numbers.set(own, number);
      return number;
    };
    let firstRemoval = -1;
    for (let k = 0; k < history.length; k++) {
      const obstacle = obstacleOf(k, history, machine, family);
      if (obstacle) return obstacle;
      const method = methodOf(k, history);
      isAdd[k] = Number(method === family.roles.add);
      isPeek[k] = Number(method === family.roles.peek);
      if (isAdd[k] === 0 && firstRemoval < 0) firstRemoval = k;
      if (isAdd[k] === 0 && status[k] === PENDING) value[k] = UNKNOWN;
      else value[k] = numberOf(isAdd[k] === 1 ? argument[argumentStart[k]] : result[k]);
      if (isAdd[k] === 1 && value[k] === NOTHING)
        return `${family.roles.add} of the result of an empty ${kind}`;
    }
    const { initial } = family;
    if (!Array.isArray(initial) && firstRemoval >= 0 && !isEmptyAtFirst(firstRemoval, history, machine))
      return `the ${kind} is not initially empty`;
    // a value that no operation names differs from all others
    let unnamed = UNKNOWN;
    const inside = (Array.isArray(initial) ? initial : []).map((item) => {
      const own = numberOfValue(history.tables, item);
      return own === undefined ? --unnamed : numberOf(own);
    });
    return new ContainerOperations(isAdd, isPeek, value, numbers.size - 1, inside);
  }
}

const methodOf = (k: number, { columns, tables }: History): string => tables.methods[columns.method[k]];

/** Why an operation cannot be read, if so. */
function obstacleOf(k: number, history: History, machine: Machine, family: Family): string | undefined {
  const { id, status, argumentStart } = history.columns;
  const method = methodOf(k, history);
  const letter = machine.letterOf(id[k]);
  const { add, remove, peek } = family.roles;
  if (status[k] === THREW) return `${method} threw an error`;
  if (method === add) {
    if (argumentStart[k] === argumentStart[k + 1]) return `${add} has no argument`;
    const fits = status[k] !== RETURNED || machine.step(machine.initial, letter) !== DEAD;
    return fits ? undefined : `unexpected result of ${add}`;
  }
  if (method !== remove && method !== peek) return `unsupported operation ${method}`;
  if (argumentStart[k] !== argumentStart[k + 1]) return `${method} has an argument`;
  return undefined;
}

/** The result of an empty container is ambiguous: it may also be a value inside. */
function isEmptyAtFirst(removal: number, { columns }: History, machine: Machine): boolean {
  const atFirst = machine.allowedOutcomes(machine.initial, machine.letterOf(columns.id[removal]));
  return atFirst.length === 1 && returns(atFirst[0], machine.spec.family?.empty);
}

// The states that linearizations reach before a return that none includes, if a search without states has found that
// return.
//
// There may be too many of them. A just-in-time graph search looks for them within a step budget. If it finishes, all
// states are known; otherwise those that it visited before that return, or else those that the known orders lead to.
// So the decision does not wait for its explanation.

/** What is known already: the moment of the return, and orders of all that returned before it. */
export interface Stop {
  readonly moment: number;
  readonly orders: () => readonly Int32Array[];
}

export class ReachableStates {
  readonly #history: History;
  readonly #machine: Machine;
  readonly #stop: Stop;
  readonly #most: number;
  readonly #graph: JitGraph;

  /** `most`: the step budget. */
  constructor(history: History, machine: Machine, stop: Stop, most: number) {
    this.#history = history;
    this.#machine = machine;
    this.#stop = stop;
    this.#most = most;
    this.#graph = new JitGraph(history, machine);
  }

  get steps(): number {
    return this.#graph.steps;
  }
  get configurations(): number {
    return this.#graph.configurations;
  }
  get bytes(): number {
    return this.#graph.bytes;
  }

  advance(stepBudget: number): Obstruction | undefined {
    const graph = this.#graph;
    const { moment } = this.#stop;
    const answer = graph.advance(Math.min(stepBudget, this.#most - graph.steps));
    if (!answer) return graph.steps < this.#most ? undefined : this.#obstruction(graph.obstruction());
    // the methods exclude a return too, perhaps another one: then that is the fault
    if (answer.kind !== 'violation')
      throw new Disagreement(this.#history.columns.id[~this.#history.columns.events[moment]]);
    return answer.refutation;
  }

  /** The result if not all states are known. */
  #obstruction(seen: Obstruction): Obstruction {
    const { moment, orders } = this.#stop;
    if (seen.moment === moment) return seen;
    const known = new Map<number, LongestOrder>();
    for (const order of orders()) {
      const state = this.#stateAfter(order);
      known.set(state, { order, state });
    }
    return {
      moment,
      states: [...known.keys()],
      isExhaustive: false,
      longest: () => [...known.values()].slice(0, 2),
    };
  }

  #stateAfter(order: Int32Array): number {
    const { id } = this.#history.columns;
    return order.reduce(
      (state, k) => this.#machine.step(state, this.#machine.letterOf(id[k])),
      this.#machine.initial,
    );
  }
}
