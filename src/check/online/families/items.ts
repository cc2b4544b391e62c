/** What is in a container at first, as it comes out one by one; undefined where it does not behave like one. */
import type { Steps } from '../steps.js';

export function itemsOf(steps: Steps, remove: string): unknown[] | undefined {
  const items: unknown[] = [];
  for (let state = steps.initial; ; ) {
    const [answer] = steps.apply(state, remove, []);
    if (answer?.outcome.kind !== 'returned') return undefined;
    if (answer.next === state) return items;
    items.push(answer.outcome.value);
    state = answer.next;
  }
}
