/**
 * The results that the faulty operation could have had: a result is allowed exactly if the history up to the return is
 * linearizable with it.
 *
 * One search finds all of them. The result of the operation is left open: a state of the automaton is a list of
 * results with the machine state after each, and before the operation has taken effect one machine state without a
 * result. The search visits every configuration, and collects the results that are left after all returns.
 *
 * Invariant: a state has one entry for each result that is consistent with the operations since.
 *
 * Cost: as for a search without a linearization, times the number of results.
 */
import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { ListInterner } from '../../base/collections/interners.js';
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { type Automaton, DEAD, type Machine } from '../../spec/machine/machine.js';
import type { Budget } from '../model/budget.js';
import { JitGraph } from '../search/generic/jit-graph.js';

/** The results that were allowed; `isComplete`: there are no others. */
export interface Allowed {
  readonly outcomes: readonly Outcome[];
  readonly isComplete: boolean;
  /** All configurations were visited. A method that sees the outcome may allow more than it returned. */
  readonly isSearched: boolean;
}

/** Instead of the number of a result: the operation has not taken effect. */
const NOT_YET = -1;

/** A machine in which one operation may have any result. */
class OpenResult implements Automaton {
  readonly initial: number;
  /** Results, numbered. */
  readonly #outcomes = new Interner();
  readonly #machine: Machine;
  readonly #operation: number;
  /** The letter of the operation with any result: after all letters of the machine. */
  readonly #open: number;
  readonly #lists = new ListInterner();
  /** For each state, pairs of a result and a machine state. */
  readonly #pairs: Int32Array[] = [];
  readonly #steps = new PairMap();

  /** `operation`: its id. */
  constructor(machine: Machine, operation: number) {
    this.#machine = machine;
    this.#operation = operation;
    this.#open = machine.letterCount;
    this.initial = this.before(machine.initial);
  }

  get bytes(): number {
    return this.#machine.bytes + this.#steps.bytes + 64 * this.#pairs.length;
  }

  lettersOf(cut: History): Int32Array {
    const letters = this.#machine.lettersOf(cut).slice();
    letters[cut.positionsById()[this.#operation]] = this.#open;
    return letters;
  }

  isReadOnly(letter: number): boolean {
    return letter !== this.#open && this.#machine.isReadOnly(letter);
  }

  step(state: number, letter: number): number {
    const known = this.#steps.get(state, letter);
    if (known !== ABSENT) return known;
    const pairs = this.#pairs[state];
    const next: number[] = [];
    for (let i = 0; i < pairs.length; i += 2)
      if (letter === this.#open) this.#takeEffect(pairs[i + 1], next);
      else {
        const after = this.#machine.step(pairs[i + 1], letter);
        if (after !== DEAD) next.push(pairs[i], after);
      }
    const number = next.length === 0 ? DEAD : this.#stateOf(next);
    this.#steps.add(state, letter, number);
    return number;
  }

  /** The state in which the machine is in one of its states, before the operation has taken effect. */
  before(state: number): number {
    return this.#stateOf([NOT_YET, state]);
  }

  /** The results that a state leaves. */
  *outcomesIn(state: number): IterableIterator<Outcome> {
    const pairs = this.#pairs[state];
    for (let i = 0; i < pairs.length; i += 2)
      if (pairs[i] !== NOT_YET) yield this.#outcomes.values[pairs[i]] as Outcome;
  }

  #takeEffect(state: number, next: number[]): void {
    const letter = this.#machine.letterOf(this.#operation);
    const pairs = this.#machine
      .results(state, letter)
      .map((result) => [this.#outcomes.intern(result.outcome), result.next] as const);
    for (const pair of pairs.sort(([a], [b]) => a - b)) next.push(...pair);
  }

  #stateOf(pairs: readonly number[]): number {
    const list = Int32Array.from(pairs);
    const number = this.#lists.intern(list, list.length);
    if (number === this.#pairs.length) this.#pairs.push(list);
    return number;
  }
}

/**
 * The results with which `prefix` is linearizable, for the operation (an id) that returns last in it. `explored`: a
 * search of the prefix or more. The results are then collected from the call of the operation on.
 */
export function collectAllowed(
  prefix: History,
  machine: Machine,
  operation: number,
  budget: Budget | undefined,
  explored?: { readonly graph: JitGraph; readonly history: History },
): Allowed {
  const automaton = new OpenResult(machine, operation);
  const outcomes = new Interner();
  const collect = (state: number): boolean => {
    for (const outcome of automaton.outcomesIn(state)) outcomes.intern(outcome);
    return false;
  };
  const from = prefix.columns.call[prefix.positionsById()[operation]];
  const window =
    explored && !prefix.columns.after ? prefix.window(from, prefix.columns.events.length - 1) : undefined;
  const position = window?.positionsById();
  const starts =
    explored &&
    position &&
    explored.graph.configurationsAt(from).map(({ state, done }) => ({
      state: automaton.before(state),
      done: done.map((k) => position[explored.history.columns.id[k]]),
    }));
  const search = new JitGraph(window ?? prefix, automaton, { accepts: collect, ...(starts && { starts }) });
  const answer = budget?.run(search, { otherBytes: () => automaton.bytes });
  const isSearched = typeof answer === 'object';
  const isComplete = isSearched && !machine.seesOutcome(machine.letterOf(operation));
  return { outcomes: outcomes.values as Outcome[], isComplete, isSearched };
}

/** The results of the spec for an operation (an id) in these states. */
export function resultsIn(machine: Machine, operation: number, states: readonly number[]): Outcome[] {
  const outcomes = new Interner();
  const letter = machine.letterOf(operation);
  for (const state of states)
    for (const { outcome } of machine.results(state, letter)) outcomes.intern(outcome);
  return outcomes.values as Outcome[];
}

/** Why the spec refuses an operation (an id) in these states, each reason once. */
export function refusalsIn(machine: Machine, operation: number, states: readonly number[]): string[] {
  const letter = machine.letterOf(operation);
  return [...new Set(states.flatMap((state) => machine.refusalReasons(state, letter)))];
}
