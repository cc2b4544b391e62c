/**
 * Runs from which the expected results are learned, as a graph, and the automaton of these runs.
 *
 * A run is a sequence of steps on a fresh object. In a step one call starts, or one external event happens: a timer fires,
 * or a stub takes effect, answers or fails. A step delivers the calls that complete in it, each with its outcome.
 *
 *   sequential   each step delivers its own call; a call that is blocked ends the run. For threads (Line-Up, phase 1).
 *   quiescent    a step may deliver earlier calls that wait, and need not deliver its own. For asynchronous code.
 *
 * If two edges of a node have the same label but different deliveries, the object is nondeterministic: after the same
 * steps it returned different results. Line-Up calls this a violation.
 *
 * A run is a path from the root. Runs with a common prefix share its nodes. Runs that lead to equal states share all nodes after them:
 * the learner knows when states are equal and names the node (`shared`). Equal states have the same calls left, so the graph has no
 * cycle. Four threads with four calls each have 63 million runs; of a queue, the graph of these has some 100,000 nodes.
 */
import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { ListInterner } from '../../base/collections/interners.js';
import {
  type Automaton,
  type Move,
  type StateTerm,
  type ThreadOrder,
  untouched,
  WAITING,
} from '../automata/configurations.js';

export interface RunStep {
  /** The operation that starts, or EXTERNAL. */
  readonly operation: number;
  /** The name of an external event, and its number among the tasks of the run; empty and 0 for a call. */
  readonly event: string;
  readonly number: number;
  /** The operations that complete, and their outcomes. */
  readonly delivered: ReadonlyMap<number, number>;
}

export type LearnedRun = readonly RunStep[];

/** Instead of an operation: an external event. */
export const EXTERNAL = -1;

export class LearnedRuns {
  readonly root = 0;
  readonly operations: number;
  /** Is a call that waits completed by later steps? Otherwise it ends its run. */
  readonly hasWaiters: boolean;
  /** Node to its edges, as letters; letter to its step. */
  readonly edges: number[][] = [[]];
  readonly steps: RunStep[] = [];
  /** Nodes at which nothing can happen and some calls are blocked. */
  readonly stuck: Set<number> = new Set();
  readonly #letterTo: number[] = [-1];
  readonly #before: number[] = [-1];
  readonly #children = new PairMap();
  readonly #letters = new ListInterner();
  readonly #events: string[] = [''];
  /** Two runs that differ only in the deliveries of the last step. */
  nondeterminism: readonly [LearnedRun, LearnedRun] | undefined;

  constructor(operations: number, hasWaiters = false) {
    this.operations = operations;
    this.hasWaiters = hasWaiters;
  }

  /** Adds a step to the runs of a node. Returns the node after it: `shared`, if that is given and the step is new. */
  add(node: number, step: RunStep, shared?: number): number {
    return this.#child(node, this.#letterOf(step), shared);
  }

  /** A call runs to its end. */
  ended(node: number, operation: number, outcome: number, shared?: number): number {
    const delivered = new Map([[operation, outcome]]);
    return this.add(node, { operation, event: '', number: 0, delivered }, shared);
  }

  /** A call starts and is blocked forever. */
  blocked(node: number, operation: number): void {
    this.stuck.add(this.add(node, { operation, event: '', number: 0, delivered: new Map() }));
  }

  child(node: number, letter: number): number {
    return this.#children.get(node, letter);
  }

  /** All runs that have no continuation. There may be many more than nodes. */
  *runs(
    node: number = this.root,
    before: LearnedRun = [],
  ): Generator<{ readonly run: LearnedRun; readonly isStuck: boolean }> {
    if (this.edges[node].length === 0 && node !== this.root)
      yield { run: before, isStuck: this.stuck.has(node) };
    for (const letter of this.edges[node])
      yield* this.runs(this.child(node, letter), [...before, this.steps[letter]]);
  }

  /** The number of runs that have no continuation, and of steps in all runs, those of common prefixes once. */
  count(): { readonly runs: number; readonly steps: number } {
    const runs = new Float64Array(this.edges.length);
    const steps = new Float64Array(this.edges.length);
    for (const node of this.childrenFirst()) {
      runs[node] = this.edges[node].length === 0 && node !== this.root ? 1 : 0;
      for (const letter of this.edges[node]) {
        const child = this.child(node, letter);
        runs[node] += runs[child];
        steps[node] += steps[child] + 1;
      }
    }
    return { runs: runs[this.root], steps: steps[this.root] };
  }

