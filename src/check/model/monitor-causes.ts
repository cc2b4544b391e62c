/**
 * Why a family's history has no order, as data. Operations are named by id.
 *
 * Each of these is a small contradiction, which a reader can see in a drawing of its operations.
 */

/** A value, who put it in (nobody: it was there at first) and who took it out, or may have, if somebody did. */
export interface ValueInterval {
  readonly value: unknown;
  readonly put: number | undefined;
  readonly taken: number | undefined;
}

/** Who holds a mutex from a lock up to an unlock, if there is one. */
export interface Hold {
  readonly owner: unknown;
  readonly lock: number;
  readonly unlock: number | undefined;
}

/**
 * Operations on a register, or on one key of a map, that stand together in every order: who wrote a value and who saw
 * it, and on from there by swaps. Between its first return and its last call nothing else can be there.
 */
export interface Cluster {
  /** What was there at these two ends. */
  readonly values: readonly unknown[];
  /** Who was first to return; nobody: it was there at first. */
  readonly first?: number;
  /** Who was called last; nobody: it is there to the end. */
  readonly last?: number;
}

export type MonitorCause =
  /** The operation gives a value that nobody put in. */
  | { readonly kind: 'from nowhere'; readonly operation: number }
  /** The operation takes out what another took out already. */
  | { readonly kind: 'taken twice'; readonly operation: number; readonly stay: ValueInterval }
  /** The operation gave a value, and only then was it put in. */
  | { readonly kind: 'too early'; readonly operation: number; readonly stay: ValueInterval }
  /** The operation saw a value at the front or the top, though it had been taken out before. */
  | { readonly kind: 'too late'; readonly operation: number; readonly stay: ValueInterval }
  /**
   * First in, first out: `first` was in before `second` was put in, but the operation gave `second`
   * before anyone asked for `first`. `between`: they were at the front after `second` and before `first`, each
   * seen before the next was out. `left`: they were in before `second` too, and nobody is known to have
   * taken them out, nor `first`; the calls that never returned are too few for all.
   */
  | {
      readonly kind: 'overtaken';
      readonly operation: number;
      readonly first: ValueInterval;
      readonly second: ValueInterval;
      readonly between: readonly ValueInterval[];
      readonly left: readonly ValueInterval[];
    }
  /** Two values were at the front in turns, but a value stays at the front until it is taken out. */
  | {
      readonly kind: 'two at the front';
      readonly operation: number;
      readonly stays: readonly ValueInterval[];
    }
  /**
   * The operation found nothing, but at each moment from its call to its return one of these was inside; or, of
   * those that nobody is known to have taken out, more than there were calls that never returned.
   */
  | { readonly kind: 'never empty'; readonly operation: number; readonly stays: readonly ValueInterval[] }
  /** Fetch-and-add: one of the two found what the other had left, or passed over. */
  | { readonly kind: 'overlap'; readonly operation: number; readonly other: number }
  /** Fetch-and-add: the other had found more, and this was called only then. */
  | { readonly kind: 'backwards'; readonly operation: number; readonly other: number }
  /**
   * Fetch-and-add: nothing makes the sum that the operation found. Those who found less make `sum`; these calls
   * never returned, were made before its return, and add `each`.
   */
  | {
      readonly kind: 'unreached';
      readonly operation: number;
      readonly sum: number;
      readonly open: readonly number[];
      readonly each: number;
    }
  /** Both surely hold it when the operation returns. */
  | { readonly kind: 'two holders'; readonly operation: number; readonly holds: readonly [Hold, Hold] }
  /** Its caller unlocked what it did not hold. */
  | { readonly kind: 'not held'; readonly operation: number }
  /** It was told that nobody holds it, or somebody else; but all the time the one did who had this lock. */
  | { readonly kind: 'surely held'; readonly operation: number; readonly lock: number }
  /** It was told that somebody holds it, but from the unlock `after` (or the beginning) to the lock `before` (or the end) nobody did. */
  | {
      readonly kind: 'surely free';
      readonly operation: number;
      readonly after: number | undefined;
      readonly before: number | undefined;
    }
  /** The operation saw a value that nobody wrote. `links`: swaps that wrote it, but only from what nobody wrote, or from each other. */
  | { readonly kind: 'never written'; readonly operation: number; readonly links: readonly number[] }
  /** Both swapped the same value for another, but the first of them left none to swap. */
  | {
      readonly kind: 'swapped twice';
      readonly operation: number;
      readonly value: unknown;
      readonly swaps: readonly [number, number];
    }
  /** The first comes before the second, since of that value or an earlier one; but it was called after the second had returned. */
  | {
      readonly kind: 'out of turn';
      readonly operation: number;
      readonly first: number;
      readonly second: number;
    }
  /** Each of two runs has an operation that returned before one of the other was called: each had to be first. */
  | { readonly kind: 'in turns'; readonly operation: number; readonly runs: readonly [Cluster, Cluster] }
  /**
   * Last in, first out: of these, the value that was put in first was alone when it was put in, seen and taken out. But each has
   * an operation, told in `blocked`, during which others were inside all the time; undefined: it was there at first, above others.
   */
  | {
      readonly kind: 'tangled';
      readonly operation: number;
      readonly stays: readonly ValueInterval[];
      readonly blocked: readonly (number | undefined)[];
    }
  /**
   * The operation gave the value of `stay`, but at each moment at which it can have done so, one of the others, which
   * go out before it, was inside.
   */
  | {
      readonly kind: 'not the first';
      readonly operation: number;
      readonly stay: ValueInterval;
      readonly stays: readonly ValueInterval[];
    };
