/** One history checked: all that a report tells of. */
import type { Verdict } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';

export interface Result {
  readonly file: string;
  /** The name of the spec, or of several, by object. */
  readonly spec: string;
  readonly history: History;
  readonly verdict: Verdict;
  readonly ms: { readonly read: number; readonly check: number };
}