  /** All nodes, each after those that follow it. */
  childrenFirst(): number[] {
    const nodes: number[] = [];
    const isKnown = new Uint8Array(this.edges.length);
    const visit = (node: number): void => {
      isKnown[node] = 1;
      for (const letter of this.edges[node]) {
        const child = this.child(node, letter);
        if (isKnown[child] === 0) visit(child);
      }
      nodes.push(node);
    };
    visit(this.root);
    return nodes;
  }

  /** The run by which a node was found first. */
  runTo(node: number): LearnedRun {
    const run: RunStep[] = [];
    for (let at = node; at !== this.root; at = this.#before[at]) run.push(this.steps[this.#letterTo[at]]);
    return run.reverse();
  }

  #letterOf(step: RunStep): number {
    let event = this.#events.indexOf(step.event);
    if (event < 0) event = this.#events.push(step.event) - 1;
    const list = [step.operation, event, step.number];
    for (const [operation, outcome] of step.delivered) list.push(operation, outcome);
    const letter = this.#letters.intern(new Int32Array(list), list.length);
    if (letter === this.steps.length) this.steps.push(step);
    return letter;
  }

  #child(node: number, letter: number, shared?: number): number {
    const known = this.#children.get(node, letter);
    if (known !== ABSENT) return known;
    const { operation, number } = this.steps[letter];
    const other = this.edges[node].find(
      (edge) => this.steps[edge].operation === operation && this.steps[edge].number === number,
    );
    if (other !== undefined) {
      const before = this.runTo(node);
      this.nondeterminism ??= [
        [...before, this.steps[other]],
        [...before, this.steps[letter]],
      ];
    }
    const child = shared ?? this.#node(node, letter);
    this.edges[node].push(letter);
    this.#children.add(node, letter, child);
    return child;
  }

  #node(before: number, letter: number): number {
    this.#letterTo.push(letter);
    this.#before.push(before);
    return this.edges.push([]) - 1;
  }
}

/** An edge of the automaton: the operation that starts, or EXTERNAL, and its effect. */
interface Edge {
  readonly start: number;
  readonly move: Move;
}

/**
 * The smallest automaton of learned runs. Nodes with the same continuations are one state: from the leaves upward, nodes
 * with equal edges to equal states get equal numbers (hash consing). 1,680 runs of a stack have 132 states. Names of events
 * do not count. Cost: O(edges).
 */
export class LearnedAutomaton implements Automaton {
  readonly initial: number;
  readonly #hasWaiters: boolean;
  readonly renames: Automaton['renames'];
  /** Order of threads, and state, to the term; and the shapes of terms. */
  readonly #terms: StateTerm[][] = [];
  /** Lists of edges. Automata that have it in common have comparable terms. */
  shapes: ListInterner = new ListInterner();
  /** State to its edges, and to whether some calls are blocked there forever. */
  readonly #edges: Edge[][] = [];
  readonly #isStuck: boolean[] = [];

