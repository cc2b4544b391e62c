/**
 * Progress of a closed graph of states: where no call can return any more, and whether some call always returns.
 *
 * The edges are steps inside calls. Their strongly connected components are computed in linear time (R. Tarjan, Depth-first search and
 * linear graph algorithms, 1972). A component without a way out and without a return is *stuck*: if no further call is made, no pending
 * call ever returns. Deadlock, lost wake-up and endless spinning are all of this kind, so no spin needs to be detected.
 *
 * A cycle contains neither a call nor a return. So if there is no cycle, each sequence of steps leads to a return.
 */
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

const NONE = -1;

export class Progress {
  /** Is there no cycle of steps inside calls? */
  readonly isAcyclic: boolean;
  readonly #graph: Graph;
  /** State to its first edge, in the order of `#targets`. */
  readonly #first: Int32Array;
  readonly #targets: Int32Array;
  /** State to its component; component to whether a step leaves it, or returns in it. */
  readonly #component: Int32Array;
  readonly #hasExit: Uint8Array;

  constructor(graph: Graph) {
    const { size, edges, from, to } = graph;
    this.#graph = graph;
    this.#first = new Int32Array(size + 1);
    this.#targets = new Int32Array(edges);
    for (let i = 0; i < edges; i++) this.#first[from[i] + 1]++;
    for (let state = 0; state < size; state++) this.#first[state + 1] += this.#first[state];
    const next = this.#first.slice();
    for (let i = 0; i < edges; i++) this.#targets[next[from[i]]++] = to[i];
    this.#component = new Int32Array(size).fill(NONE);
    const components = this.#connect();
    this.#hasExit = new Uint8Array(components);
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

  /** Numbers the components. Iterative, because graphs are deep. */
  #connect(): number {
    const { size } = this.#graph;
    const number = new Int32Array(size).fill(NONE);
    const low = new Int32Array(size);
    const at = this.#first.slice();
    const open: number[] = [];
    const calls: number[] = [];
    let visited = 0;
    let components = 0;
    const enter = (state: number): void => {
      number[state] = visited;
      low[state] = visited++;
      open.push(state);
      calls.push(state);
    };
    for (let root = 0; root < size; root++) {
      if (number[root] === NONE) enter(root);
      while (calls.length > 0) {
        const state = calls[calls.length - 1];
        if (at[state] < this.#first[state + 1]) {
          const next = this.#targets[at[state]++];
          if (number[next] === NONE) enter(next);
          else if (this.#component[next] === NONE) low[state] = Math.min(low[state], number[next]);
          continue;
        }
        calls.pop();
        const caller = calls.at(-1);
        if (caller !== undefined) low[caller] = Math.min(low[caller], low[state]);
        if (low[state] !== number[state]) continue;
        for (let member = open.pop()!; ; member = open.pop()!) {
          this.#component[member] = components;
          if (member === state) break;
        }
        components++;
      }
    }
    return components;
  }
}
