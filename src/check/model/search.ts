/**
 * A search that can be left and taken up again.
 *
 * One unit of fuel is one step tried. Limits, progress, cancelling and
 * competition are all the business of the loop outside.
 */
export interface Search<A = Answer> {
  /** Which search this is, for reports. */
  readonly name: string;
  advance(fuel: number): A | undefined;
  readonly steps: number;
  /** Distinct configurations visited. */
  readonly configurations: number;
  /** Memory held in tables. */
  readonly bytes: number;
  /** Returns that some order explains so far, and how many there are. */
  readonly explained: number;
  readonly returns: number;
}

/** Operations and moments are positions in the history that was searched. */
export type Answer = { readonly found: true; readonly order: Int32Array } | Refusal;

/**
 * No order gets past the event at this moment (past the end: no order ends in a
 * state that was asked for); these are the states in which orders stood before it: all of them,
 * unless the search had a proof and did not look for more.
 */
export interface Refusal {
  readonly found: false;
  readonly moment: number;
  readonly states: readonly number[];
  /** Are all states known that orders stood in before earlier returns? */
  readonly remembers: boolean;
  /** The states before returns after this moment, as far as they are still known; at least those above. */
  readonly statesSince: (moment: number) => readonly number[];
  /** One or two orders that get furthest, in different states. */
  readonly longest: () => readonly LongestOrder[];
}

/** An order of operations, and the state that it leads to. */
export interface LongestOrder {
  readonly order: Int32Array;
  readonly state: number;
}
