/**
 * The behaviour that a spec, or learned runs, allow the operations of one test.
 *
 * States and outcomes are integers; operations are those of the test. Made of a spec (automata/spec-automaton.ts) or of
 * learned runs (learning/learned-runs.ts).
 */
import { OPEN } from '../../execution/outcomes.js';

export interface Automaton {
  readonly initial: number;
  /** All that may happen next. `called` are the operations, ascending, that have been called and have not started. */
  moves(state: number, called: readonly number[]): readonly Move[];
  /**
   * One of the pending operations that is blocked forever in none of these configurations, or -1. A configuration is a
   * state, followed by the outcome of each pending operation.
   */
  unblocked(configurations: readonly (readonly number[])[], pending: readonly number[]): number;
}

/** Operations take effect together, each with its outcome; WAITING if an operation starts and is completed later. */
export interface Move {
  readonly operations: readonly number[];
  readonly outcomes: readonly number[];
  readonly next: number;
}

/** The states of configurations in which no pending operation has started. */
export const untouched = (configurations: readonly (readonly number[])[]): number[] =>
  configurations.flatMap(([state, ...outcomes]) => (outcomes.every((one) => one === OPEN) ? [state] : []));

/** No state: this cannot happen. */
export const DEAD = -1;

/** Outcomes that are no results, beside OPEN: the call has started and waits; it had no effect; its effect is unknown. */
export const WAITING = -2;
export const FAILED = -3;
export const UNKNOWN = -4;
