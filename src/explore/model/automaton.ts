/**
 * What the operations of a program may do one after another: a spec seen through one program.
 *
 * States and outcomes are integers; operations are those of the program. After an
 * operation with an outcome there is one state at most: where a spec leaves
 * choices, a state is the set of all that they can lead to. Learnt from serial runs
 * (learnt.ts) or made of a `Spec` (explore/automata/spec-automaton.ts).
 */
export interface Automaton {
  readonly initial: number;
  /** The outcomes that an operation may have in a state, each once. */
  answers(state: number, operation: number): readonly number[];
  /** The state after an operation with an outcome, or DEAD. */
  after(state: number, operation: number, outcome: number): number;
  /** May an operation wait for ever here, if nothing else happens? */
  blocks(state: number, operation: number): boolean;
}

/** The same where calls meet: made of a `SyncSpec` (explore/automata/sync-automaton.ts). */
export interface RendezvousAutomaton {
  readonly initial: number;
  /** All that operations that wait, ascending, may do together in a state. */
  moves(state: number, waiting: readonly number[]): readonly Move[];
  /** Can none of these meet here? */
  rests(state: number, waiting: readonly number[]): boolean;
}

/** Operations take effect together, each with its outcome. */
export interface Move {
  readonly operations: readonly number[];
  readonly outcomes: readonly number[];
  readonly next: number;
}

export type AnyAutomaton = Automaton | RendezvousAutomaton;

export const isRendezvous = (automaton: AnyAutomaton): automaton is RendezvousAutomaton =>
  'moves' in automaton;

/** No state: that can not happen. */
export const DEAD = -1;
