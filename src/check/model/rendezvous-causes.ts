/** Why there are no meetings that explain what happened, as data. Operations are named by their ids. */

export type RendezvousCause =
  /** All meetings were tried; none get past this return. */
  | { readonly kind: 'unmet'; readonly operation: number; readonly longest: LongestRendezvous }
  /** There are none; to find out more took too long. */
  | { readonly kind: 'untold'; readonly operation: number }
  /**
   * Of all calls that were open while this one was, none fits it; those with the right method are told. Where there are none, those that
   * came nearest: the last before it, and the first after.
   */
  | {
      readonly kind: 'lonely';
      readonly operation: number;
      readonly others: readonly number[];
      readonly nearest: readonly number[];
    }
  /** These calls can only have met these partners, who are fewer. */
  | {
      readonly kind: 'too few partners';
      readonly operation: number;
      readonly calls: readonly number[];
      readonly partners: readonly number[];
    }
  /**
   * Each of these groups has an odd number of calls, which can only have met one another, or one of
   * `through`; and there are more groups than those.
   */
  | {
      readonly kind: 'odd groups';
      readonly operation: number;
      readonly groups: readonly (readonly number[])[];
      readonly through: readonly number[];
    }
  /** Progress: nothing moves any more, but these calls, which wait, can meet. */
  | {
      readonly kind: 'should meet';
      readonly operation: number;
      readonly calls: readonly number[];
      readonly state: string;
    }
  /** Progress: what returned can not be explained unless this call has met these, and it waits still. */
  | { readonly kind: 'left behind'; readonly operation: number; readonly met: readonly number[] };

/** Meetings that explain all before the return that none explain; the state after them, and who is open then and has not met. */
export interface LongestRendezvous {
  readonly meetings: readonly (readonly number[])[];
  readonly state: string;
  readonly waiting: readonly number[];
}

const KINDS: readonly string[] = [
  'unmet',
  'untold',
  'lonely',
  'too few partners',
  'odd groups',
  'should meet',
  'left behind',
] satisfies RendezvousCause['kind'][];

export const isRendezvousCause = <C extends { readonly kind: string }>(
  cause: C,
): cause is Extract<C, { readonly kind: RendezvousCause['kind'] }> => KINDS.includes(cause.kind);
