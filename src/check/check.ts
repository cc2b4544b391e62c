/**
 * Is there an order? A history is taken apart, each part is searched, the
 * answers are joined, and the joined order is verified before anyone sees it.
 *
 * A part without an order decides for the whole, so the first one ends the
 * check. A part that stays undecided does not: another may still be wrong.
 */
import { invariant, pick } from '../base/index.js';
import { type AnyObject, History, type Methods, NEVER } from '../history/index.js';
import type { Spec } from '../spec/index.js';
import { type Algorithm, parseAlgorithm, searchFor } from './algorithms.js';
import { Budget, type Limits } from './budget.js';
import { needlessWait, searchForWait, wrongAnswer } from './core.js';
import { joinOrders } from './join.js';
import { type Part, partsOf, type SpecOf } from './parts.js';
import { verify } from './replay.js';
import type { Search } from './search.js';
import { Openings } from './searches/openings.js';
import type { Counterexample, Effort, Exhausted, Unfinished, Verdict, Wait } from './verdict.js';

/** How one part came out. */
type Finding =
  | { readonly kind: 'order'; readonly order: Int32Array; readonly waits: readonly Wait[] }
  | { readonly kind: 'none'; readonly counterexample: Counterexample }
  | { readonly kind: 'undecided'; readonly because: Exhausted; readonly unfinished: Unfinished };

export interface CheckOptions extends Limits {
  /** Which search decides; the one that suits, if not told. */
  readonly algorithm?: Algorithm | undefined;
}

/** The searches to use, by name, and what they may cost. */
interface Means {
  readonly algorithm: ReturnType<typeof parseAlgorithm>;
  readonly budget: Budget;
}

/**
 * Decides whether a history is linearizable. Where it tells of several objects,
 * each is checked alone: against the same spec, or the one that a function gives.
 */
export function check<T extends Methods<T> = AnyObject>(
  history: History<T>,
  // biome-ignore lint/suspicious/noExplicitAny: the state is the spec's own business
  spec: Spec<T, any> | SpecOf,
  options: CheckOptions = {},
): Verdict<T> {
  if (!(history instanceof History))
    throw new TypeError('check takes a History: from HistoryBuilder, parseHistory or sketch');
  if (typeof spec !== 'function' && typeof spec?.methods !== 'object')
    throw new TypeError(
      'check takes a spec: { name, initial, methods }, or a function from the name of an object to one',
    );
  const whole = history as unknown as History;
  const parts = partsOf(whole, typeof spec === 'function' ? spec : () => spec as unknown as Spec);
  const budget = new Budget(options);
  const means = { algorithm: parseAlgorithm(options.algorithm ?? 'auto'), budget };
  let decided = 0;
  const effort = (): Effort => ({
    checker: [...budget.searches].join(' and '),
    steps: budget.steps,
    configurations: budget.configurations,
    parts: parts.length,
    decided,
  });

  const orders: Int32Array[] = [];
  const waits: Wait[] = [];
  const unfinished: Unfinished[] = [];
  let because: Exhausted | undefined;
  for (const part of parts) {
    const finding = part.history.stuck ? searchStuck(part, means) : search(part, means);
    if (finding.kind !== 'undecided') decided++;
    if (finding.kind === 'none')
      return {
        kind: 'violation',
        counterexample: finding.counterexample as unknown as Counterexample<T>,
        effort: effort(),
      };
    if (finding.kind === 'undecided') {
      because ??= finding.because;
      unfinished.push(finding.unfinished);
      continue;
    }
    orders.push(finding.order);
    waits.push(...finding.waits);
  }
  if (because) return { kind: 'undecided', because, unfinished, effort: effort() };

  const witness = { order: joinOrders(orders), ...(waits.length > 0 && { waits }) };
  const fault = verify(whole, parts, witness);
  invariant(!fault, `a witness does not replay: rule ${fault?.rule} at operation ${fault?.operation}`);
  return { kind: 'linearizable', witness, effort: effort() };
}

/** One part: an order of its operations, by id. */
function search(part: Part, { algorithm, budget }: Means): Finding {
  const { history, machine } = part;
  if (!budget.affords(Openings.bytesFor(history.columns)))
    return {
      kind: 'undecided',
      because: 'memory',
      unfinished: { part: part.name, explained: 0, of: history.columns.events.length - history.length },
    };
  const run = searchFor(part, algorithm);
  const answer = budget.run(run, () => machine.bytes);
  if (typeof answer === 'string') return undecided(part, answer, run);
  if (!answer.found) return { kind: 'none', counterexample: wrongAnswer(part, answer) };
  return { kind: 'order', order: pick(history.columns.id, answer.order), waits: [] };
}

/**
 * One part in which nothing will ever return again.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up. PLDI 2010, section 2:
 *   each pending operation needs an order of its own of all that returned, in
 *   whose last state it has to wait; the other pending ones are left out.
 */
function searchStuck(part: Part, means: Means): Finding {
  const safety = search(part, means);
  if (safety.kind !== 'order') return safety;
  const { history, machine } = part;
  const { id, return: returned } = history.columns;
  const complete = history.complete();
  const waits: Wait[] = [];
  for (const operation of id.filter((_, k) => returned[k] === NEVER)) {
    const run = searchForWait(part, complete, operation);
    const answer = means.budget.run(run, () => machine.bytes);
    if (typeof answer === 'string') return undecided(part, answer, run);
    if (!answer.found) return { kind: 'none', counterexample: needlessWait(part, operation, answer) };
    waits.push({ operation, order: pick(complete.columns.id, answer.order) });
  }
  // what returned may come "after" one that waits, which then has to stand in the order
  const order = history.columns.after ? safety.order : (waits[0]?.order ?? safety.order);
  return { kind: 'order', order, waits };
}

function undecided(part: Part, because: Exhausted, run: Search): Finding {
  return {
    kind: 'undecided',
    because,
    unfinished: { part: part.name, explained: run.explained, of: run.returns },
  };
}
