/**
 * Why a family's history has no order, as data. Operations are named by id.
 *
 * Each of these is a small contradiction, which a reader can see in a drawing of its operations.
 */

/** A value, who put it in (nobody: it was there at first) and who took it out, or may have, if somebody did. */
export interface Stay {
  readonly value: unknown;
  readonly put: number | undefined;
  readonly taken: number | undefined;
}

export type FamilyCause =
  /** The operation gives a value that nobody put in. */
  | { readonly kind: 'from nowhere'; readonly operation: number }
  /** The operation takes out what another took out already. */
  | { readonly kind: 'taken twice'; readonly operation: number; readonly stay: Stay }
  /** The operation gave a value, and only then was it put in. */
  | { readonly kind: 'too early'; readonly operation: number; readonly stay: Stay }
  /** The operation saw a value at the front or the top, though it had been taken out before. */
  | { readonly kind: 'too late'; readonly operation: number; readonly stay: Stay }
  /**
   * First in, first out: `first` was in before `second` was put in, but the operation gave `second`
   * before anyone asked for `first`. `between`: they were at the front after `second` and before `first`, each
   * seen before the next was out. `left`: they were in before `second` too, and nobody is known to have
   * taken them out, nor `first`; the calls that never returned are too few for all.
   */
  | {
      readonly kind: 'overtaken';
      readonly operation: number;
      readonly first: Stay;
      readonly second: Stay;
      readonly between: readonly Stay[];
      readonly left: readonly Stay[];
    }
  /** Two values were at the front in turns, but a value stays at the front until it is taken out. */
  | { readonly kind: 'two at the front'; readonly operation: number; readonly stays: readonly Stay[] }
  /**
   * The operation found nothing, but at each moment from its call to its return one of these was inside; or, of
   * those that nobody is known to have taken out, more than there were calls that never returned.
   */
  | { readonly kind: 'never empty'; readonly operation: number; readonly stays: readonly Stay[] }
  /**
   * Last in, first out: of these, the value that was put in first was alone when it was put in, seen and taken out. But each has
   * an operation, told in `blocked`, during which others were inside all the time; undefined: it was there at first, above others.
   */
  | {
      readonly kind: 'tangled';
      readonly operation: number;
      readonly stays: readonly Stay[];
      readonly blocked: readonly (number | undefined)[];
    }
  /**
   * The operation gave the value of `stay`, but at each moment at which it can have done so, one of the others, which
   * go out before it, was inside.
   */
  | {
      readonly kind: 'not the first';
      readonly operation: number;
      readonly stay: Stay;
      readonly stays: readonly Stay[];
    };
