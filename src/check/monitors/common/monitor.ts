/**
 * The interface of offline monitors. A monitor decides the histories of one family of objects without trying orders.
 *
 * It reads a history in one pass as operations on values, or says why it declines. It then decides in polynomial
 * time, with evidence: a linearization, which is verified by the methods of the spec, or a cause that `verifyCause` checks without it.
 */
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause } from '../../model/causes.js';
import type { Search, SearchResult } from '../../model/search.js';
import type { Decision, LimitReason } from '../../model/verdict.js';

export interface Monitor {
  /** For reports: "queue monitor". */
  readonly name: string;
  /**
   * Which of equal values leaves first, if the container does not distinguish values, so that duplicates can be renamed.
   * `most urgent`: it distinguishes values by their priority only.
   */
  readonly leaves?: 'first' | 'last' | 'most urgent';
  /** Reads a history as operations of this family; a string says why the monitor declines. */
  read(history: History, spec: Spec): Reading | string;
}

/** A monitor that reads a history into one record, and decides by a function of that record. */
export function simpleMonitor<R extends { readonly history: History }>(parts: {
  readonly name: string;
  readonly bytesPerOperation: number;
  /** How many parts a record has read as one. */
  readonly partsOf?: (read: R) => number;
  readonly read: (history: History, spec: Spec) => R | string;
  readonly decide: (read: R) => MonitorResult;
}): Monitor {
  const { name, bytesPerOperation, partsOf, decide } = parts;
  return {
    name,
    read: (history, spec) => {
      const read = parts.read(history, spec);
      if (typeof read === 'string') return read;
      return {
        bytes: bytesPerOperation * history.length,
        ...(partsOf && { parts: partsOf(read) }),
        decide: () => decide(read),
      };
    },
  };
}

/** A history that a monitor can decide. Operations are positions in that history. */
export interface Reading {
  /** Memory that the decision needs, estimated. */
  readonly bytes: number;
  /** How many parts it has read as one; 1 by default. */
  readonly parts?: number;
  /** `search` runs a search on the remainder of hard cases, within the limits of the check. */
  decide(search: (search: Search) => SearchResult | LimitReason): MonitorResult;
}

export type MonitorResult =
  | Decision<Int32Array, MonitorRefutation>
  /**
   * The monitor would have to try too much. `retry` continues after a search has had a step budget, `budgetsBeforeRetry`
   * times the usual one (more if the search usually succeeds).
   */
  | {
      readonly kind: 'declined';
      readonly retry?: Reading['decide'];
      readonly budgetsBeforeRetry?: number;
    };

export type MonitorRefutation = Contradiction | BlockedReturn;

/** These operations alone have no linearization, so the history has none. */
export interface Contradiction {
  readonly operations: readonly number[];
  /** Whether an operation is on the same key, if there are keys. */
  readonly among?: (operation: number) => boolean;
  readonly cause: MonitorCause;
}

/** No linearization of the operations in `among` (by default all) includes the return of this one. */
export interface BlockedReturn {
  readonly operation: number;
  readonly among?: (operation: number) => boolean;
}