  constructor(runs: LearnedRuns) {
    this.#hasWaiters = runs.hasWaiters;
    const stateOf = new Int32Array(runs.edges.length);
    const moves = new ListInterner();
    const states = new ListInterner();
    const numberOf = new Map<number, number>();
    runs.steps.forEach(({ operation, delivered }, letter) => {
      const list = new Int32Array([operation, ...[...delivered].flat()]);
      numberOf.set(letter, moves.intern(list, list.length));
    });
    for (const node of runs.childrenFirst()) {
      const edges = new Map(
        runs.edges[node].map((letter) => {
          const next = stateOf[runs.child(node, letter)];
          return [`${numberOf.get(letter)} ${next}`, { letter, next }];
        }),
      );
      const sorted = [...edges.values()].sort(
        (a, b) => numberOf.get(a.letter)! - numberOf.get(b.letter)! || a.next - b.next,
      );
      const list = new Int32Array([
        runs.stuck.has(node) ? 1 : 0,
        ...sorted.flatMap(({ letter, next }) => [numberOf.get(letter)!, next]),
      ]);
      const state = states.intern(list, list.length);
      if (state === this.#edges.length) {
        this.#edges.push(sorted.map(({ letter, next }) => edgeOf(runs.steps[letter], next)));
        this.#isStuck.push(runs.stuck.has(node));
      }
      stateOf[node] = state;
    }
    this.initial = stateOf[runs.root];
    const isDeterministic = this.#edges.every(
      (edges) => new Set(edges.map(({ start }) => start)).size === edges.length,
    );
    if (isDeterministic && !runs.hasWaiters) this.renames = 'threads and values';
  }

  /**
   * Equal lists of edges to equal terms are one shape (hash consing up to names). Values are renamed only if each operation has at
   * most one edge.
   */
  termOf(state: number, order: ThreadOrder): StateTerm {
    this.#terms[order.index] ??= [];
    this.#terms[order.index][state] ??= this.#term(state, order);
    return this.#terms[order.index][state];
  }

  #term(state: number, order: ThreadOrder): StateTerm {
    const names: number[] = [];
    const local = (name: number): number => {
      const known = names.indexOf(name);
      return known >= 0 ? known : names.push(name) - 1;
    };
    const roleOf = (operation: number): number =>
      operation === EXTERNAL ? EXTERNAL : order.roleOf[operation];
    const edges = this.#edges[state].toSorted((a, b) => roleOf(a.start) - roleOf(b.start));
    const lists = edges.map(({ start, move: { operations, outcomes, next } }) => {
      const delivered = operations.map((operation, i) => {
        const name = outcomes[i] < 0 ? -1 : order.nameOf(outcomes[i]);
        return [roleOf(operation), name < 0 ? 2 * outcomes[i] : 2 * local(name) + 1];
      });
      delivered.sort(([a], [b]) => a - b);
      const after = this.termOf(next, order);
      return [roleOf(start), operations.length, ...delivered.flat(), after.shape, ...after.names.map(local)];
    });
    // several external events, or a result that is not determined
    if (names.length === 0) lists.sort(compareLists);
    const list = lists.flat();
    const shape = this.shapes.intern(Int32Array.of(this.#isStuck[state] ? 1 : 0, ...list), list.length + 1);
    return { shape, names };
  }

  get states(): number {
    return this.#edges.length;
  }

  moves(state: number, called: readonly number[]): readonly Move[] {
    return this.#edges[state].flatMap(({ start, move }) =>
      start === EXTERNAL || (called.includes(start) && (this.#hasWaiters || move.outcomes[0] !== WAITING))
        ? [move]
        : [],
    );
  }

  /** With waiters, one run must block all pending operations. Otherwise each of them ends a run of its own. */
  unblocked(configurations: readonly (readonly number[])[], pending: readonly number[]): number {
    if (!this.#hasWaiters) {
      const edges = untouched(configurations).flatMap((state) => this.#edges[state]);
      const blocked = edges.flatMap(({ start, move }) => (move.outcomes[0] === WAITING ? [start] : []));
      return pending.find((operation) => !blocked.includes(operation)) ?? -1;
    }
    const stuck = configurations.filter(([state]) => this.#isStuck[state]);
    if (stuck.some(([, ...outcomes]) => outcomes.every((outcome) => outcome === WAITING))) return -1;
    const waits = (place: number): boolean => stuck.some((one) => one[place + 1] === WAITING);
    return (
      pending[
        Math.max(
          0,
          pending.findIndex((_, place) => !waits(place)),
        )
      ] ?? -1
    );
  }
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((item, i) => item !== other[i]);
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? Number.NEGATIVE_INFINITY);
}

function edgeOf({ operation, delivered }: RunStep, next: number): Edge {
  const others = [...delivered].filter(([other]) => other !== operation);
  const own = operation === EXTERNAL ? [] : [[operation, delivered.get(operation) ?? WAITING]];
  const all = [...own, ...others];
  return {
    start: operation,
    move: { operations: all.map(([one]) => one), outcomes: all.map(([, outcome]) => outcome), next },
  };
}

/** By node: does a whole run lead through it? A run that was given up at a return ends with calls that still wait. */
export function partsOfWholeRuns(learned: LearnedRuns): boolean[] {
  const isPart: boolean[] = [];
  const order = learned.childrenFirst();
  const open = new Int32Array(learned.edges.length);
  for (const node of order.toReversed())
    for (const letter of learned.edges[node]) {
      const { operation, delivered } = learned.steps[letter];
      open[learned.child(node, letter)] = open[node] + (operation === EXTERNAL ? 0 : 1) - delivered.size;
    }
  for (const node of order) {
    const edges = learned.edges[node];
    isPart[node] =
      edges.length === 0
        ? learned.stuck.has(node) || open[node] === 0
        : edges.some((letter) => isPart[learned.child(node, letter)]);
  }
  return isPart;
}
