/**
 * The causes of violations, as data: those that monitors find, and those of rendezvous objects. Operations are named by id.
 *
 * A cause of a monitor is a small contradiction, which a reader can see in a drawing of its operations.
 */

/**
 * A value, the operation that added it (undefined: it is initial), and the one that removed it or may have, if there
 * is one.
 */
export interface ValueInterval {
  readonly value: unknown;
  readonly put: number | undefined;
  readonly taken: number | undefined;
}

/** A critical section: the owner of a mutex from a lock up to an unlock, if there is one. */
export interface Hold {
  readonly owner: unknown;
  readonly lock: number;
  readonly unlock: number | undefined;
}

/**
 * Operations on a register, or on one key of a map, that are adjacent in every linearization: the writer of a value,
 * its readers, and so on by swaps. Between the first return and the last call of a cluster, no other value can be
 * there.
 */
export interface Cluster {
  /** The values at these two ends. */
  readonly values: readonly unknown[];
  /** The first operation to return; undefined: the value is initial. */
  readonly first?: number;
  /** The last operation to be called; undefined: the value stays to the end. */
  readonly last?: number;
}

export type MonitorCause =
  /** The operation returns a value that was never added. */
  | { readonly kind: 'from nowhere'; readonly operation: number }
  /** The operation removes a value that another removed already. */
  | { readonly kind: 'taken twice'; readonly operation: number; readonly interval: ValueInterval }
  /** The operation returned a value before it was added. */
  | { readonly kind: 'too early'; readonly operation: number; readonly interval: ValueInterval }
  /** The operation saw a value at the front or the top after it had been removed. */
  | { readonly kind: 'too late'; readonly operation: number; readonly interval: ValueInterval }
  /**
   * First in, first out: `first` was present before `second` was added, but the operation returned `second` before
   * any removal of `first` was called. `between`: values at the front after `second` and before `first`, each seen
   * before the next was removed. `left`: values that were present before `second` too, and whose removals are
   * unknown, as is that of `first`; the pending removals are too few for all.
   */
  | {
      readonly kind: 'overtaken';
      readonly operation: number;
      readonly first: ValueInterval;
      readonly second: ValueInterval;
      readonly between: readonly ValueInterval[];
      readonly left: readonly ValueInterval[];
    }
  /** Two values were at the front alternately, but a value stays at the front until it is removed. */
  | {
      readonly kind: 'two at the front';
      readonly operation: number;
      readonly intervals: readonly ValueInterval[];
    }
  /**
   * The operation found the container empty, but at each moment from its call to its return one of these was present;
   * or, of those whose removal is unknown, more than there were pending removals.
   */
  | { readonly kind: 'never empty'; readonly operation: number; readonly intervals: readonly ValueInterval[] }
  /** Fetch-and-add: one of the two found a sum that the other had left or skipped. */
  | { readonly kind: 'overlap'; readonly operation: number; readonly other: number }
  /** Fetch-and-add: the other had found a larger sum, and this was called after its return. */
  | { readonly kind: 'backwards'; readonly operation: number; readonly other: number }
  /**
   * Fetch-and-add: no operations make the sum that the operation found. Those that found less make `sum`; the `open`
   * calls are pending, were made before its return, and add `each`.
   */
  | {
      readonly kind: 'unreached';
      readonly operation: number;
      readonly sum: number;
      readonly open: readonly number[];
      readonly each: number;
    }
  /** Both owners definitely hold it when the operation returns. */
  | { readonly kind: 'two holders'; readonly operation: number; readonly holds: readonly [Hold, Hold] }
  /** An unlock by a process that did not hold the lock. */
  | { readonly kind: 'not held'; readonly operation: number }
  /** The result says that no process, or another one, holds it; but the owner with this lock did all the time. */
  | { readonly kind: 'definitely held'; readonly operation: number; readonly lock: number }
  /**
   * The result says that it is held, but from the unlock `after` (or the start) to the lock `before` (or the end) it
   * was free.
   */
  | {
      readonly kind: 'definitely free';
      readonly operation: number;
      readonly after: number | undefined;
      readonly before: number | undefined;
    }
  /**
   * The operation saw a value that was never written. `links`: swaps that wrote it, but only from a value that was
   * never written, or from each other.
   */
  | { readonly kind: 'never written'; readonly operation: number; readonly links: readonly number[] }
  /** Both swapped the same value for another, but after the first it was no longer there. */
  | {
      readonly kind: 'swapped twice';
      readonly operation: number;
      readonly value: unknown;
      readonly swaps: readonly [number, number];
    }
  /**
   * The first must precede the second, because it belongs to the same or an earlier value; but it was called after
   * the second had returned.
   */
  | {
      readonly kind: 'out of turn';
      readonly operation: number;
      readonly first: number;
      readonly second: number;
    }
  /** Each of two clusters has an operation that returned before one of the other was called: each must be first. */
  | { readonly kind: 'in turns'; readonly operation: number; readonly runs: readonly [Cluster, Cluster] }
  /**
   * Last in, first out: of these values, the one added first was alone when it was added, seen and removed. But each
   * has an operation in `blocked` during which others were present all the time; undefined: its initial presence,
   * above others.
   */
  | {
      readonly kind: 'cyclic core';
      readonly operation: number;
      readonly intervals: readonly ValueInterval[];
      readonly blocked: readonly (number | undefined)[];
    }
  /**
   * The operation returned the value of `interval`, but at each moment at which it can have taken effect, one of the
   * others, which have priority, was present.
   */
  | {
      readonly kind: 'not the first';
      readonly operation: number;
      readonly interval: ValueInterval;
      readonly intervals: readonly ValueInterval[];
    };

