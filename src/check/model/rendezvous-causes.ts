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
