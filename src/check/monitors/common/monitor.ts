/**
 * A monitor decides the histories of one family of objects without trying orders.
 *
 * It reads a history in one pass, as operations on values, or says what in it it can not cope
 * with. What it has read it decides in polynomial time, with evidence: an order that its model
 * replays, or a cause that `confirm` checks by itself.
 */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import type { FamilyCause } from '../../model/monitor-causes.js';
import type { Answer, Search } from '../../model/search.js';
import type { Exhausted } from '../../model/verdict.js';

export interface Monitor {
  /** For reports: "queue monitor". */
  readonly name: string;
  /** The kinds of `spec.family` that it knows. */
  readonly kinds: readonly string[];
  /**
   * Which of equal values leaves, if it takes all alike, so that they may be given different names; 'most urgent': all that
   * are told to be as urgent.
   */
  readonly leaves?: 'first' | 'last' | 'most urgent';
  /** The history as this family sees it; or, in words, what in it is beyond the monitor. */
  read(history: History, spec: Spec): Reading | string;
}

/** A history that a monitor can decide. Operations are positions in that history. */
export interface Reading {
  /** Memory that deciding takes, estimated. */
  readonly bytes: number;
  /** How many parts it has read as one; one, if not told. */
  readonly parts?: number;
  /** `search` runs a search on what is left of hard cases, within the limits of the check. */
  decide(search: (begin: Search) => Answer | Exhausted): Ruling;
  /**
   * A fresh object, as simple as can be: given one operation after another, it says whether each answer is right. `plain`: what a
   * value was before it was renamed; an order need not know of names. Undefined where only the spec can tell.
   */
  model(plain?: (value: unknown) => unknown): ((operation: number) => boolean) | undefined;
}

export type Ruling =
  | { readonly kind: 'order'; readonly order: Int32Array }
  /** These operations have no order by themselves, and so the whole has none. */
  | {
      readonly kind: 'contradiction';
      readonly operations: readonly number[];
      /** Is an operation on the same key, where there are keys? */
      readonly among?: (operation: number) => boolean;
      readonly cause: FamilyCause;
      /** Can none of the values be left out? */
      readonly minimal: boolean;
    }
  /** No order of the operations that touch what this one touches (all, if not told) gets past its return. */
  | { readonly kind: 'stops'; readonly operation: number; readonly among?: (operation: number) => boolean }
  | { readonly kind: 'undecided'; readonly because: Exhausted }
  /**
   * It would have to try too much: left to a search. `again`: a little of one, for it could still try more; `patience`: how
   * many times as much as others need, where the search mostly does.
   */
  | { readonly kind: 'aside'; readonly again?: Reading['decide']; readonly patience?: number };