/** The causes of violations of rendezvous objects, as data. Operations are named by id. */
export type RendezvousCause =
  /** Every sequence was tried; none includes this return. */
  | { readonly kind: 'unmatched'; readonly operation: number; readonly longest: LongestRendezvous }
  /** There is no sequence; the explanation exceeded its limits. */
  | { readonly kind: 'unexplained'; readonly operation: number }
  /**
   * No call that overlaps this one fits it; `others` are those with a suitable method. If there are none, `nearest`
   * are the last call before it and the first after it.
   */
  | {
      readonly kind: 'no partner';
      readonly operation: number;
      readonly others: readonly number[];
      readonly nearest: readonly number[];
    }
  /** These calls can only have synchronised with these partners, which are fewer. */
  | {
      readonly kind: 'too few partners';
      readonly operation: number;
      readonly calls: readonly number[];
      readonly partners: readonly number[];
    }
  /**
   * Each of these groups has an odd number of calls, which can only have synchronised inside the group or with one of
   * `through`; and there are more groups than those.
   */
  | {
      readonly kind: 'odd groups';
      readonly operation: number;
      readonly groups: readonly (readonly number[])[];
      readonly through: readonly number[];
    }
  /** Progress: the history is stuck, but these blocked calls can synchronise. */
  | {
      readonly kind: 'should synchronise';
      readonly operation: number;
      readonly calls: readonly number[];
      readonly state: string;
    }
  /** Progress: the returned calls need a rendezvous of this call with these, but it is still blocked. */
  | { readonly kind: 'left behind'; readonly operation: number; readonly partners: readonly number[] };

/**
 * A sequence of rendezvous up to the return that none includes; its state, and the open calls that have not
 * synchronised.
 */
interface LongestRendezvous {
  readonly rendezvous: readonly (readonly number[])[];
  readonly state: string;
  readonly waiting: readonly number[];
}

const KINDS: readonly string[] = [
  'unmatched',
  'unexplained',
  'no partner',
  'too few partners',
  'odd groups',
  'should synchronise',
  'left behind',
] satisfies RendezvousCause['kind'][];

export const isRendezvousCause = <C extends { readonly kind: string }>(
  cause: C,
): cause is Extract<C, { readonly kind: RendezvousCause['kind'] }> => KINDS.includes(cause.kind);
