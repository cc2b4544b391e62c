/** Searches: a loop over steps that can be interrupted and resumed. Limits, progress and competition belong to its caller. */
import type { Decided } from './verdict.js';

export interface Search<R = SearchResult> {
  /** The name of the search, for reports. */
  readonly name: string;
  /** Takes up to this many steps; a result, or undefined if there is none yet. */
  advance(steps: number): R | undefined;
  readonly steps: number;
  /** Distinct configurations visited. */
  readonly configurations: number;
  /** Memory held in tables. */
  readonly bytes: number;
  /** Returns that some linearization includes so far, and the number of all returns. */
  readonly explained: number;
  readonly returns: number;
}

/**
 * The methods of the spec allow what a monitor, or a search for one family of objects, excludes. `operation`: the id of
 * one that they disagree about.
 */
export class Disagreement extends Error {
  readonly operation: number;

  constructor(operation: number) {
    super('two algorithms disagree');
    this.operation = operation;
  }
}

/** A linearization, or what obstructs every one. Operations and moments are positions in the searched history. */
export type SearchResult = Decided<Int32Array, Obstruction>;

/**
 * No linearization includes the return at this moment; a moment past the end means that none ends in an accepted state.
 *
 * `states` are states that linearizations reach before it.
 */
export interface Obstruction {
  readonly moment: number;
  readonly states: readonly number[];
  /** Whether `states` are all that linearizations reach. */
  readonly isExhaustive: boolean;
  /** One or two linearizations that get furthest, in different states. */
  readonly longest: () => readonly LongestOrder[];
}

/** An order of operations, and the state that it leads to. */
export interface LongestOrder {
  readonly order: Int32Array;
  readonly state: number;
}

/** The searches for rendezvous, by name. */
export const RENDEZVOUS_ALGORITHMS = [
  'rendezvous-jit',
  'rendezvous-asap',
  'matching',
  'cover',
  'two-step',
] as const;

export type RendezvousAlgorithm = (typeof RENDEZVOUS_ALGORITHMS)[number];
