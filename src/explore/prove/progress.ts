/**
 * Progress of a closed graph of states: where no call can return any more, and whether some call always returns.
 *
 * The edges are steps inside calls. A strongly connected component without a way out and without a return is *stuck*: if no further call
 * is made, no pending call ever returns. Deadlock, lost wake-up and endless spinning are all of this kind, so no spin needs to be detected.
 *
 * A cycle contains neither a call nor a return. So if there is no cycle, each sequence of steps leads to a return.
 */
import { componentsOf } from '../../base/algorithms/components.js';
import type { ClientCall } from './client.js';
import type { ConfigurationSets } from './configuration-sets.js';

export interface Graph {
  /** The number of states. */
  readonly size: number;
  readonly edges: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Does a step of a pending call return in this state? */
  canReturn(state: number): boolean;
  /** The length of the shortest path to a state; its set of configurations; and the calls that cannot be started in it. */
  depthOf(state: number): number;
  setOf(state: number): number;
  refusedIn(state: number): readonly RefusedCall[];
}

/** A call that an idle thread cannot start, because its first step is not enabled. */
export interface RefusedCall {
  readonly place: number;
  readonly call: ClientCall;
}

/** A call that never returns, though the specification does not let it block. */
export interface NeedlessWait {
  readonly state: number;
  readonly place: number;
  readonly refused?: ClientCall | undefined;
}

export class Progress {
  /** Is there no cycle of steps inside calls? */
  readonly isAcyclic: boolean;
  readonly #graph: Graph;
  /** State to its component; component to whether a step leaves it, or returns in it. */
  readonly #component: Int32Array;
  readonly #hasExit: Uint8Array;

  constructor(graph: Graph) {
    const { size, edges, from, to } = graph;
    this.#graph = graph;
    const { component, count } = componentsOf(size, from.subarray(0, edges), to.subarray(0, edges));
    this.#component = component;
    this.#hasExit = new Uint8Array(count);
    let isAcyclic = true;
    for (let i = 0; i < edges; i++)
      if (this.#component[from[i]] === this.#component[to[i]]) isAcyclic = false;
      else this.#hasExit[this.#component[from[i]]] = 1;
    for (let state = 0; state < size; state++)
      if (graph.canReturn(state)) this.#hasExit[this.#component[state]] = 1;
    this.isAcyclic = isAcyclic;
  }

  /** The one that is reached first, if there is any. Every call that waits must be allowed to (Line-Up, definition 2). */
  needlessWait(sets: ConfigurationSets, threads: number): NeedlessWait | undefined {
    let first: NeedlessWait | undefined;
    for (const component of this.#stuck()) {
      const found = this.#needlessWaitIn(component, sets, threads);
      if (found && (!first || this.#graph.depthOf(found.state) < this.#graph.depthOf(first.state)))
        first = found;
    }
    return first;
  }

  #needlessWaitIn(
    component: readonly number[],
    sets: ConfigurationSets,
    threads: number,
  ): NeedlessWait | undefined {
    const graph = this.#graph;
    const state = component.reduce((a, b) => (graph.depthOf(b) < graph.depthOf(a) ? b : a));
    const set = graph.setOf(state);
    for (let place = 0; place < threads; place++)
      if (sets.hasCall(set, place) && !sets.mayBlock(set, place)) return { state, place };
    // a call that could start in another state of the component is not stuck
    const isStuck = ({ letter }: ClientCall) =>
      component.every((other) => graph.refusedIn(other).some(({ call }) => call.letter === letter));
    const refused = graph
      .refusedIn(state)
      .find(({ place, call }) => isStuck(call) && !sets.mayBlockCall(set, place, call.letter));
    return refused && { state, place: refused.place, refused: refused.call };
  }

  /** The components that no step leaves and in which no call returns. */
  #stuck(): number[][] {
    const stuck = new Map<number, number[]>();
    for (let state = 0; state < this.#graph.size; state++) {
      const component = this.#component[state];
      if (this.#hasExit[component] === 1) continue;
      const states = stuck.get(component);
      if (states) states.push(state);
      else stuck.set(component, [state]);
    }
    return [...stuck.values()];
  }
}
