/** What is in a container at first, as it comes out one by one, and as if somebody had put it in. */
import { OnlineOperation } from './operation.js';
import type { Steps } from './steps.js';

/** Those of a state; undefined where it does not behave like a container. */
export function itemsOf(
  steps: Steps,
  remove: string,
  from: number = steps.initial,
): readonly unknown[] | undefined {
  const items: unknown[] = [];
  for (let state = from; ; ) {
    const [answer] = steps.apply(state, remove, []);
    if (answer?.outcome.kind !== 'returned') return undefined;
    if (answer.next === state) return items;
    items.push(answer.outcome.value);
    state = answer.next;
  }
}

/** Those of a state, if it has both roles and none of them is also the answer when it is empty. */
export function unlikeNothing(steps: Steps, from?: number): readonly unknown[] | undefined {
  const { roles, empty } = steps.spec.family ?? {};
  if (roles?.add === undefined || roles.remove === undefined) return undefined;
  const nothing = new Set([steps.values.keyOf(empty)]);
  const items = itemsOf(steps, roles.remove, from);
  return items?.some((item) => nothing.has(steps.values.keyOf(item))) ? undefined : items;
}

/** One after another, before all events. */
export function putInAtFirst(items: readonly unknown[], add: string): OnlineOperation[] {
  return items.map((value, i) => {
    const time = 2 * (i - items.length);
    const operation = new OnlineOperation(undefined, 'initial', add, [value], time, undefined);
    operation.return = time + 1;
    operation.outcome = { kind: 'returned', value: undefined };
    return operation;
  });
}
