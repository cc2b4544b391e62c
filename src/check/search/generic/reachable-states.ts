/**
 * The states that linearizations reach before a return that none includes, if a search without states has found that
 * return.
 *
 * There may be too many of them. A just-in-time graph search looks for them within a step budget. If it finishes, all
 * states are known; otherwise those that it visited before that return, or else those that the known orders lead to.
 * So the decision does not wait for its explanation.
 */
import type { History } from '../../../history/history.js';
import type { Machine } from '../../../spec/machine/machine.js';
import { Disagreement, type LongestOrder, type Obstruction } from '../../model/search.js';
import { JitGraph } from './jit-graph.js';

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
