/**
 * Orders to go through step by step: the witness of each part, or those that get furthest in the part that is wrong.
 *
 * A monitor finds a contradiction without an order. Then its part is searched for the longest ones, if it is short and
 * they end at the same operation, so that they tell the same as the sentences; otherwise the core, which is small, alone.
 * Where that takes too long there are none.
 */
import { check } from '../../check/check.js';
import type { Cause, Counterexample, Verdict } from '../../check/model/verdict.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { History } from '../../history/history.js';
import { outcomeInWords } from '../../history/model/outcome-text.js';
import { walkOrder } from './order-steps.js';
import type { OrderData } from './page-types.js';
import type { PartTabs } from './part-tabs.js';

/** Steps told of one order, and of all together: states may be long. */
const MOST_STEPS = { each: 2_000, all: 6_000 };
const MOST_ALLOWED = 8;
/** What the search for the longest orders may cost, and how long a part may be. */
const SEARCH_STEPS = 100_000;
const SHORT = 2_000;

export function ordersOf(verdict: Verdict, specOf: AnySpecOf, tabs: PartTabs): OrderData[] {
  if (tabs.parts.length === 0) return [];
  if (verdict.kind === 'linearizable') return witnesses(verdict.witness.order, tabs);
  if (verdict.kind === 'undecided') return [];
  const { counterexample } = verdict;
  const part = tabs.numberOf[counterexample.cause.operation] ?? 0;
  const { history } = tabs.parts[part];
  const ofAll = stuckCause(counterexample, history.length <= SHORT ? history : undefined, specOf);
  const cause = ofAll ?? stuckCause(counterexample, counterexample.core, specOf);
  const first = ofAll ? 'An order of all before it' : 'An order of these operations alone';
  return (cause?.longest ?? []).map(({ order }, i) =>
    orderData(
      part,
      i === 0 ? first : 'Another order',
      [...order, cause?.operation ?? 0],
      tabs,
      MOST_STEPS.each,
    ),
  );
}

type Stuck = Extract<Cause, { kind: 'stuck' }>;

/** The cause itself, if it has orders; or what a search of a history finds wrong with the same operation. */
function stuckCause(
  { cause }: Counterexample,
  history: History | undefined,
  specOf: AnySpecOf,
): Stuck | undefined {
  if (cause.kind === 'stuck') return cause;
  if (cause.kind === 'waits' || history === undefined) return undefined;
  const again = check(history, specOf, { algorithm: 'search', steps: SEARCH_STEPS });
  if (again.kind !== 'violation') return undefined;
  const found = again.counterexample.cause;
  return found.kind === 'stuck' && found.operation === cause.operation ? found : undefined;
}

/** The witness, part by part. */
function witnesses(order: Int32Array, tabs: PartTabs): OrderData[] {
  const own: number[][] = tabs.parts.map(() => []);
  for (const id of order) own[tabs.numberOf[id]].push(id);
  let left = MOST_STEPS.all;
  return own.map((ids, part) => {
    const data = orderData(part, 'An order that explains it', ids, tabs, Math.min(left, MOST_STEPS.each));
    left -= data.steps.length;
    return data;
  });
}

function orderData(
  part: number,
  title: string,
  order: readonly number[],
  tabs: PartTabs,
  most: number,
): OrderData {
  const { start, steps } = walkOrder(tabs.parts[part], order, most);
  return {
    part,
    title,
    order,
    start,
    steps: steps.map(({ state, allowed }) => ({
      state: state ?? null,
      allowed: [...new Set(allowed.slice(0, MOST_ALLOWED).map(outcomeInWords))],
    })),
  };
}
