/**
 * Orders to go through step by step: the witness of each part, or those that get furthest in the part that is wrong.
 *
 * A monitor finds a contradiction without an order. Then the core, which is small, is searched for the longest ones;
 * where that takes too long there are none.
 */
import { type AnySpecOf, type Cause, type Counterexample, check, type Verdict } from '../../check/index.js';
import { walkOrder } from '../../explain/index.js';
import { outcomeInWords } from '../label.js';
import type { OrderData } from './page-types.js';
import type { PartTabs } from './part-tabs.js';

/** Steps told of one order, and of all together: states may be long. */
const MOST_STEPS = { each: 2_000, all: 6_000 };
const MOST_ALLOWED = 8;
/** What the search for the longest orders may cost. */
const SEARCH_STEPS = 100_000;

export function ordersOf(verdict: Verdict, specOf: AnySpecOf, tabs: PartTabs): OrderData[] {
  if (tabs.parts.length === 0) return [];
  if (verdict.kind === 'linearizable') return witnesses(verdict.witness.order, tabs);
  if (verdict.kind === 'undecided') return [];
  const cause = stuckCause(verdict.counterexample, specOf);
  const part = tabs.numberOf[verdict.counterexample.cause.operation] ?? 0;
  return (cause?.longest ?? []).map(({ order }, i) =>
    orderData(
      part,
      i === 0 ? 'An order of all before it' : 'Another order',
      [...order, cause?.operation ?? 0],
      tabs,
      MOST_STEPS.each,
    ),
  );
}

function stuckCause(
  { core, cause }: Counterexample,
  specOf: AnySpecOf,
): Extract<Cause, { kind: 'stuck' }> | undefined {
  if (cause.kind === 'stuck') return cause;
  if (cause.kind === 'waits') return undefined;
  const again = check(core, specOf, { algorithm: 'search', steps: SEARCH_STEPS });
  if (again.kind !== 'violation') return undefined;
  const found = again.counterexample.cause;
  return found.kind === 'stuck' ? found : undefined;
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
