/**
 * The states in which orders stood before a return that no order gets past, where a search without states has found it.
 *
 * They are as many as the orders of what is inside then, which can be too many to count. A just-in-time graph search
 * looks for them, for so many steps at most. If it gets to its end, all states are told; if not, those that it has seen
 * before that return, or else those that the orders lead to which are known anyway. So the "no" does not wait for its
 * explanation.
 */
import { invariant } from '../../../base/invariant.js';
import type { History } from '../../../history/history.js';
import type { Machine } from '../../../spec/machine/machine.js';
import type { LongestOrder, Obstruction } from '../../model/search.js';
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

  /** `most`: so many steps. */
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

  advance(fuel: number): Obstruction | undefined {
    const graph = this.#graph;
    const { moment } = this.#stop;
    const answer = graph.advance(Math.min(fuel, this.#most - graph.steps));
    if (!answer) return graph.steps < this.#most ? undefined : this.#obstruction(graph.obstruction());
    invariant(
      answer.kind === 'violation' && answer.refutation.moment === moment,
      `no order gets past the return at ${moment}, but the graph search says otherwise`,
    );
    return answer.refutation;
  }

  /** When not all states are known. */
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
      hasAllEarlierStates: false,
      statesSince: () => [...known.keys()],
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
