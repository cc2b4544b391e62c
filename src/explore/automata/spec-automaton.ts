/**
 * A given spec as the automaton of a program, states filled in on demand.
 *
 * A set of spec states is one state (power-set construction), as in `Machine`; here
 * outcomes are not known beforehand.
 */
import type { AnyFunction } from '../../base/any-function.js';
import { ListInterner } from '../../base/collections/interners.js';
import { ANY_CALL, EnabledRendezvous } from '../../check/rendezvous/search/enabled-rendezvous.js';
import { comparable } from '../../execution/comparable.js';
import type { Outcomes } from '../../execution/outcomes.js';
import type { Call } from '../../execution/program.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { StateSpace } from '../../spec/machine/state-space.js';
import { SyncMachine } from '../../spec/rendezvous/sync-machine.js';
import { type AnySpec, isSyncSpec, type SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { OneOf, requireNoContext, type Spec, SpecError, Threw, type Transition } from '../../spec/spec.js';
import { type Automaton, type Move, type StateTerm, untouched } from './configurations.js';

/** As much of a call as a spec knows of. */
type Called = Pick<Call, 'method' | 'args'>;

/** Outcome to the state after it. */
type Edges = ReadonlyMap<number, number>;

export class SpecAutomaton implements Automaton {
  readonly initial: number;
  readonly #calls: readonly Called[];
  readonly #outcomes: Outcomes;
  readonly #space: StateSpace;
  readonly #numbers = new ListInterner();
  /** State to its spec states, ascending; and to its edges, operation by operation. */
  readonly #members: Int32Array[] = [];
  readonly #edges: Edges[][] = [];

  constructor(spec: Spec, calls: readonly Called[], outcomes: Outcomes) {
    for (const { method } of calls)
      if (!Object.hasOwn(spec.methods, method))
        throw new SpecError(
          `the program calls the unknown method ${method}; spec ${spec.name} defines ${Object.keys(spec.methods).join(', ')}`,
        );
    this.#calls = calls;
    this.#outcomes = outcomes;
    this.#space = runtime.aside(() => new StateSpace(spec));
    this.initial = this.#stateOf([this.#space.initial]);
  }

  readonly renames = 'threads';

  /** A state does not depend on which thread made the calls. */
  termOf(state: number): StateTerm {
    return { shape: state, names: [] };
  }

  moves(state: number, called: readonly number[]): readonly Move[] {
    return called.flatMap((operation) =>
      Array.from(this.#edgesOf(state, operation), ([outcome, next]) => ({
        operations: [operation],
        outcomes: [outcome],
        next,
      })),
    );
  }

  /** Each pending operation on its own must be blocked after all that returned (Line-Up, definition 2). */
  unblocked(configurations: readonly (readonly number[])[], pending: readonly number[]): number {
    const states = untouched(configurations);
    const isBlocked = (state: number, { method, args }: Called): boolean =>
      this.#members[state].some((member) => this.#space.isBlocked(member, method, args));
    return runtime.aside(
      () =>
        pending.find((operation) => !states.some((state) => isBlocked(state, this.#calls[operation]))) ?? -1,
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
    const state = this.#numbers.intern(list, list.length);
    if (state === this.#members.length) {
      this.#members.push(list);
      this.#edges.push([]);
    }
    return state;
  }
}

/*
 * A given SyncSpec as the automaton of a program: what the operations of it may do together.
 *
 * The calls of the program, none of which has ended, are the history that the machine of the spec is made for; so
 * rendezvous are the same as those of a check. States are single ones: where the spec leaves a choice there are several moves.
 */

class SyncAutomaton implements Automaton {
  readonly initial: number;
  readonly #machine: SyncMachine;
  readonly #rendezvous: EnabledRendezvous;
  readonly #letters: Int32Array;
  readonly #outcomes: Outcomes;

  constructor(spec: SyncSpec, calls: readonly Called[], outcomes: Outcomes) {
    const builder = new HistoryBuilder();
    for (const [number, { method, args }] of calls.entries())
      builder.call({ process: String(number), method, args: [...args] });
    const history = builder.finish();
    this.#machine = runtime.aside(() => new SyncMachine(history, spec));
    this.#letters = this.#machine.lettersOf(history);
    this.#rendezvous = new EnabledRendezvous(this.#machine, this.#letters);
    this.#outcomes = outcomes;
    this.initial = this.#machine.initial;
  }

  moves(state: number, waiting: readonly number[]): readonly Move[] {
    return runtime.aside(() => this.#movesOf(state, waiting));
  }

  #movesOf(state: number, waiting: readonly number[]): readonly Move[] {
    const moves: Move[] = [];
    this.#rendezvous.gather(state, waiting, ANY_CALL, (members, length, mode) => {
      const operations = Array.from(members.subarray(0, length));
      const letters = operations.map((operation) => this.#letters[operation]);
      for (const { next, outcomes } of this.#machine.possibleSteps(state, mode, letters))
        moves.push({ operations, outcomes: outcomes.map((own) => this.#outcomes.numberOf(own)), next });
    });
    return moves;
  }

  /** No rendezvous of the pending operations may be possible. */
  unblocked(configurations: readonly (readonly number[])[], pending: readonly number[]): number {
    const states = untouched(configurations);
    const canRest = (state: number): boolean => !this.#rendezvous.each(state, pending, ANY_CALL, () => true);
    return runtime.aside(() => (states.some(canRest) ? -1 : (pending[0] ?? -1)));
  }
}

/** The automaton of a program for its spec, a `Spec` or a `SyncSpec`. */
export function givenAutomaton(given: AnySpec, calls: readonly Called[], outcomes: Outcomes): Automaton {
  if (!isSyncSpec(given))
    requireNoContext(
      given as Spec,
      'an explored program has none; stress the object and check the recorded history',
    );
  const spec = withComparableResults(given);
  return isSyncSpec(spec)
    ? new SyncAutomaton(spec, calls, outcomes)
    : new SpecAutomaton(spec, calls, outcomes);
}

/** The spec with results as histories of executions have them, so that `check` decides as the automaton does. */
export function withComparableResults(spec: AnySpec): AnySpec {
  const own = (result: unknown): unknown => (result instanceof Threw ? result : comparable(result));
  const all = isSyncSpec(spec)
    ? (results: unknown): unknown => (Array.isArray(results) ? results.map(own) : results)
    : own;
  const converted = (methods: object): object =>
    Object.fromEntries(Object.entries(methods).map(([name, run]) => [name, converting(run as AnyFunction)]));
  const step = ([next, result]: Transition<unknown, unknown>): Transition<unknown, unknown> => [
    next,
    all(result),
  ];
  const converting =
    (run: AnyFunction): AnyFunction =>
    (...args) => {
      const returned: unknown = run(...args);
      if (returned instanceof OneOf)
        return new OneOf([...returned.transitions.map(step), ...returned.refused]);
      return Array.isArray(returned) && returned.length === 2 ? step(returned as never) : returned;
    };
  return isSyncSpec(spec)
    ? { ...spec, rendezvous: converted(spec.rendezvous) as SyncSpec['rendezvous'] }
    : { ...spec, methods: converted(spec.methods) as Spec['methods'] };
}
