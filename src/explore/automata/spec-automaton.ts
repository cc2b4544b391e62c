/**
 * A given spec as the automaton of a program, states filled in on demand.
 *
 * A set of spec states is one state (power-set construction), as in `Machine`; here
 * outcomes are not known beforehand.
 */
import { ListNumbers } from '../../base/collections/list-interner.js';
import type { Outcomes } from '../../execution/outcomes.js';
import type { Call } from '../../execution/program.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { StateSpace } from '../../spec/machine/state-space.js';
import type { Spec } from '../../spec/spec.js';
import { SpecError } from '../../spec/spec-error.js';
import { type Automaton, DEAD } from '../model/automaton.js';

/** As much of a call as a spec knows of. */
export type Called = Pick<Call, 'method' | 'args'>;

/** Outcome to the state after it. */
type Edges = ReadonlyMap<number, number>;

export class SpecAutomaton implements Automaton {
  readonly initial: number;
  readonly #calls: readonly Called[];
  readonly #outcomes: Outcomes;
  readonly #space: StateSpace;
  readonly #numbers = new ListNumbers();
  /** State to its spec states, ascending; and to its edges, operation by operation. */
  readonly #members: Int32Array[] = [];
  readonly #edges: Edges[][] = [];

  constructor(spec: Spec, calls: readonly Called[], outcomes: Outcomes) {
    for (const { method } of calls)
      if (!Object.hasOwn(spec.methods, method))
        throw new SpecError(
          `the program calls ${method}, but ${spec.name} has only ${Object.keys(spec.methods).join(', ')}`,
        );
    this.#calls = calls;
    this.#outcomes = outcomes;
    this.#space = runtime.aside(() => new StateSpace(spec));
    this.initial = this.#stateOf([this.#space.initial]);
  }

  answers(state: number, operation: number): readonly number[] {
    return [...this.#edgesOf(state, operation).keys()];
  }

  after(state: number, operation: number, outcome: number): number {
    return this.#edgesOf(state, operation).get(outcome) ?? DEAD;
  }

  blocks(state: number, operation: number): boolean {
    const { method, args } = this.#calls[operation];
    return runtime.aside(() =>
      this.#members[state].some((member) => this.#space.waits(member, method, args)),
    );
  }

  #edgesOf(state: number, operation: number): Edges {
    this.#edges[state][operation] ??= runtime.aside(() => this.#explore(state, operation));
    return this.#edges[state][operation];
  }

  #explore(state: number, operation: number): Edges {
    const { method, args } = this.#calls[operation];
    const next = new Map<number, Set<number>>();
    for (const member of this.#members[state])
      for (const answer of this.#space.apply(member, method, args)) {
        const outcome = this.#outcomes.numberOf(answer.outcome);
        next.set(outcome, (next.get(outcome) ?? new Set()).add(answer.next));
      }
    return new Map(Array.from(next, ([outcome, members]) => [outcome, this.#stateOf([...members])]));
  }

  #stateOf(members: readonly number[]): number {
    const list = Int32Array.from(members).sort();
    const state = this.#numbers.numberOf(list, list.length);
    if (state === this.#members.length) {
      this.#members.push(list);
      this.#edges.push([]);
    }
    return state;
  }
}
