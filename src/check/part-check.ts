/** One part, decided: an order of its operations, a counterexample, or what ran out. */
import { pick } from '../base/index.js';
import { NEVER } from '../history/index.js';
import { type SearchName, searchFor } from './algorithms.js';
import type { Budget } from './budget.js';
import { needlessWait, searchForWait, wrongAnswer } from './core.js';
import type { Part } from './parts.js';
import type { Refusal, Search } from './search.js';
import { Openings } from './searches/openings.js';
import type { Counterexample, Exhausted, Unfinished, Wait } from './verdict.js';

/** How one part came out; operations are named by id. */
export type Finding =
  | { readonly kind: 'order'; readonly order: Int32Array; readonly waits: readonly Wait[] }
  | { readonly kind: 'none'; readonly counterexample: Counterexample }
  | { readonly kind: 'undecided'; readonly because: Exhausted; readonly unfinished: Unfinished };

/** A violation before it is explained: the operation at fault, and its part. */
export interface Found {
  readonly part: string;
  readonly operation: number;
}

export interface Means {
  /** The searches to use; none: those that suit. */
  readonly algorithm: readonly SearchName[];
  readonly budget: Budget;
  /** Has somebody else the answer? */
  readonly isOvertaken: () => boolean;
  readonly onViolation: ((found: Found) => void) | undefined;
}

/** Bytes an operation: its letter, its place in an order, and what it takes to verify that. */
const ORDER_BYTES = 20;

export function checkPart(part: Part, means: Means): Finding | 'overtaken' {
  return part.history.stuck ? searchStuck(part, means) : search(part, means);
}

function search(part: Part, { algorithm, budget, isOvertaken, onViolation }: Means): Finding | 'overtaken' {
  const { history, machine } = part;
  if (!budget.affords(Openings.bytesFor(history.columns) + ORDER_BYTES * history.length))
    return untouched(part, 'memory');
  const run = searchFor(part, algorithm);
  const answer = budget.run(run, () => machine.bytes, isOvertaken);
  if (answer === 'overtaken') return answer;
  if (typeof answer === 'string') return undecided(part, answer, run);
  if (answer.found) return { kind: 'order', order: pick(history.columns.id, answer.order), waits: [] };
  onViolation?.({ part: part.name, operation: history.columns.id[~history.columns.events[answer.moment]] });
  return { kind: 'none', counterexample: wrongAnswer(part, answer) };
}

/**
 * One part in which nothing will ever return again.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up. PLDI 2010, section 2:
 *   each pending operation needs an order of its own of all that returned, in
 *   whose last state it has to wait; the other pending ones are left out.
 */
function searchStuck(part: Part, means: Means): Finding | 'overtaken' {
  const safety = search(part, means);
  if (safety === 'overtaken' || safety.kind !== 'order') return safety;
  const { history, machine } = part;
  const { id, return: returned } = history.columns;
  const complete = history.complete();
  const waits: Wait[] = [];
  for (const operation of id.filter((_, k) => returned[k] === NEVER)) {
    const run = searchForWait(part, complete, operation);
    const answer = means.budget.run(run, () => machine.bytes, means.isOvertaken);
    if (answer === 'overtaken') return answer;
    if (typeof answer === 'string') return undecided(part, answer, run);
    if (!answer.found) return needless(part, operation, answer, means);
    waits.push({ operation, order: pick(complete.columns.id, answer.order) });
  }
  // what returned may come "after" one that waits, which then has to stand in the order
  const order = history.columns.after ? safety.order : (waits[0]?.order ?? safety.order);
  return { kind: 'order', order, waits };
}

function needless(part: Part, operation: number, refusal: Refusal, { onViolation }: Means): Finding {
  onViolation?.({ part: part.name, operation });
  return { kind: 'none', counterexample: needlessWait(part, operation, refusal) };
}

function undecided(part: Part, because: Exhausted, { explained, returns }: Search): Finding {
  return { kind: 'undecided', because, unfinished: { part: part.name, explained, of: returns } };
}

/** A part that no search was begun for. */
function untouched({ name, history }: Part, because: Exhausted): Finding {
  const of = history.columns.events.length - history.length;
  return { kind: 'undecided', because, unfinished: { part: name, explained: 0, of } };
}
